package credential_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
)

// jwt has no signature that anybody would take.
const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJwbGFudGVkIn0.c2lnbmF0dXJl"

func encoded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// TestClean has a text in each usual form of a credential, and what is left of it.
func TestClean(t *testing.T) {
	const out = credential.Removed
	for text, want := range map[string]string{
		"password=hunter2":                   "password=" + out,
		"password: hunter2, user: me":        "password: " + out + ", user: me",
		"DB_PASSWORD=hunter2;x=1":            "DB_PASSWORD=" + out + ";x=1",
		`{"password":"hunter2","user":"me"}`: `{"password":"` + out + `","user":"me"}`,
		`{\"apiKey\": \"a\\\"b\", \"user\":\"me\"}`: `{\"apiKey\": \"` + out +
			`\", \"user\":\"me\"}`,
		`{"auth":{"clientSecret":{"value":"hidden"}},"x":1}`: `{"auth":{"clientSecret":` + out +
			`},"x":1}`,
		"token='two words' rest":                                     "token='" + out + "' rest",
		"Secret shop/erlang-cookie is gone":                          "Secret shop/erlang-cookie is gone",
		"--token hunter2 --verbose":                                  "--token " + out + " --verbose",
		"--password=hunter2 --verbose":                               "--password=" + out + " --verbose",
		"postgres://me:p@ss/w:rd@db.example.com/app":                 "postgres://" + out + "@db.example.com/app",
		"https://ghp@example.com/":                                   "https://" + out + "@example.com/",
		"amqp://a:b@one,amqp://c:d@two":                              "amqp://" + out + "@two",
		"root:hidden@tcp(10.0.0.1:3306)/shop":                        out + "@tcp(10.0.0.1:3306)/shop",
		"Authorization: Basic bWU6aGlkZGVu":                          "Authorization: " + out,
		"sent Basic bWU6aGlkZGVu to it":                              "sent Basic " + out + " to it",
		"Bearer planted1 was refused":                                "Bearer " + out + " was refused",
		"https://x.blob.core.windows.net/c?sv=2024&sig=abc%2Fdef%3D": "https://x.blob.core.windows.net/c?sv=2024&sig=" + out,
		"DefaultEndpointsProtocol=https;AccountKey=abc==;Suffix=x": "DefaultEndpointsProtocol=https;AccountKey=" + out +
			";Suffix=x",
		"post to https://hooks.slack.com/services/T1/B2/xyz failed": "post to https://hooks.slack.com/" + out +
			" failed",
		"https://me.webhook.office.com/webhookb2/1@2/IncomingWebhook/3": "https://me.webhook.office.com/" + out,
		"saw " + jwt + " there":                        "saw " + out + " there",
		"saw " + encoded(jwt) + " there":               "saw " + out + " there",
		"saw " + encoded(encoded(`{"password":"x1"}`)): "saw " + out,
		"mount failed: -o username=me,password=h1,vers=3": "mount failed: -o username=me,password=" +
			out + ",vers=3",
		"options: pass=h1,vers=3": "options: pass=" + out + ",vers=3",
		`[{"name":"DB_PASSWORD","value":"hidden"},{"name":"A","value":"b"}]`: `[{"name":"DB_PASSWORD","value":"` + out +
			`"},{"name":"A","value":"b"}]`,
		`[{"value":"hidden","name":"DB_PASSWORD"}]`: `[{"value":"` + out +
			`","name":"DB_PASSWORD"}]`,
		"env {DB_PASSWORD hidden nil}":                                           "env {DB_PASSWORD " + out + " nil}",
		"name: API_TOKEN\n  value: hidden\n":                                     "name: API_TOKEN\n  value: " + out + "\n",
		"-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\n.": out + "\n.",
		"-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl":                              out,
		"key AKIAIOSFODNN7EXAMPLE was":                                           "key " + out + " was",
		"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY":                               out,
		"AIzaSyA1234567890abcdefghijklmnopqrstu":                                 out,
		"ghp_abcdefghijklmnopqrstuvwxyz0123456789":                               out,
		"xoxb-1234567890-abcdef":                                                 out,
		"abc8Q~abcdefghijklmnopqrstuvwxyz012345":                                 out,
		`loading "/etc/passwd": yaml:hunter2`:                                    `loading "/etc/passwd": ` + out,
		"open /token: permission denied, token: permission1": "open /token: permission denied, token: " +
			out,
		`{"path":"/data/password","value":"is a directory"}`: `{"path":"/data/password","value":"` +
			out + `"}`,
	} {
		if got := credential.Clean(text); got != want {
			t.Errorf("of %q is left\n%q, want\n%q", text, got, want)
		}
	}
	for _, text := range []string{
		"secret: not found",
		`secrets "db" not found`,
		"couldn't find key password in Secret shop/db",
		"registry.example.com/web@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
		"docker://web@sha256:0123",
		`persistentvolumeclaim "data-web-0" is used by pod "web-0"`,
		"AttachVolume.Attach failed for volume pvc-7c6e2b1c-9d5e-4d7e-8a55-0f0c5a8a1b11",
		`Get "https://10.0.0.1:443/api": x509: certificate signed by unknown authority`,
		"arn:aws:iam::123456789012:role/NodeInstanceRole",
		"system:serviceaccount:kube-system:persistent-volume-binder",
		"CustomResourceDefinition/databases.shop.example.com",
		`error loading config file "/etc/passwd": couldn't get version/kind; json parse error: json: cannot unmarshal`,
		`error loading config file "/etc/kube/token": yaml: line 3: mapping values are not allowed in this context`,
		"open /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory",
		"stat /srv/my-token: permission denied",
		"/run/db-password: permission2 denied",
		`loading "/etc/passwd": couldn't2 x`,
	} {
		if got := credential.Clean(text); got != text {
			t.Errorf("of %q, which is no credential, is left\n%q", text, got)
		}
	}
}

// FuzzClean puts a secret between other texts, in every form that shows it without a name: it is never left, what was
// cleaned stays as it is, and no text takes long.
func FuzzClean(f *testing.F) {
	for _, seed := range []string{"", "a", `{"a":`, "https://", "\\\"", "name: ", "[{", "@", "\n", "value: x, name: y",
		"(hidden)", "Basic "} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		const secret = "Zq7Planted9Xw"
		for _, form := range []string{
			" password=" + secret + " ", ` "token": "` + secret + `" `, " https://me:" + secret + "@host/ ",
			" Bearer " + secret + " ", " " + encoded("password="+secret) + " ", " ghp_" + secret + secret + " ",
			"\n-----BEGIN EC PRIVATE KEY-----\n" + secret + "\n-----END EC PRIVATE KEY-----\n",
			" https://hooks.slack.com/services/" + secret + " ",
		} {
			text := before + form + after
			cleaned := credential.Clean(text)
			if strings.Contains(cleaned, secret) && !strings.Contains(before+after, secret) {
				t.Errorf("%q is left of %q", cleaned, text)
			}
			if again := credential.Clean(cleaned); again != cleaned {
				t.Errorf("%q becomes %q when it is cleaned again (from %q)", cleaned, again, text)
			}
		}
	})
}
