package diagnosis_test

import (
	"strings"
	"testing"
	"time"
)

// TestUnreadWebhook asks without the right to read webhooks about a namespace whose condition names one. That one was
// not reached is no denial, and protects nothing.
func TestUnreadWebhook(t *testing.T) {
	for name, c := range map[string]struct{ message, says, not string }{
		"not reached": {
			`Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: Post ` +
				`"https://guard.shop.svc:443/": service "guard" not found`,
			`guard.example.com can't answer: Post "https://guard.shop.svc:443/": service "guard" not found`, "protects",
		},
		"denied": {
			`admission webhook "guard.example.com" denied the request: it stays`,
			"Ask the administrators of this cluster what it protects", "can't answer",
		},
	} {
		t.Run(name, func(t *testing.T) {
			failure := condition("NamespaceDeletionContentFailure", "True",
				"Failed to delete all resource types, 1 remaining: "+c.message)
			said := printed(t, whyCase{
				target: "namespaces/shop", objects: []string{namespace(time.Hour, failure), managerAlive()},
				deny: "validatingwebhookconfigurations",
			}.ask(t))
			if !strings.Contains(said, c.says) || strings.Contains(said, c.not) {
				t.Errorf("want %q, and not %q:\n%s", c.says, c.not, said)
			}
		})
	}
}
