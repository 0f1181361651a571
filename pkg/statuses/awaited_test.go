package statuses_test

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// TestAwaited wants what words wait for, and whether they need that; nothing where it has to go, or to end.
func TestAwaited(t *testing.T) {
	for words, want := range map[string]struct {
		named  string
		needed bool
	}{
		"waiting for ConfigMap region-map":                             {"ConfigMap region-map", false},
		"Deleting: waiting for configmap/a; retrying":                  {"configmap/a", false},
		`Waiting for secret "cf" to become available`:                  {`secret "cf" to become available`, true},
		"need Secret cf to empty the bucket":                           {"Secret cf to empty the bucket", true},
		"the cleanup requires Secret cf":                               {"Secret cf", true},
		"waiting for Machine a to be deleted":                          {},
		"waiting for Job wiper-cleanup to finish":                      {"Job wiper-cleanup to finish", false},
		`waiting for Job "cleanup" to complete`:                        {`Job "cleanup" to complete`, false},
		"waiting for cleanup by Job a-1 to finish":                     {},
		"waiting for Pod a to go away":                                 {},
		"no longer needs Secret cf, which is not used":                 {},
		"unneeds Secret cf":                                            {},
		"3 tables are left":                                            {},
		"waiting for ConfigMap a, which must exist to delete it":       {"ConfigMap a, which must exist to delete it", true},
		"waiting for removal of the finalizer from PersistentVolume a": {},
	} {
		if named, needed := statuses.Awaited(words); named != want.named || needed != want.needed {
			t.Errorf("%q: %q, %t, want %q, %t", words, named, needed, want.named, want.needed)
		}
	}
}

// TestAwaitedWork wants what has to do its work, and nothing that has to go.
func TestAwaitedWork(t *testing.T) {
	for words, want := range map[string]string{
		"waiting for Job a-cleanup to finish":                "Job a-cleanup to finish",
		"CleaningUp: waiting for completion of Job a-1":      "completion of Job a-1",
		"waiting for Deployment a-0 to become available":     "",
		"waiting for StatefulSet a-0 to be ready":            "StatefulSet a-0 to be ready",
		"waiting for Pod a-0 to stop":                        "",
		"waiting for StatefulSet a-0 to complete scale down": "",
		"waiting for Pod finish-0":                           "",
		"waiting for deletion of Job a-1 to finish":          "",
		"not waiting for Job a-1 to finish":                  "",
		"Job a-1 has finished":                               "",
	} {
		if got := statuses.AwaitedWork(words); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}

// TestSureOf wants a word of prose behind a word for a kind to be no name for sure.
func TestSureOf(t *testing.T) {
	kinds := func(word string) bool { return word == "bucket" || word == "secret" || word == "secrets" }
	for words, want := range map[string]int{
		"bucket policy not found":                              statuses.MayBeName,
		"cannot empty bucket: multi-part upload not found":     statuses.MayBeName,
		"could not read secret cloud-creds, which was deleted": statuses.LooksLikeOne,
		"secret cloud-creds not found":                         statuses.IsName,
		`secrets "cf" not found`:                               statuses.IsName,
		"could not find Secret shop/cf":                        statuses.IsName,
		"could not find secret/cf":                             statuses.IsName,
	} {
		statement := statuses.Statement{Words: words}
		named := slices.DeleteFunc(statement.Named(kinds), func(one statuses.Reference) bool { return !one.Near })
		if len(named) == 0 || statement.SureOf(named[0]) != want {
			t.Errorf("%q: %+v, want %d", words, named, want)
		}
	}
}

// TestSpeaksOfDeletion wants a name to be no word.
func TestSpeaksOfDeletion(t *testing.T) {
	for words, want := range map[string]bool{
		"failed to delete dashboards":     true,
		"CleanupFailed: 3 are left":       true,
		"Postgres old-db is broken":       false,
		"Postgres delete-me is broken":    false,
		"the database is not responding":  false,
		"volume can't be detached from n": true,
	} {
		if got := statuses.SpeaksOfDeletion(words, "delete-me"); got != want {
			t.Errorf("%q: %t, want %t", words, got, want)
		}
	}
}

// TestHealthy wants an object to be well by its conditions alone.
func TestHealthy(t *testing.T) {
	for conditions, want := range map[string]bool{
		`[]`:                               false,
		`[{type: Ready, status: "True"}]`:  true,
		`[{type: Ready, status: "False"}]`: false,
		`[{type: Ready, status: "True"}, {type: Degraded, status: "True", message: a disk is gone}]`: false,
		`[{type: Ready, status: "True"}, {type: Synced, status: "False", message: busy}]`:            false,
	} {
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(`{status: {conditions: `+conditions+`}}`), &object.Object); err != nil {
			t.Fatal(err)
		}
		if got := statuses.Healthy(object); got != want {
			t.Errorf("%s: %t, want %t", conditions, got, want)
		}
	}
}
