package health

import (
	"cmp"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

func TestBackend(t *testing.T) {
	for _, c := range backendCases() {
		t.Run(c.name, func(t *testing.T) {
			checker := checkerOf(t, c.objects, c.deny)
			found := checker.Backend(t.Context(), Service{Namespace: "ext", Name: "web", Port: c.port})
			if words := checker.Words(found.Words); found.State != c.state || !strings.Contains(words, c.words) {
				t.Errorf("%s: %q; want %s: %q", found.State, words, c.state, c.words)
			}
			if found.Words.Situation == "NamespaceGoing" {
				t.Error("its namespace counts as Terminating")
			}
			details, _ := found.Words.Details.(finding.BackendDetails)
			if behind := cmp.Or(details.Workload, details.Pod); c.workload != "" &&
				(behind == nil || behind.String() != c.workload) {
				t.Errorf("behind it is %v, want %s", behind, c.workload)
			}
			commands := ""
			for _, remedy := range found.Remedies {
				commands += remedy.Command.String() + "\n"
			}
			if !strings.Contains(commands, c.remedy) ||
				found.State == BackendBroken && len(found.Remedies)*len(found.Evidence) == 0 {
				t.Errorf("remedies %+v, evidence %+v; want a command with %q", found.Remedies, found.Evidence, c.remedy)
			}
		})
	}
}

func TestBackendInTerminatingNamespace(t *testing.T) {
	gone := strings.Replace(extNamespace, "uid: namespace-ext",
		`uid: namespace-ext, deletionTimestamp: "2026-01-02T11:00:00Z"`, 1)
	found := checkerOf(t, []string{webService, webDeployment, gone}, "").Backend(t.Context(),
		Service{Namespace: "ext", Name: "web"})
	if found.Words.Situation != "NamespaceGoing" {
		t.Errorf("%+v", found)
	}
	for _, remedy := range found.Remedies {
		if len(remedy.Command) > 0 {
			t.Errorf("a remedy that can't work: %s", remedy.Command)
		}
	}
}

func checkerOf(t *testing.T, objects []string, deny string) *Checker {
	t.Helper()
	memory, err := clustertest.New(time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC), strings.Join(objects, "---"))
	if err != nil {
		t.Fatal(err)
	}
	if deny != "" {
		memory.Deny(deny)
	}
	return NewChecker(session.New(memory, session.Kubectl{}))
}
