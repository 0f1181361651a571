package finding_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestGlimpseCutsNoCredential cuts a quotation where a credential is, which nothing would recognize in halves.
func TestGlimpseCutsNoCredential(t *testing.T) {
	secret := base64.StdEncoding.EncodeToString([]byte(`{"password":"hunter2"}`))
	for before := 100; before < 170; before++ {
		words := strings.Repeat("x", before-1) + " " + secret + strings.Repeat(" and more", 10)
		if got := finding.Glimpse(words); strings.Contains(got, secret[:12]) {
			t.Fatalf("behind %d bytes: %s", before, got)
		}
	}
}
