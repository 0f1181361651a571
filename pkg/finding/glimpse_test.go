package finding_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
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

// TestGlimpseMakesNoCredential cuts a quotation without a credential: what is left never looks like one.
func TestGlimpseMakesNoCredential(t *testing.T) {
	const said = `could not find credentials secret: Secret "x" not found`
	for before := 100; before < 170; before++ {
		got := finding.Glimpse(strings.Repeat("x", before-1) + " " + said + strings.Repeat(" and more", 10))
		if credential.Clean(got) != got {
			t.Fatalf("behind %d bytes: %s becomes %s", before, got, credential.Clean(got))
		}
	}
}
