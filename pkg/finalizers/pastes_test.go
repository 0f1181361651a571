package finalizers_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

const pastes = "testdata/pastes"

// truth is what is true of a paste, whatever is answered.
type truth struct {
	First, Object, Finalizer string // of the first cause
	Asks                     string // what the command must ask for, where the paste can't show the cause
	Nothing                  bool   // nothing in it is Terminating
}

func truths(t *testing.T) map[string]truth {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(pastes, "truths.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]truth{}
	if err := yaml.UnmarshalStrict(text, &found); err != nil {
		t.Fatal(err)
	}
	return found
}

// answers asks about all that is Terminating in a text.
func answers(t *testing.T, name string) (found []*result.Diagnosis, err error) {
	t.Helper()
	ctx := context.Background()
	cluster, err := finalizers.Open(ctx, finalizers.Options{}, name)
	if err != nil {
		return nil, err
	}
	targets, err := cluster.Terminating(ctx)
	if err != nil {
		return nil, err
	}
	for _, target := range targets {
		answer, err := cluster.Why(ctx, target, finalizers.WhyOptions{})
		if err != nil {
			return nil, err
		}
		found = append(found, answer)
	}
	return found, nil
}

// isRight reports whether the first cause of any answer is the true one.
func (is truth) isRight(found []*result.Diagnosis) bool {
	for _, answer := range found {
		if len(answer.RootCauses) == 0 {
			continue
		}
		cause := answer.RootCauses[0]
		if is.First != "" && cause.Reason == finding.Reason(is.First) &&
			(is.Object == "" || cause.Object.Name == is.Object) && (is.Finalizer == "" || cause.Finalizer == is.Finalizer) {
			return true
		}
	}
	return false
}

// wrong returns a cause that is said with confidence and isn't the true one.
func (is truth) wrong(found []*result.Diagnosis) string {
	for _, answer := range found {
		if answer.Verdict == result.Progressing {
			return "Progressing: " + answer.Summary
		}
		for _, cause := range answer.RootCauses {
			if cause.Reason != finding.Reason(is.First) && cause.Reason != finding.ControllerUnknown {
				return string(cause.Reason) + ": " + cause.Message
			}
		}
	}
	return ""
}

func (is truth) isAsked(found []*result.Diagnosis) bool {
	for _, answer := range found {
		if strings.Contains(strings.Join(answer.Ask, " "), is.Asks) {
			return true
		}
	}
	return false
}

// TestPastes answers what people paste: the first cause is the true one in most, nothing wrong is said with confidence,
// and where the text can't show the cause, the command asks for what would.
func TestPastes(t *testing.T) {
	right := 0
	for name, is := range truths(t) {
		t.Run(name, func(t *testing.T) {
			found, err := answers(t, filepath.Join(pastes, name+".txt"))
			switch {
			case err != nil:
				t.Fatal(err)
			case is.Nothing != (len(found) == 0):
				t.Fatalf("%d objects are Terminating", len(found))
			case is.isRight(found):
				right++
			case is.First != "" && (is.Asks == "" || !is.isAsked(found)):
				t.Errorf("the first cause is not %+v: %s", is, told(found))
			}
			if said := is.wrong(found); said != "" {
				t.Errorf("a wrong cause: %s", said)
			}
			if is.First == "" && !is.Nothing && !is.isAsked(found) {
				t.Errorf("it does not ask for %s: %s", is.Asks, told(found))
			}
		})
	}
	if right < 45 {
		t.Errorf("the first cause is right in %d pastes, want 45", right)
	}
}

// TestCutPastes cuts pastes at every tenth line: whatever is left, nothing wrong is said with confidence.
func TestCutPastes(t *testing.T) {
	all := truths(t)
	for _, name := range []string{
		"namespace-metrics-yaml", "namespace-metrics-json", "namespace-metrics-quoted", "content-challenges-yaml",
		"content-webhook", "claim-and-pod-yaml", "claim-and-pod-json", "pod-on-lost-node-yaml",
		"pod-describe-and-nodes", "definition-and-instance", "claim-described-used-by", "details-html-tags",
		"entities-of-html", "get-all-five-tables", "line-numbers", "node-described-and-pod", "openshift-project",
		"pods-grep-no-heading", "pods-wide-restarts", "snipped-yaml", "sweep-of-api-resources", "webhook-denies-content",
		"namespace-yaml-without-indentation", "status-by-jq", "volume-described-claim-bound", "conditions-by-jsonpath",
		"definition-described-custom-columns", "claim-metadata-by-jq", "conditions-grep-no-name",
	} {
		text, err := os.ReadFile(filepath.Join(pastes, name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(string(text), "\n")
		for end := 10; end < len(lines); end += 10 {
			cut := filepath.Join(t.TempDir(), "cut.txt")
			if err := os.WriteFile(cut, []byte(strings.Join(lines[:end], "")), 0o600); err != nil {
				t.Fatal(err)
			}
			found, err := answers(t, cut)
			if err != nil {
				continue // nothing is left that can be used
			}
			if said := all[name].wrong(found); said != "" {
				t.Errorf("%s, cut behind line %d: %s", name, end, said)
			}
		}
	}
}

// TestAskedAndPasted gives the output of the command that an answer asks for together with the rest: a list below its
// command is complete, and what does not exist is no longer asked for.
func TestAskedAndPasted(t *testing.T) {
	claim, err := os.ReadFile(filepath.Join(pastes, "claim-alone.txt"))
	if err != nil {
		t.Fatal(err)
	}
	const empty = "apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: \"\"\n"
	const volume = "$ kubectl get persistentvolumes pvc-1f -o yaml\n" +
		"Error from server (NotFound): persistentvolumes \"pvc-1f\" not found\n"
	for command, unread := range map[string]bool{
		"$ kubectl get pods -n shop -o yaml\n" + empty + "$\n":            false,
		"$ kubectl get pods -n shop -o yaml\n" + empty:                    true, // the error may have been cut off
		"$ kubectl get pods -n shop -l app=web -o yaml\n" + empty + "$\n": true,
		// a shell has said how the command ended, and what follows is lost
		"$ kubectl get pods -n shop -o yaml\n# exit code 0\n" + empty:               false,
		"$ kubectl get pods -n shop -o yaml\n# exit code 1\n" + empty + "$\n":       true,
		"$ kubectl get pods -n shop -o yaml\n# exit code 0\napiVersion: v1\nitems:": true,
	} {
		text := filepath.Join(t.TempDir(), "text.txt")
		if err := os.WriteFile(text, []byte(string(claim)+volume+command), 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := answers(t, text)
		if err != nil || len(found) != 1 {
			t.Fatalf("%d answers, %v", len(found), err)
		}
		asks := strings.Join(found[0].Ask, " ")
		if got := strings.Contains(asks, "pods -n shop"); got != unread || strings.Contains(asks, "persistentvolumes ") {
			t.Errorf("below %q, it asks: %s", command, asks)
		}
	}
}

// TestAskedForAll pastes a Namespace that is being deleted: the command asks for the metadata of all that is in it, of
// whatever kind. What it prints is taken for no more than that, is not asked for again, and holds the Namespace.
func TestAskedForAll(t *testing.T) {
	const namespace = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n  uid: n-1\n" +
		"  deletionTimestamp: 2026-01-01T10:00:00Z\nspec:\n  finalizers: [kubernetes]\nstatus:\n  phase: Terminating\n---\n"
	const swept = "$ kubectl get -o yaml configmaps,widgets.example.com -n shop\n# exit code 0\n" +
		`{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadataList","items":[` +
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings","namespace":"shop","uid":"c"}},` +
		`{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","namespace":"shop","uid":"w",` +
		`"deletionTimestamp":"2026-01-01T10:00:00Z","finalizers":["example.com/hold"]}}]}` + "\n"
	for text, sweeps := range map[string]bool{namespace: true, namespace + swept: false} {
		file := filepath.Join(t.TempDir(), "text.txt")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := answers(t, file)
		if err != nil || len(found) == 0 {
			t.Fatalf("%d answers, %v", len(found), err)
		}
		of := slices.IndexFunc(found, func(answer *result.Diagnosis) bool { return answer.Target.Kind == "Namespace" })
		if asks := slices.Contains(found[of].Ask, "-n shop"); asks != sweeps {
			t.Errorf("it asks for all in the namespace: %t: %s", asks, told(found))
		}
		held := func(cause result.RootCause) bool { return cause.Finalizer == "example.com/hold" }
		if named := slices.ContainsFunc(found[of].RootCauses, held); named == sweeps {
			t.Errorf("what is in it is a cause: %t: %s", named, told(found))
		}
	}
}

func told(found []*result.Diagnosis) string {
	var all []string
	for _, answer := range found {
		text := string(answer.Verdict) + " " + answer.Summary
		for _, cause := range answer.RootCauses {
			text += "\n    " + strings.Join([]string{
				string(cause.Reason), string(cause.Certainty), cause.Object.String(), cause.Finalizer,
			}, " ")
		}
		all = append(all, text+"\n    "+strings.Join(answer.Ask, " "))
	}
	return strings.Join(all, "\n  ")
}
