package credential_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
)

// FuzzCorpus puts the texts of the corpus between others, on lines of their own: what was marked is never left, and
// what was cleaned stays as it is when it is cleaned again.
func FuzzCorpus(f *testing.F) {
	texts := corpus(f, "secrets.txt")
	for i := range texts {
		f.Add("", "", uint(i))
	}
	for i, sentence := range corpus(f, "sentences.txt") {
		f.Add(sentence, "", uint(i))
	}
	f.Fuzz(func(t *testing.T, before, after string, number uint) {
		text := texts[number%uint(len(texts))]
		plain := strings.NewReplacer("«", "", "»", "").Replace(text)
		whole := before + "\n\n" + plain + "\n" + after
		cleaned := credential.Clean(whole)
		if again := credential.Clean(cleaned); again != cleaned {
			t.Errorf("%q becomes %q when it is cleaned again (from %q)", cleaned, again, whole)
		}
		if strings.ContainsAny(before, "\"'`\\{[<(|>&%=:-") || strings.ContainsAny(after, "\"'`\\}])>|&%=:") {
			return // a quote or a bracket that is open changes where texts begin and end
		}
		for _, secret := range marked.FindAllStringSubmatch(text, -1) {
			if strings.Contains(cleaned, secret[1]) && !strings.Contains(before+after, secret[1]) {
				t.Errorf("%q is left of %q:\n%q", secret[1], whole, cleaned)
			}
		}
	})
}

// identifier is a name as Kubernetes takes it: of an object, a kind, a finalizer, a field, a reason.
var identifier = regexp.MustCompile(`^(?:[a-z][a-z-]{0,30}(?:\.[a-z][a-z-]{0,30}){0,5}/)?[A-Za-z][A-Za-z-]{0,40}$`)

// FuzzIdentifiers leaves names as they are, alone and where answers have them.
func FuzzIdentifiers(f *testing.F) {
	for _, name := range []string{
		"cleanup", "syncer.configmanagement.gke.io/sync", "backup.platformservices.example.com/cleanup", "SecretNotFound",
		"orders-password", "tokenSecretRef", "AuthorizationFailed", "externalsecret-cleanup", "secret.example.com/password",
		"password", "Token", "aws-credentials", "clientKey",
		"s.abcdefghijklmnopqrstuvwx/cleanup",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if !identifier.MatchString(name) {
			return
		}
		for _, text := range []string{
			name, "Secret shop/" + name + " is gone", "ConfigMap shop/a is held by the finalizer " + name + ".",
			"secrets \"" + name + "\" not found", name + " (likely)", "secrets/" + name + " not found",
		} {
			if cleaned := credential.Clean(text); cleaned != text {
				t.Errorf("of %q is left %q", text, cleaned)
			}
		}
	})
}
