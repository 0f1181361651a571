package diagnosis_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// TestWhyWithEverythingDenied asks every question again as a user who may read the target and nothing else: nothing may
// be concluded from what can't be seen.
func TestWhyWithEverythingDenied(t *testing.T) {
	for _, c := range whyCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			memory := c.memory(t)
			first := true
			memory.Before = func(string) {
				if !first {
					memory.Deny("*")
				}
				first = false
			}
			answer, err := c.why(t.Context(), t, memory)
			if err != nil {
				t.Fatal(err)
			}
			if c.stated {
				for _, cause := range causesOf(answer) {
					if !slices.Contains(c.causes, cause) {
						t.Errorf("%s is not what the target states", cause)
					}
				}
				return
			}
			for _, cause := range answer.RootCauses {
				if len(memory.Reads) == 1 && cause.Object == answer.Target {
					continue // the read of the target said it
				}
				if cause.Reason != "ControllerUnknown" || cause.Object.UID != answer.Target.UID {
					t.Errorf("%s of %s is concluded from nothing", cause.Reason, cause.Object)
				}
			}
			if len(memory.Reads) > 1 && answer.Verdict != result.Undetermined && c.verdict != result.NotTerminating &&
				!onlyLookedAgain(memory) {
				t.Errorf("the verdict is %s although reads were denied: %s", answer.Verdict, answer.Summary)
			}
		})
	}
}

// onlyLookedAgain reports whether the only read after the target's was that of the target again, by which a diagnosis
// makes sure that it is still there.
func onlyLookedAgain(memory *clustertest.Memory) bool {
	return !slices.ContainsFunc(memory.Reads, func(read string) bool { return read != memory.Reads[0] })
}

func TestWhyTargetVanishes(t *testing.T) {
	c := whyCase{target: "persistentvolumeclaims/data",
		objects: []string{claim(deleted(time.Second, "kubernetes.io/pvc-protection")), managerAlive()}}
	for _, recreated := range []bool{false, true} {
		memory := c.memory(t)
		memory.Before = func(what string) {
			if !strings.HasPrefix(what, "persistentvolumeclaims") {
				memory.Remove("PersistentVolumeClaim", "data")
				if recreated {
					memory.Add(strings.Replace(claim(""), "persistentvolumeclaim-data", "another", 1))
				}
			}
		}
		_, err := c.why(t.Context(), t, memory)
		var gone *session.GoneError
		if !errors.As(err, &gone) || gone.Recreated != recreated {
			t.Errorf("the target vanished (recreated: %t) and the answer is %v", recreated, err)
		}
	}
}

func TestWhyTargetUnreadable(t *testing.T) {
	c := whyCase{target: "configmaps/x", objects: []string{configMap("x", "")}}
	memory := c.memory(t)
	memory.Deny("configmaps")
	if _, err := c.why(t.Context(), t, memory); !apierrors.IsForbidden(err) {
		t.Errorf("a forbidden target: %v, want the server's refusal", err)
	}
	c.target = "configmaps/y"
	if _, err := c.why(t.Context(), t, c.memory(t)); !apierrors.IsNotFound(err) {
		t.Errorf("an absent target: %v, want not found", err)
	}
}

// TestWhyInterrupted cancels after each read in turn: what is known by then is told, never more.
func TestWhyInterrupted(t *testing.T) {
	c := whyCase{target: "persistentvolumeclaims/data", objects: []string{
		claim(deleted(time.Hour, "kubernetes.io/pvc-protection", "example.com/hold")), pod("db", time.Hour, "n1", usesData),
		node("n1", "False", ""),
	}}
	for reads := 1; reads <= 3; reads++ {
		memory := c.memory(t)
		ctx, cancel := context.WithCancel(t.Context())
		seen := 0
		memory.Before = func(string) {
			if seen++; seen > reads {
				cancel()
			}
		}
		answer, err := c.why(ctx, t, memory)
		cancel()
		if err != nil {
			t.Fatalf("interrupted after %d reads: %v", reads, err)
		}
		if answer.Verdict == result.Progressing || !slices.ContainsFunc(answer.RootCauses,
			func(cause result.RootCause) bool { return cause.Reason == "ControllerUnknown" }) {
			t.Errorf("interrupted after %d reads: %s %v", reads, answer.Verdict, causesOf(answer))
		}
		if reads < 3 && len(answer.Observations)+len(answer.Unreadable) == 0 {
			t.Errorf("interrupted after %d reads, and the result doesn't say so", reads)
		}
	}
}
