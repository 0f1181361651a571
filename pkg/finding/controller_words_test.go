package finding_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestOnWhatAFinalizerIs says of a controller that is down which objects have its finalizer, unless the reader has just
// read about one of them.
func TestOnWhatAFinalizerIs(t *testing.T) {
	workload := finding.Ref{Kind: "Deployment", Namespace: "ops", Name: "pumps"}
	pump := func(name string) finding.Ref { return finding.Ref{Kind: "Pump", Namespace: "shop", Name: name} }
	valve := finding.Ref{Kind: "Valve", Namespace: "shop", Name: "v"}
	for name, c := range map[string]struct {
		held []finding.Ref
		want string
	}{
		"the target":          {[]finding.Ref{pump("target")}, "a.b/c, probably Deployment ops/pumps, "},
		"another object":      {[]finding.Ref{pump("a")}, "a.b/c on Pump shop/a, probably Deployment ops/pumps, "},
		"two of a kind":       {[]finding.Ref{pump("a"), pump("b")}, "a.b/c on 2 Pumps, probably Deployment ops/pumps, "},
		"two kinds":           {[]finding.Ref{pump("a"), valve}, "a.b/c on 2 objects, probably Deployment ops/pumps, "},
		"the target, besides": {[]finding.Ref{valve, pump("target")}, "a.b/c, probably Deployment ops/pumps, "},
		"not known":           {nil, "a.b/c, probably Deployment ops/pumps, "},
	} {
		down := finding.Finding{
			Situation: "ControllerNotRunning", Object: workload, Finalizer: "a.b/c", Certainty: finding.Likely,
			Details: finding.ControllerDetails{
				Controller: &workload, Held: c.held, State: &finding.Phrase{Situation: "NoPodLeads"},
			},
		}
		said := finding.Voice{}.About(pump("target")).Awaits(down)
		if !strings.Contains(said, "the controller of the finalizer "+c.want) {
			t.Errorf("%s: it says %q", name, said)
		}
	}
}

// TestAloneIsNotProbable calls nothing probable that is the only one there could be.
func TestAloneIsNotProbable(t *testing.T) {
	account := finding.Ref{Kind: "ServiceAccount", Namespace: "ops", Name: "pruner"}
	for _, situation := range []string{
		"LivedInThisNamespace", "LivedInDeletedNamespace", "NamespaceIsGone", "AccountIsGone", "NothingRunsAsAccount",
	} {
		for _, alone := range []bool{true, false} {
			absence := finding.AbsenceDetails{Account: &account, Alone: alone, Namespace: "ops"}
			missing := finding.Finding{
				Situation: "UnknownControllerMissing", Finalizer: "a.b/c", Certainty: finding.Proven,
				Object: finding.Ref{Kind: "Database", Namespace: "shop", Name: "orders"},
				Details: finding.ControllerMissingDetails{
					Account: &account, Alone: alone, Absence: &finding.Phrase{Situation: situation, Details: absence},
				},
			}
			for _, said := range []string{finding.Voice{}.Message(missing), finding.Voice{}.Awaits(missing)} {
				if strings.Contains(said, "probably") == alone || !strings.Contains(said, account.String()) {
					t.Errorf("%s, alone %t: it says %q", situation, alone, said)
				}
			}
		}
	}
}

// TestStopWaiting doesn't promise the deletion of a dependent that stays.
func TestStopWaiting(t *testing.T) {
	owner := finding.Ref{Kind: "ConfigMap", Namespace: "shop", Name: "owner"}
	for stays, want := range map[bool]string{
		true:  "This dependent stays; any others are then deleted in no particular order.",
		false: "They are then deleted in no particular order.",
	} {
		step := finding.Remedy{Step: "StopWaiting", Details: finding.StepDetails{Object: &owner, Stays: stays}}
		if said := (finding.Voice{}).Action(step); !strings.HasSuffix(said, "dependents. "+want) {
			t.Errorf("stays %t: it says %q", stays, said)
		}
	}
}

// TestAtLeast says nothing of moments.
func TestAtLeast(t *testing.T) {
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	for ago, want := range map[time.Duration]string{0: "", 59 * time.Second: "", time.Hour: " at least 1h ago"} {
		if said := (finding.Voice{Now: now}).AtLeast(now.Add(-ago)); said != want {
			t.Errorf("%s ago: it says %q, want %q", ago, said, want)
		}
	}
}

// TestCopiedFinalizer says that a finalizer is from a template where kube-controller-manager copied it from there:
// kube-controller-manager will not remove it.
func TestCopiedFinalizer(t *testing.T) {
	for _, c := range []struct {
		setBy finding.SetBy
		want  string
	}{
		{finding.SetBy{Manager: "kube-controller-manager", Copied: true}, "(from a template)"},
		{finding.SetBy{Manager: "acme-operator"}, `(set by "acme-operator")`},
	} {
		held := finding.Finding{
			Reason: finding.ControllerUnknown, Situation: "FinalizerUnidentified", Finalizer: "acme.example.com/x",
			Object:  finding.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: "held"},
			Details: finding.ControllerUnknownDetails{SetBy: &c.setBy},
		}
		if said := (finding.Voice{}).Awaits(held); !strings.Contains(said, c.want) {
			t.Errorf("it says %q, want %q", said, c.want)
		}
	}
}
