package diagnosis_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// containerLogs are those of containers, as POD/CONTAINER, with "previous" behind what was written before a restart.
// Those of a real control plane are read by the program's script logs.txtar; these count, refuse and fail.
type containerLogs struct {
	lines map[string][]string
	every string // what each of them has
	err   error
	cut   bool // all of them are too long
	asked []cluster.LogPart
	reads []string
}

// Log implements cluster.LogReader.
func (l *containerLogs) Log(_ context.Context, _, pod string, wanted cluster.LogPart) ([]byte, bool, error) {
	name := pod + "/" + wanted.Container
	if wanted.Previous {
		name += " previous"
	}
	l.reads, l.asked = append(l.reads, name), append(l.asked, wanted)
	return []byte(strings.Join(append(slices.Clone(l.lines[name]), l.every), "\n")), !l.cut, l.err
}

func logged(ago time.Duration, text string) string { return at(ago) + " " + text }

func runningPod(name, containers string) string {
	const replica = "{apiVersion: apps/v1, kind: ReplicaSet, name: shop-operator-x, uid: rs, controller: true}"
	const meta = "labels: {app: shop-operator}, ownerReferences: [" + replica + "]"
	return object("v1", "Pod", "shop-system", name, meta, `spec: {nodeName: n1, serviceAccountName: shop-operator}
status: {`+podIsReady+`, containerStatuses: [`+containers+`]}`)
}

const (
	runs     = `{name: main, state: {running: {}}}`
	restarts = `{name: main, restartCount: 1, state: {running: {}}, lastState: {terminated: {exitCode: 1}}}`
)

// silentOperator may remove the finalizer, runs, and has done nothing.
func silentOperator(pods ...string) whyCase {
	objects := []string{
		database(10*time.Minute, "", ""), granted("shop", mayWrite, "databases", theOperator), account("shop-operator"),
		operator(2, ""),
	}
	return whyCase{target: "databases.shop.example.com/orders", objects: append(objects, pods...)}
}

// askLogs asks the question of a case with logs, and without something.
func askLogs(t *testing.T, c whyCase, logs *containerLogs, without ...string) *result.Diagnosis {
	t.Helper()
	memory := c.memory(t)
	for _, resource := range without {
		memory.Deny(resource)
	}
	c.logs = logs
	answer, err := c.why(t.Context(), t, memory)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// told is what an answer quotes of logs: where, and the first word of the line.
func told(answer *result.Diagnosis) (lines []string) {
	for _, cause := range answer.RootCauses {
		for _, evidence := range cause.Evidence {
			if evidence.Log != nil {
				_, text, _ := strings.Cut(evidence.Observed, " ago")
				lines = append(lines, evidence.Object.Name+text)
			}
		}
	}
	return lines
}

func TestLogs(t *testing.T) {
	crashing := silentOperator(operatorPod(podCrashes))
	leads := strings.Replace(lease("shop-system", "shop-operator", 2*time.Second), ": me,", ": shop-operator-b_1,", 1)
	two := silentOperator(runningPod("shop-operator-a", runs), runningPod("shop-operator-b", restarts), leads)
	const waits = `, {name: waits, state: {waiting: {reason: ContainerCreating}}}`
	for _, test := range []struct {
		name        string
		of          whyCase
		lines       map[string][]string
		reads, want []string
	}{
		{"what crashes has what it wrote before", crashing,
			map[string][]string{"shop-operator-1/main previous": {logged(time.Minute, "panic: shop/orders has no host")}},
			[]string{"shop-operator-1/main previous"}, []string{"shop-operator-1: panic: shop/orders has no host"}},
		{"the leader comes first", two,
			map[string][]string{
				"shop-operator-a/main": {logged(time.Minute, "E0102 shop/orders a")},
				"shop-operator-b/main": {logged(2*time.Minute, "info shop/orders b"),
					logged(time.Minute, "shop/orders-2")},
				"shop-operator-b/main previous": {logged(3*time.Minute, "E0102 shop/orders b")},
			},
			[]string{"shop-operator-b/main", "shop-operator-b/main previous", "shop-operator-a/main"},
			[]string{
				"shop-operator-a: E0102 shop/orders a", "shop-operator-b: E0102 shop/orders b",
				"shop-operator-b: info shop/orders b",
			}},
		{"a container that never started has none", silentOperator(runningPod("shop-operator-a", runs+waits)),
			nil, []string{"shop-operator-a/main"}, nil},
	} {
		logs := &containerLogs{lines: test.lines}
		result := askLogs(t, test.of, logs)
		if !slices.Equal(logs.reads, test.reads) {
			t.Errorf("%s: %q are read, want %q", test.name, logs.reads, test.reads)
		}
		if got := told(result); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q are told, want %q", test.name, got, test.want)
		}
		for _, asked := range logs.asked {
			if asked.Lines > 2000 || asked.Bytes > 1<<20 || !asked.Since.Equal(now.Add(-10*time.Minute)) {
				t.Errorf("%s: a log is read without bounds: %+v", test.name, asked)
			}
		}
	}
}

// TestLogsAreBounded asks for the logs of a controller with many pods and containers, that are all too long.
func TestLogsAreBounded(t *testing.T) {
	var pods []string
	for number := range 9 {
		several := strings.Repeat(runs+", ", 8) + runs
		pods = append(pods, runningPod(fmt.Sprintf("shop-operator-%d", number), several))
	}
	var lines []string
	for number := range 40 {
		lines = append(lines, logged(time.Minute, fmt.Sprintf("shop/orders failed for the reason %c%c", 'a'+number%26,
			'a'+number/26)))
	}
	logs := &containerLogs{cut: true, lines: map[string][]string{"shop-operator-0/main": lines}}
	result := askLogs(t, silentOperator(pods...), logs)
	if got := told(result); len(got) != 10 {
		t.Errorf("%d lines are told, want 10", len(got))
	}
	if len(logs.reads) != 8*3 || logs.asked[1].Lines >= logs.asked[0].Lines {
		t.Errorf("%d logs are read, want 8, each with fewer lines where it is too long: %+v", len(logs.reads), logs.asked)
	}
}

// TestLogsUnread asks without the right to read logs, and with a kubelet that doesn't answer: what isn't read is no
// evidence, it is said, and the verdict is the same.
func TestLogsUnread(t *testing.T) {
	operator := silentOperator(runningPod("shop-operator-a", runs), runningPod("shop-operator-b", runs))
	full := askLogs(t, operator, &containerLogs{})
	forbidden := apierrors.NewForbidden(schema.GroupResource{Resource: "pods"}, "shop-operator-a", fmt.Errorf(
		`User "ann" cannot get resource "pods/log" in API group "" in the namespace "shop-system"`))
	for _, test := range []struct {
		err    error
		reads  int
		grants string
	}{
		{forbidden, 1, `to let ann read logs there. The rule for that is {apiGroups: [""], resources: [pods/log], ` +
			`verbs: [get]}`},
		{apierrors.NewInternalError(fmt.Errorf("dial tcp: no route to host")), 2, ""},
		{apierrors.NewTimeoutError("the kubelet doesn't answer", 1), 2, ""},
	} {
		logs := &containerLogs{err: test.err}
		answer := askLogs(t, operator, logs)
		if answer.Verdict != full.Verdict || len(told(answer)) > 0 || len(logs.reads) != test.reads {
			t.Errorf("%v: %s after %q, want %s after %d", test.err, answer.Verdict, logs.reads, full.Verdict, test.reads)
		}
		if !slices.ContainsFunc(answer.Unreadable, func(one finding.Unreadable) bool { return one.Resource == "pods/log" }) {
			t.Errorf("%v: logs are not among what could not be read: %+v", test.err, answer.Unreadable)
		}
		grants := slices.ContainsFunc(answer.RootCauses[0].Remedies, func(remedy finding.Remedy) bool {
			return test.grants != "" && strings.Contains(remedy.Action, test.grants)
		})
		if grants != (test.grants != "") {
			t.Errorf("%v: the remedies are %+v", test.err, answer.RootCauses[0].Remedies)
		}
	}
	gone := &containerLogs{err: apierrors.NewNotFound(schema.GroupResource{Resource: "pods"}, "shop-operator-a")}
	if result := askLogs(t, operator, gone); len(result.Unreadable) > 0 {
		t.Errorf("pods that have gone meanwhile are unreadable: %+v", result.Unreadable)
	}
}
