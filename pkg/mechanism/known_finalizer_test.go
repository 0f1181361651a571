package mechanism

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

func TestKnownFinalizer(t *testing.T) {
	const finalizer = "snapshot.storage.kubernetes.io/pvc-as-source-protection"
	claim := manifest("v1", "PersistentVolumeClaim", "shop", "data", deleted(time.Hour, finalizer), "")
	const opened = "open KnownFinalizer PersistentVolumeClaim shop/data key KnownFinalizer," + finalizer +
		",snapshot-controller,no snapshot of the claim is being taken"
	const missing = "cause ControllerMissing KnownControllerMissing PersistentVolumeClaim shop/data " +
		"key missing controller,CSI external-snapshotter,snapshot-controller"
	runCases(t, []mechanismCase{
		{name: "its controller is not to be seen", objects: claim + managerRuns(), told: []string{missing}},
		{
			name: "nor what may refuse its removal", objects: claim + managerRuns(),
			deny: "validatingwebhookconfigurations", told: []string{missing},
		},
		{name: "its workloads may not be read", objects: claim + managerRuns(), deny: "deployments", told: []string{opened}},
	})
}

// TestOneMissingControllerOfManyKinds joins what one finalizer of the catalogue holds on kinds of Kubernetes, whose
// controller it names by a pattern, and leaves apart what it holds on kinds of several groups, which may have several.
func TestOneMissingControllerOfManyKinds(t *testing.T) {
	const hook, managed = "argocd.argoproj.io/hook-finalizer", "finalizer.managedresource.crossplane.io"
	keys := func(finalizer string, kinds ...[2]string) (keys []string) {
		for _, kind := range kinds {
			object := manifest(kind[0], kind[1], "shop", "x", deleted(time.Hour, finalizer), "")
			for cause := range ask(t, object+managerRuns()).AllCauses() {
				keys = append(keys, cause.Key)
			}
		}
		return keys
	}
	one := keys(hook, [2]string{"v1", "ConfigMap"}, [2]string{"v1", "Secret"}, [2]string{"batch/v1", "Job"})
	if len(one) != 3 || len(slices.Compact(one)) != 1 {
		t.Errorf("one controller has the keys %q", one)
	}
	each := keys(managed, [2]string{"shop.example.com/v1", "Database"}, [2]string{"store.example.com/v1", "Item"})
	if len(each) != 2 || len(slices.Compact(each)) != 2 {
		t.Errorf("the controllers of two groups have the keys %q", each)
	}
}

// TestControllerBehindUnreadRefusals says that a controller isn't there also where it can't be read whether something
// refuses the removal; of one that runs, it can't be said then that it acts.
func TestControllerBehindUnreadRefusals(t *testing.T) {
	node := goingNode(drained, "")
	for _, c := range []struct {
		name, objects, want string
	}{
		{"it is down", node + karpenter(0), "ControllerDown"},
		{"it is missing", node, "ControllerMissing"},
		{"it runs", node + karpenter(1), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer, got := ask(t, c.objects, "validatingwebhookconfigurations"), ""
			for cause := range answer.AllCauses() {
				got += string(cause.Reason)
			}
			if got != c.want || (got == "") != (len(answer.Open) > 0) {
				t.Errorf("it says %q, open %d, want %q", got, len(answer.Open), c.want)
			}
		})
	}
}

// TestSeenDownBehindUnreadLeases quotes a workload without a ready pod where it can't be read who leads.
func TestSeenDownBehindUnreadLeases(t *testing.T) {
	const seen = "has no ready pod"
	for replicas, want := range []bool{true, false} {
		answer, got := ask(t, goingNode(drained, "")+karpenter(replicas), "leases"), false
		for _, open := range answer.Open {
			got = got || slices.ContainsFunc(open.Evidence, func(one finding.Evidence) bool { return one.Observed == seen })
		}
		if len(answer.Open) == 0 || got != want {
			t.Errorf("with %d ready pods, it quotes that there is none: %t, open %d", replicas, got, len(answer.Open))
		}
	}
}

// TestStepsForController wants a step that its controller has to act on only where that may run.
func TestStepsForController(t *testing.T) {
	const runs, gone = "Find the Pods that can't be evicted", "Without Karpenter, terminate the instances by hand"
	node := goingNode(drained, "")
	for _, c := range []struct {
		name, objects string
		deny          []string
		offers        []string
	}{
		{"it runs", node + karpenter(1), nil, []string{runs, gone}},
		{"it is missing", node, nil, []string{gone}},
		{"it is down", node + karpenter(0), nil, nil},
		{"it could not be looked for", node, []string{"deployments"}, []string{runs, gone}},
	} {
		t.Run(c.name, func(t *testing.T) {
			said, offers := steps(ask(t, c.objects, c.deny...)), []string(nil)
			for _, step := range []string{runs, gone} {
				if strings.Contains(said, step) {
					offers = append(offers, step)
				}
			}
			if !slices.Equal(offers, c.offers) {
				t.Errorf("it offers %q, want %q, in %q", offers, c.offers, said)
			}
		})
	}
}

// steps are the catalogue's steps in an answer and in what it says at blockers.
func steps(answer session.Answer) (text string) {
	for _, cause := range slices.Concat(answer.Causes, answer.Open) {
		for _, remedy := range cause.Remedies {
			if details, is := remedy.Details.(finding.StepDetails); is {
				text += details.Start + " " + details.Text + "\n"
			}
		}
	}
	for _, wait := range answer.Waits {
		text += steps(wait.Otherwise)
	}
	return text
}
