package blockers_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/blockers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// TestReportedFailure asks what Database shop/orders waits for, whose controller reports a failure in words that name
// Item x: it waits for that as a user, or as what is stuck itself; else the failure is the answer, with a first step.
func TestReportedFailure(t *testing.T) {
	alive, gone := item("x", "labels: {}", ""), item("x", going("labels: {}"), "")
	const blockedByX = "\nstatus: {blockedBy: [{apiVersion: store.example.com/v1, kind: Item, name: x}]}"
	quota := clustertest.Object("v1", "ResourceQuota", "x", "labels: {}", "")
	for _, c := range []struct {
		name, spec, words, object string
		status                    string
		waits                     string
		guessed                   bool
		step                      string
	}{
		{name: "a live user", words: "failed to delete: still in use by Item x", object: alive, waits: "x"},
		{
			name:   "a user that is deleted",
			words:  "failed to delete: still in use by Item x",
			object: gone, waits: "x", guessed: true,
		},
		{
			name: "a live object that a field lists", status: blockedByX, words: "DeletionBlocked: 1 resource blocks",
			object: alive, waits: "x",
		},
		{
			name: "a live object that a field lists, and another failure", status: blockedByX,
			words: "failed to delete the rows: could not connect", object: alive, step: "Mend",
		},
		{
			name: "no such object as a field lists", status: strings.ReplaceAll(blockedByX, "name: x", "name: y"),
			words: "DeletionBlocked: 1 resource blocks", object: alive, step: "Mend",
		},
		{name: "no such user", words: "failed to delete: still in use by Item y", object: alive, step: "Mend"},
		{
			name:   "what a user misses",
			words:  "failed to delete: Secret used by Item x not found",
			object: alive, step: "SeeNamedObject",
		},
		{
			name:   "a failure beside the deletion",
			words:  "backup failed: volume used by Item x",
			object: alive, step: "SeeNamedObject",
		},
		{
			name: "a live object that the spec names", spec: "itemRef: {name: x}",
			words:  "failed to delete the rows: could not connect by Item x: bad certificate",
			object: alive, step: "Mend",
		},
		{
			name: "an object that the spec names, and that goes", spec: "itemRef: {name: x}",
			words:  "failed to delete the rows: could not connect by Item x: bad certificate",
			object: gone, step: "Mend",
		},
		{
			name: "what the spec names and has to go", spec: "itemRef: {name: x}",
			words: "not done: waiting for Item x", object: gone, waits: "x", guessed: true,
		},
		{name: "a live object", words: "failed to delete: Item x timed out", object: alive, step: "SeeNamedObject"},
		{
			name:   "a quota",
			words:  `failed to delete: resourcequota x says: exceeded quota: x, requested: pods=1`,
			object: quota, step: "RaiseNamedQuota",
		},
		{
			name:   "a quota without a refusal",
			words:  `failed to delete resourcequota x: timed out`,
			object: quota, step: "SeeNamedObject",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			database := clustertest.Object(kind, "Database", "orders", going("labels: {}"), specOf(c.spec)+c.status)
			objects := []string{database, item("other", "labels: {}", ""), c.object}
			memory, err := clustertest.New(now, strings.Join(objects, "\n---\n"))
			if err != nil {
				t.Fatal(err)
			}
			answer := searchFailure(t, memory, c.words)
			found := answer.Waits
			if answer.Guessed != nil {
				found = answer.Guessed.Waits
			}
			var names []string
			for _, wait := range found {
				names = append(names, wait.Blocker.Ref.Name)
			}
			if got := strings.Join(names, " "); got != c.waits || (answer.Guessed != nil) != c.guessed {
				t.Errorf("waits for %q (guessed: %t), want %q (%t)", got, answer.Guessed != nil, c.waits, c.guessed)
			}
			if c.waits == "" && (len(answer.Causes) != 1 || answer.Causes[0].Remedies[0].Step != c.step) {
				t.Errorf("the causes are %+v, want one with the step %s", answer.Causes, c.step)
			}
		})
	}
}

// specOf is the spec of a manifest, or nothing.
func specOf(fields string) string {
	if fields == "" {
		return ""
	}
	return "spec: {" + fields + "}"
}

// searchFailure searches with the answer that the controller of Database shop/orders reports a failure.
func searchFailure(t *testing.T, memory *clustertest.Memory, words string) session.Answer {
	t.Helper()
	finder, object := orders(t, memory)
	controller := finding.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop-system", Name: "operator"}
	return blockers.Search(t.Context(), finder, object, object.Holds()[0], session.Cause(finding.Finding{
		Reason: finding.ControllerFailing, Situation: "Reports", Object: object.Ref,
		Details:  finding.ControllerDetails{Controller: &controller, Words: words},
		Remedies: []finding.Remedy{{Step: "Mend"}},
	}))
}
