package zoo_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo/judge"
)

// sideBySide is how many scenarios run at once. They wait much more than they work.
const sideBySide = "20"

func TestMain(m *testing.M) {
	runPluginIfAsked()
	debug.SetMemoryLimit(mostMemory / 3 * 2) // what can be collected is no reason to grow
	if err := flag.Set("test.parallel", sideBySide); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	controlplane.Main(bounded{m})
}

// TestZoo breaks control planes in every known way and asks why: with all rights, with each right missing in turn, and
// with each API group failing in turn.
func TestZoo(t *testing.T) {
	version := newest
	if found, err := controlplane.Version(); err == nil {
		version = found
	}
	play(t, version, controlplane.ForTest, scenariosOn(t, version))
}

// told is what is counted over all scenarios.
type told struct {
	hung     counts // of API groups that some scenario has let hang
	scans    counts // of kinds and groups that scenarios have lacked in a scan
	foreseen foresight
	turns    turns
}

// keeper is what the scenarios on one control plane share.
type keeper struct {
	*told
	plane       *controlplane.ControlPlane
	breaker     *zoo.Breaker
	front       *controlplane.Front
	plugin      string                // the folder with the program as kubectl finds it
	everywhere  []rbacv1.PolicyRule   // what docs/rbac allows in the whole cluster
	inNamespace []rbacv1.PolicyRule   // what docs/rbac allows in one namespace
	bringers    map[string][]string   // the scenarios that bring an API group, by group
	answers     *controlplane.Answers // to what is read where nothing changes any more
	broken      time.Time             // when all was broken that is asked about: everything is asked as of then
	nobody      string                // a kubeconfig without a cluster or a user, for who asks through the proxy
}

// newPlayer returns a keeper who knows all that some scenarios want.
func newPlayer(t *testing.T, plane *controlplane.ControlPlane, told *told, scenarios []zoo.Scenario) *keeper {
	t.Helper()
	k := newKeeper(t, plane)
	k.told = told
	k.everywhere = readerRules(t, scenarios)
	k.inNamespace = namespaceRules(t, scenarios)
	k.bringers = bringers(t, scenarios)
	return k
}

func newKeeper(t *testing.T, plane *controlplane.ControlPlane) *keeper {
	t.Helper()
	breaker, err := zoo.NewBreaker(plane)
	if err != nil {
		t.Fatal(err)
	}
	front, err := plane.NewFront(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = front.Close() })
	return &keeper{
		told: &told{turns: newTurns()}, plane: plane, breaker: breaker, front: front, plugin: linkPlugin(t),
		nobody: kubeconfigOf(t, ""),
	}
}

// breakFor breaks the cluster for a scenario, cleans up after the test, and returns who asks.
func (k *keeper) breakFor(t *testing.T, scenario zoo.Scenario) *asker {
	t.Helper()
	t.Cleanup(func() {
		if err := k.breaker.Clean(context.WithoutCancel(t.Context()), scenario); err != nil {
			t.Error(err)
		}
	})
	before, after := scenario.BeforeDeletion()
	if err := k.breaker.Break(t.Context(), before); err != nil {
		t.Fatal(err)
	}
	if len(after.Steps) > 0 {
		k.foresee(t, scenario)
	}
	if err := k.breaker.Break(t.Context(), after); err != nil {
		t.Fatal(err)
	}
	if err := k.breaker.Holds(t.Context(), scenario); err != nil {
		t.Fatal(err)
	}
	return k.newAsker(t, scenario)
}

// checkAlone is check for a scenario that may stop kube-controller-manager.
func (k *keeper) checkAlone(t *testing.T, scenario zoo.Scenario) {
	defer func() { // of a test that has failed, too
		if err := k.plane.ResumeControllerManager(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	}()
	k.check(t, scenario)
}

// check breaks the cluster, asks each question of a scenario, and then follows the advice.
func (k *keeper) check(t *testing.T, scenario zoo.Scenario) {
	asker := k.breakFor(t, scenario)
	if scenario.Check != nil {
		k.checkFinds(t, scenario, asker)
	}
	for _, question := range scenario.Questions() {
		k.ask(t, scenario, question, asker)
	}
	// An older version may not know all that the steps need.
	if *record || *pasteAll || strings.HasPrefix(t.Name(), "TestZooEmulated") {
		return
	}
	for _, question := range scenario.Questions() {
		k.heal(t, scenario, question)
	}
}

// ask compares the whole answer with the true one, holds it to its budget, and compares what is answered with less.
func (k *keeper) ask(t *testing.T, scenario zoo.Scenario, question zoo.Question, asker *asker) {
	full := asker.ask(t.Context(), question, "json")
	used := asker.requests(t)
	k.checkBudget(t, scenario.ID, question, used)
	checkReads(t, used)
	if gone := full.isGone(); gone || question.Want.Verdict == "" {
		if !gone || !question.Want.Gone {
			t.Errorf("the target is gone: %v, want %v\n%s%s", gone, question.Want.Gone, summaryOf(full),
				full.errOut)
		}
		return
	}
	diagnosis := full.diagnosis(t)
	// Whoever may see all of it is asked of one moment.
	now := k.newMoment(t, asker.at)
	if scenario.As == nil {
		asker = now.asker
	}
	human := asker.ask(t.Context(), question, "human")
	if testing.Verbose() { // else a failure says what differs
		t.Logf("%s: %s\n%s%s", scenario.ID, scenario.Title, human.out, human.errOut)
	}
	judge.Compare(t, question, diagnosis, human.out)
	if *onlySteps {
		return
	}
	if k.pasteMore(t, scenario, question, diagnosis); *pasteAll {
		return
	}
	k.agree(t, question, diagnosis, now)
	k.record(t, scenario, question, asker)
	asker.checkReads(t)
	if *record {
		return // the rest has nothing to do with recordings, and takes minutes
	}
	k.askLater(t, scenario, question, asker)
	if scenario.As == nil {
		k.askAsReader(t, question, diagnosis, now)
		k.askAsNamespaceReader(t, question, diagnosis, now)
		k.askWithLess(t, question, diagnosis, used, now)
	}
}
