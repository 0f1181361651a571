package health

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// manifestOf is an object named op in namespace shop, whose uid is its kind.
func manifestOf(api, kind, meta, rest string) string {
	return fmt.Sprintf("\napiVersion: %s\nkind: %s\nmetadata: {namespace: shop, name: op, uid: %s%s}\n%s\n---", api, kind,
		kind, meta, rest)
}

func apps(kind, spec, status string) string {
	return manifestOf("apps/v1", kind, ", generation: 1",
		"spec: {selector: {matchLabels: {app: op}}, "+spec+"}\nstatus: {observedGeneration: 1, "+status+"}")
}

func job(spec, status string) string {
	return manifestOf("batch/v1", "Job", "", "spec: {selector: {matchLabels: {app: op}}, "+spec+"}\nstatus: {"+status+"}")
}

func cronJob(spec string) string {
	return manifestOf("batch/v1", "CronJob", "", "spec: {schedule: '*/5 * * * *', "+spec+"}")
}

func byOwner(kind, api string) string {
	return ", ownerReferences: [{apiVersion: " + api + ", kind: " + kind + ", name: op, uid: " + kind +
		", controller: true}]"
}

func pod(meta, spec, status string) string {
	return manifestOf("v1", "Pod", ", labels: {app: op}"+meta, "spec: {"+spec+"}\nstatus: {"+status+"}")
}

func runs(status string) string {
	return pod("", "nodeName: n1, containers: [{name: main, image: 'example.com/op:1'}]", status)
}

func event(kind, reason, message string) string {
	return fmt.Sprintf("\napiVersion: v1\nkind: Event\nmetadata: {namespace: shop, name: %s.1}\ninvolvedObject: "+
		"{uid: %s}\ntype: Warning\nreason: %s\nmessage: %q\nlastTimestamp: \"2026-01-02T11:59:00Z\"\n---",
		strings.ToLower(reason), kind, reason, message)
}

func waiting(reason, message, more string) string {
	return fmt.Sprintf("phase: Pending, containerStatuses: [{name: main, state: {waiting: {reason: %s, message: %q}}%s}]",
		reason, message, more)
}

const (
	forbidden = `pods "op-" is forbidden: `
	aliveNode = "\napiVersion: v1\nkind: Node\nmetadata: {name: n1, uid: n1}\nstatus: {conditions: [{type: Ready, " +
		"status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z'}]}\n---" +
		"\napiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {namespace: kube-node-lease, name: n1}\nspec: " +
		"{holderIdentity: n1, leaseDurationSeconds: 40, renewTime: '2026-01-02T11:59:55.000000Z'}\n---"
)

func TestOutage(t *testing.T) {
	for _, c := range slices.Concat(refusedCases(), stoppedCases()) {
		runOutage(t, c, false)
	}
	for _, c := range podCases() {
		runOutage(t, c, true)
		c.name, c.begins, c.rests = "Deployment of "+c.name, "has no ready pod: Pod shop/op ", false
		switch {
		case strings.Contains(c.objects, "phase: Failed"), strings.Contains(c.objects, "phase: Succeeded"):
			c.reads++ // its ReplicaSet
		}
		c.objects = apps("Deployment", "replicas: 1", "") + c.objects
		runOutage(t, c, false)
	}
}

func runOutage(t *testing.T, c outageCase, bare bool) {
	t.Run(c.name, func(t *testing.T) {
		checker, memory := outageChecker(t, c.objects)
		resource := workloadIn(c.objects, bare)
		workload, pods := readOutage(t, checker, resource)
		memory.Reads = nil
		if c.deny != "" {
			memory.Deny(c.deny)
		}
		found := checker.Outage(t.Context(), workload, pods)
		if words := checker.Words(found.Words); !strings.HasPrefix(words, c.begins) || !strings.Contains(words, c.words) ||
			found.Rests != c.rests {
			t.Errorf("it %s (rests: %t); want: %s…%s", words, found.Rests, c.begins, c.words)
		}
		command := ""
		if len(found.Remedies) > 0 {
			command = found.Remedies[0].Command.String()
		}
		if !strings.Contains(command, c.remedy) || command == "" && !found.Rests {
			t.Errorf("the first remedy is %q, want %q", command, c.remedy)
		}
		commands := ""
		for _, remedy := range found.Remedies {
			commands += strings.Join(remedy.Command, " ") + "\n"
		}
		if !strings.Contains(commands, c.then) {
			t.Errorf("the steps are %s, want one with %q", commands, c.then)
		}
		if seen := fmt.Sprint(found.Evidence); !strings.Contains(seen, c.seen) || len(found.Evidence) == 0 {
			t.Errorf("the evidence is %s, want %q", seen, c.seen)
		}
		if len(memory.Reads) > c.reads {
			t.Errorf("it takes %d reads, and may take %d: %s", len(memory.Reads), c.reads, memory.Reads)
		}
	})
}

func outageChecker(t *testing.T, objects string) (*Checker, *clustertest.Memory) {
	t.Helper()
	memory, err := clustertest.New(time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC), strings.TrimSuffix(objects, "---"))
	if err != nil {
		t.Fatal(err)
	}
	return NewChecker(session.New(memory, session.Kubectl{})), memory
}

// workloadIn is the resource of the first workload in some documents, or that of pods.
func workloadIn(objects string, bare bool) cluster.Resource {
	kinds := []cluster.Resource{
		cluster.Deployments(), cluster.StatefulSets(), cluster.DaemonSets(), cluster.CronJobs(), cluster.Jobs(),
		cluster.ReplicaSets(),
	}
	for _, kind := range kinds {
		if !bare && strings.Contains(objects, "\nkind: "+kind.Kind+"\n") {
			return kind
		}
	}
	return cluster.Pods()
}

func readOutage(t *testing.T, checker *Checker, resource cluster.Resource) (*session.Object, []*corev1.Pod) {
	t.Helper()
	whole, err := checker.Session.Reader.Get(t.Context(), resource, "shop", "op")
	if err != nil {
		t.Fatal(err)
	}
	workload, err := session.FromWhole(resource, whole)
	if err != nil {
		t.Fatal(err)
	}
	pods, err := PodsOf(t.Context(), checker.Session, workload)
	if resource.Kind == "Pod" {
		var one *corev1.Pod
		one, err = session.As[corev1.Pod](whole)
		pods = []*corev1.Pod{one}
	}
	if err != nil {
		t.Fatal(err)
	}
	return workload, pods
}

func TestOutageStarting(t *testing.T) {
	for name, c := range map[string]struct {
		created, status string
		starting        bool
	}{
		"young": {"11:59:50", "phase: Pending", true}, "old": {"11:58:00", "phase: Pending", false},
		"young, creating":       {"11:59:50", waiting("ContainerCreating", "", ""), true},
		"young, without image":  {"11:59:50", waiting("ErrImagePull", "not found", ""), false},
		"young, without secret": {"11:59:50", waiting("CreateContainerConfigError", `secret "x" not found`, ""), false},
		"young, on a dead node": {"11:59:50", "phase: Pending", false},
		"young, evicted":        {"11:59:50", "phase: Failed, reason: Evicted", false},
	} {
		nodes := aliveNode
		if strings.Contains(name, "dead node") {
			nodes = strings.NewReplacer(`"True"`, "Unknown", "'True'", "Unknown").Replace(aliveNode)
		}
		checker, _ := outageChecker(t, nodes+strings.Replace(runs(c.status), "uid:",
			"creationTimestamp: '2026-01-02T"+c.created+"Z', uid:", 1))
		workload, pods := readOutage(t, checker, cluster.Pods())
		if found := checker.Outage(t.Context(), workload, pods); found.Starting != c.starting {
			t.Errorf("%s: starting is %t", name, found.Starting)
		}
	}
}

// TestOutageOnNodeThatMayReturn holds that a pod is not said to start on a Node that is silent, nor to be lost on one
// that may only be late.
func TestOutageOnNodeThatMayReturn(t *testing.T) {
	for renewed, want := range map[string]string{"11:59:01": "12:00:01", "11:59:00": "", "11:59:30": ""} {
		nodes := strings.Replace(aliveNode, "11:59:55", renewed, 1)
		for _, created := range []string{"11:59:50", "11:00:00"} {
			checker, _ := outageChecker(t, nodes+strings.Replace(runs("phase: Running"), "uid:",
				"creationTimestamp: '2026-01-02T"+created+"Z', uid:", 1))
			workload, pods := readOutage(t, checker, cluster.Pods())
			found, until := checker.Outage(t.Context(), workload, pods), ""
			if !found.Until.IsZero() {
				until = found.Until.UTC().Format(time.TimeOnly)
			}
			alive := renewed == "11:59:30"
			if until != want || found.Starting != (alive && created == "11:59:50") {
				t.Errorf("renewed at %s: starting is %t, until %q, want %q", renewed, found.Starting, until, want)
			}
		}
	}
}

func TestOutageOf(t *testing.T) {
	objects := apps("Deployment", "replicas: 1", "") + runs(waiting("CrashLoopBackOff", "", ""))
	for deny, want := range map[string]string{
		"":     "has no ready pod: Pod shop/op is in CrashLoopBackOff",
		"pods": "has no ready pod; it is not clear why, because pods in Namespace shop could not be read",
	} {
		reader, _ := outageChecker(t, objects)
		workload, _ := readOutage(t, reader, cluster.Deployments())
		checker, memory := outageChecker(t, objects)
		if deny != "" {
			memory.Deny(deny)
		}
		found := checker.OutageOf(t.Context(), workload)
		if words := checker.Words(found.Words); !strings.HasPrefix(words, want) {
			t.Errorf("without %q: %s", deny, words)
		}
	}
}
