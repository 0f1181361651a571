package credential_test

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
)

// BenchmarkClean cleans a name, a sentence, and a message with a credential in it.
func BenchmarkClean(b *testing.B) {
	for name, text := range map[string]string{
		"name":     "orders-6d5b8c7f9d-x7k2p",
		"sentence": "Database payments/orders is held by the finalizer shop.example.com/cleanup. Its controller is gone.",
		"message":  "failed to connect: host=db user=me password=hunter2 dbname=shop: connection refused",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				credential.Clean(text)
			}
		})
	}
}
