package zoo_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// foresight counts how often preview knew beforehand what why says afterwards.
type foresight struct {
	mu            sync.Mutex
	right, missed []string
}

func (f *foresight) count(right bool, what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if right {
		f.right = append(f.right, what)
		return
	}
	f.missed = append(f.missed, what)
}

// check wants all foreseen, and lists what was missed.
func (f *foresight) check(t *testing.T) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	slices.Sort(f.missed)
	t.Logf("preview foresaw %d of %d", len(f.right), len(f.right)+len(f.missed))
	for _, missed := range f.missed {
		t.Errorf("preview did not foresee %s", missed)
	}
}

// foresee asks preview, before anything is deleted, about what the scenario asks why about. What will hang must be
// foreseen where everything that makes it hang is there; what will go must not be said to hang.
func (k *keeper) foresee(t *testing.T, scenario zoo.Scenario) {
	t.Helper()
	user := "foresees-" + strings.ToLower(scenario.ID)
	kubeconfig, err := k.plane.UserKubeconfig(t.Context(), "zoo", user, controlplane.ClusterAdmins)
	if err != nil {
		t.Fatal(err)
	}
	asks := &asker{plane: k.plane, user: user, kubeconfig: kubeconfig, at: time.Now()}
	for _, question := range scenario.Questions() {
		flags := []string{"--kubeconfig", kubeconfig, "-o", "json", "--cascade", cascadeOf(scenario, question)}
		if slices.Contains(question.Args, "--probe") {
			flags = append(flags, "--probe")
		}
		said := asks.about(t.Context(), "preview", question, flags...)
		if want := question.Foreseen; want != nil {
			human := asks.about(t.Context(), "preview", question, "--kubeconfig", kubeconfig)
			compareSaid(t, question, want, said.out, human.out)
		}
		checkReads(t, asks.requests(t))
		if said.isGone() || !scenario.Foreseeable() || scenario.As != nil {
			continue
		}
		var preview result.Preview
		if err := json.Unmarshal([]byte(said.out), &preview); err != nil {
			t.Errorf("preview of %s: %v\n%s", question.Target, err, said.errOut)
			continue
		}
		if preview.Outcome == result.AlreadyDeleted || deletesMore(scenario, preview) {
			continue
		}
		compareForesight(t, &k.foreseen, scenario, question, preview)
	}
}

// compareSaid holds what preview says, for programs and for people, against what it must say.
func compareSaid(t *testing.T, question zoo.Question, want *zoo.Foreseen, out, human string) {
	t.Helper()
	var preview result.Preview
	if err := json.Unmarshal([]byte(out), &preview); err != nil {
		t.Errorf("preview of %s: %v", question.Target, err)
	}
	if want.Outcome != "" && !zoo.OneOf(want.Outcome, string(preview.Outcome)) {
		t.Errorf("preview of %s: outcome %s, want %s\n%s", question.Target, preview.Outcome, want.Outcome, human)
	}
	rest := strings.Join(strings.Fields(human), " ")
	for _, text := range want.Says {
		_, after, found := strings.Cut(rest, text)
		if !found {
			t.Errorf("preview of %s doesn't say %q, or not in this order:\n%s", question.Target, text, human)
			continue
		}
		rest = after
	}
}

// deletesMore reports whether a scenario deletes something by hand that doesn't go with the target by Kubernetes'
// rules: it does what a controller would have done. What is asked about beside the target is no part of that.
func deletesMore(scenario zoo.Scenario, preview result.Preview) bool {
	return slices.ContainsFunc(scenario.Steps, func(step zoo.Step) bool {
		if step.Delete == nil {
			return false
		}
		_, name, _ := strings.Cut(step.Delete.Object.Object, "/")
		if slices.ContainsFunc(scenario.Questions(), func(question zoo.Question) bool {
			return question.Target == step.Delete.Object.Object && question.Namespace == step.Delete.Namespace
		}) {
			return false
		}
		return !slices.ContainsFunc(preview.Goes, func(kind result.Going) bool {
			return slices.ContainsFunc(kind.Objects, func(ref finding.Ref) bool {
				return ref.Name == name && ref.Namespace == step.Delete.Namespace
			})
		})
	})
}

// compareForesight holds a preview against what why has to say.
func compareForesight(
	t *testing.T, f *foresight, scenario zoo.Scenario, question zoo.Question, preview result.Preview,
) {
	t.Helper()
	var known []zoo.Cause
	for _, cause := range preview.RootCauses {
		known = append(known, zoo.Cause{Reason: string(cause.Reason), Object: cause.Object.Kind + "/" + cause.Object.Path()})
	}
	for _, refused := range preview.Refusals {
		known = append(known, zoo.Cause{Reason: string(refused.Reason), Object: refused.By.Kind + "/" + refused.By.Path()})
	}
	what := fmt.Sprintf("%s %s: %s %v, want %s %v", scenario.ID, question.Target, preview.Outcome, known,
		question.Want.Verdict, question.Want.Causes)
	hangs := preview.Outcome == result.WouldHang || preview.Outcome == result.WouldBeRefused
	switch {
	case question.Want.Verdict == "Progressing" || question.Want.Gone && question.Want.Verdict == "":
		if hangs {
			t.Errorf("preview sees trouble where none comes: %s", what)
		}
	case question.Want.Verdict == "Stuck" && onlyStoppingTells(question):
		if hangs {
			t.Errorf("preview knows how a kubelet will stop a pod: %s", what)
		}
	case question.Want.Verdict == "Stuck":
		missing := slices.ContainsFunc(question.Want.Causes, func(want zoo.Cause) bool {
			return !want.Optional && !slices.ContainsFunc(known, func(found zoo.Cause) bool {
				return zoo.OneOf(want.Reason, found.Reason) && zoo.OneOf(want.Object, found.Object)
			})
		})
		f.count(hangs && !missing || onlyTimeTells(scenario, question, preview), what)
	}
}

// onlyTimeTells reports whether preview leaves open what why says only about an old deletion: why leaves it open for a
// young one, too.
func onlyTimeTells(scenario zoo.Scenario, question zoo.Question, preview result.Preview) bool {
	open := func(want zoo.Cause) bool {
		return slices.ContainsFunc(preview.Hanging, func(hanging result.Hanging) bool {
			return hanging.Verdict == result.Undetermined && len(hanging.RootCauses) == 0 &&
				zoo.OneOf(want.Object, hanging.Object.Kind+"/"+hanging.Object.Path())
		})
	}
	return scenario.AgedBeforeAsked(question) && preview.Outcome == result.MayHang &&
		!slices.ContainsFunc(question.Want.Causes, func(want zoo.Cause) bool { return !want.Optional && !open(want) })
}

// onlyStoppingTells reports whether all that is wrong is that a kubelet, which is alive, has not stopped a pod in time.
// Until then, nothing in the cluster differs from one in which the same pod stops, so that no preview can tell.
func onlyStoppingTells(question zoo.Question) bool {
	return !slices.ContainsFunc(question.Want.Causes, func(want zoo.Cause) bool {
		return want.Reason != string(finding.ContainerNotStopping)
	})
}

// cascadeOf is how a scenario deletes the target of a question.
func cascadeOf(scenario zoo.Scenario, question zoo.Question) string {
	for _, step := range scenario.Steps {
		if step.Delete != nil && step.Delete.Object.Object == question.Target &&
			step.Delete.Namespace == question.Namespace && step.Delete.Cascade != "" {
			return step.Delete.Cascade
		}
	}
	return "background"
}
