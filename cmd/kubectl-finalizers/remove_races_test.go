package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// moment is when a race is made: right before one request of a removal.
type moment string

const (
	atPlan     moment = "the plan's dry run"
	atSave     moment = "the read that is saved"
	atDryRun   moment = "the dry run before the write"
	atSecond   moment = "the second diagnosis"
	atWrite    moment = "the write"
	afterWrite moment = "the look after the write"
)

// at calls act once, at a moment of one removal.
func at(when moment, act func()) func(*http.Request) {
	var dryRuns, writes, acted atomic.Int32
	return func(r *http.Request) {
		if r.Method == http.MethodPost {
			return // it asks who asks
		}
		changes, dry := r.Method != http.MethodGet, r.URL.Query().Get("dryRun") == "All"
		switch {
		case changes && dry:
			dryRuns.Add(1)
		case changes:
			writes.Add(1)
		}
		now := map[moment]bool{
			atPlan:     changes && dry && dryRuns.Load() == 1,
			atSave:     !changes && dryRuns.Load() == 1,
			atDryRun:   changes && dry && dryRuns.Load() == 2,
			atSecond:   !changes && dryRuns.Load() == 2 && writes.Load() == 0,
			atWrite:    changes && !dry,
			afterWrite: !changes && writes.Load() > 0,
		}
		if now[when] && acted.CompareAndSwap(0, 1) {
			act()
		}
	}
}

type race struct {
	name    string
	when    moment
	act     func(*racer)
	args    []string
	outcome result.RemovalOutcome
	code    int
	says    string
	held    bool // by both entries, or what is left of them, afterwards
}

// racer changes the object while it is being removed from.
type racer struct {
	t      *testing.T
	client kubernetes.Interface
	name   string
}

func (r *racer) patch(body string) { r.patchIn("races", body) }

func (r *racer) deleteInForeground(namespace string) {
	policy := metav1.DeletePropagationForeground
	if err := r.client.CoreV1().ConfigMaps(namespace).Delete(r.t.Context(), r.name,
		metav1.DeleteOptions{PropagationPolicy: &policy}); err != nil {
		r.t.Error(err)
	}
}

func (r *racer) patchIn(namespace, body string) {
	if _, err := r.client.CoreV1().ConfigMaps(namespace).Patch(r.t.Context(), r.name, types.MergePatchType, []byte(body),
		metav1.PatchOptions{}); err != nil {
		r.t.Error(err)
	}
}

func (r *racer) recreate() {
	r.patch(`{"metadata":{"finalizers":null}}`)
	again := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: r.name, Finalizers: []string{"example.com/hold",
		"example.com/new"}}}
	if _, err := r.client.CoreV1().ConfigMaps("races").Create(r.t.Context(), again, metav1.CreateOptions{}); err != nil {
		r.t.Error(err)
	}
	if err := r.client.CoreV1().ConfigMaps("races").Delete(r.t.Context(), r.name, metav1.DeleteOptions{}); err != nil {
		r.t.Error(err)
	}
}

func races() []race {
	shrinks := func(r *racer) { r.patch(`{"metadata":{"finalizers":["example.com/hold"]}}`) }
	touched := func(r *racer) { r.patch(`{"metadata":{"annotations":{"touched":"yes"}}}`) }
	vanishes := func(r *racer) { r.patch(`{"metadata":{"finalizers":null}}`) }
	recreated := func(r *racer) { r.recreate() }
	lost := func(*racer) { panic(http.ErrAbortHandler) }
	doneAndLost := func(r *racer) { r.patch(`{"metadata":{"finalizers":null}}`); panic(http.ErrAbortHandler) }
	return []race{
		{name: "list-plan", when: atPlan, act: shrinks, outcome: result.Refused, code: 5, says: "changed", held: true},
		{name: "list-save", when: atSave, act: shrinks, outcome: result.Refused, code: 5, says: "changed since", held: true},
		{name: "recreated-save", when: atSave, act: recreated, outcome: result.NotNeeded, says: "was not changed",
			held: true},
		{name: "vanished-save", when: atSave, act: vanishes, outcome: result.NotNeeded,
			says: "was removed without this tool"},
		{name: "list-dry", when: atDryRun, act: shrinks, outcome: result.Refused, code: 5, says: "changed", held: true},
		{name: "list-second", when: atSecond, act: shrinks, outcome: result.Refused, code: 5,
			says: "held by Finalizer example.com/other", held: true},
		{name: "list-write", when: atWrite, act: shrinks, outcome: result.Failed, code: 5, says: "changed just before",
			held: true},
		{name: "touched-second", when: atSecond, act: touched, outcome: result.Refused, code: 5, says: "resourceVersion",
			held: true},
		{name: "recreated-dry", when: atDryRun, act: recreated, outcome: result.NotNeeded, says: "was not changed",
			held: true},
		{name: "recreated-second", when: atSecond, act: recreated, outcome: result.NotNeeded, says: "was not changed",
			held: true},
		{name: "recreated-write", when: atWrite, act: recreated, outcome: result.NotNeeded, says: "was not changed",
			held: true},
		{name: "vanished-second", when: atSecond, act: vanishes, outcome: result.NotNeeded,
			says: "was removed without this tool"},
		{name: "vanished-write", when: atWrite, act: vanishes, outcome: result.NotNeeded,
			says: "was removed without this tool"},
		{name: "lost-write", when: atWrite, act: lost, outcome: result.Failed, code: 5, says: "has changed nothing so far",
			held: true},
		{name: "lost-answer", when: atWrite, act: doneAndLost, outcome: result.Gone, says: "no answer"},
		{name: "successor", when: afterWrite, args: []string{"--finalizer", "example.com/other"}, act: func(r *racer) {
			again := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: r.name, Finalizers: []string{"example.com/hold"}}}
			if _, err := r.client.CoreV1().ConfigMaps("races").Create(r.t.Context(), again, metav1.CreateOptions{}); err != nil {
				r.t.Error(err)
			}
		}, outcome: result.Gone, says: "was not changed", held: true},
	}
}

// testRaces changes the object at every moment of a removal: nothing that wasn't shown is ever removed.
func testRaces(t *testing.T, plane *controlplane.ControlPlane) {
	client, err := plane.AdminClient()
	if err != nil {
		t.Fatal(err)
	}
	mustBreak(t, plane, "- apply: |\n    apiVersion: v1\n    kind: Namespace\n    metadata: {name: races}\n")
	l := newLab(t, plane, "remove-races", controlplane.ClusterAdmins)
	for _, c := range races() {
		t.Run(c.name, func(t *testing.T) {
			mustBreak(t, plane, fmt.Sprintf(`
- apply: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: %[1]s, namespace: races, finalizers: [example.com/hold, example.com/other]}
- delete: {object: configmap/%[1]s, namespace: races}
`, c.name))
			args := append([]string{"cm/" + c.name, "-n", "races", "--finalizer", "example.com/hold"}, c.args...)
			through, open := l.gated(t, plane, at(c.when, func() { c.act(&racer{t: t, client: client, name: c.name}) }))
			token := through.token(t, args...)
			open()
			done := through.remove(t, append(args, "--force", "--confirm", token)...)
			text := fmt.Sprintf("%+v %+v", done.report.Items, done.report.Guards)
			if done.report.Outcome != c.outcome || done.code != c.code || !strings.Contains(text, c.says) {
				t.Errorf("%s with %d, want %s with %d and %q:\n%s%s", done.report.Outcome, done.code, c.outcome, c.code, c.says,
					done.stdout, done.stderr)
			}
			left := object(t, plane, "configmaps", "races", c.name)
			if held := left != nil && strings.Contains(strings.Join(left.GetFinalizers(), " "),
				"example.com/hold"); held != c.held {
				t.Errorf("the entry is there afterwards: %v, want %v", held, c.held)
			}
		})
	}
	t.Run("controller revived", func(t *testing.T) { testRevived(t, plane, client) })
	t.Run("server gone", func(t *testing.T) { testServerGone(t, plane, l) })
}

// testRevived starts the controller that the diagnosis calls missing, between the dry run and the write.
func testRevived(t *testing.T, plane *controlplane.ControlPlane, client kubernetes.Interface) {
	mustBreak(t, plane, `
- apply: |
    apiVersion: v1
    kind: Service
    metadata: {name: revived, namespace: races, finalizers: [service.kubernetes.io/load-balancer-cleanup]}
    spec: {type: LoadBalancer, ports: [{port: 80}]}
- delete: {object: service/revived, namespace: races}
`)
	l := newLab(t, plane, "remove-revived", controlplane.ClusterAdmins)
	// that a cloud's controller is missing is only likely: the entry has to be named
	args := []string{"service/revived", "-n", "races", "--finalizer", "service.kubernetes.io/load-balancer-cleanup"}
	revive := func() {
		holder, seconds, now := "revived", int32(15), metav1.NowMicro()
		lease := &coordinationv1.Lease{
			ObjectMeta: metav1.ObjectMeta{Name: "cloud-controller-manager"},
			Spec:       coordinationv1.LeaseSpec{HolderIdentity: &holder, LeaseDurationSeconds: &seconds, RenewTime: &now},
		}
		if _, err := client.CoordinationV1().Leases("kube-system").Create(t.Context(), lease,
			metav1.CreateOptions{}); err != nil {
			t.Error(err)
		}
	}
	through, open := l.gated(t, plane, at(atSecond, revive))
	token := through.token(t, args...)
	open()
	done := through.remove(t, append(args, "--force", "--confirm", token)...)
	if done.code != 5 || done.report.Outcome != result.Refused || !strings.Contains(fmt.Sprint(done.report.Guards),
		"no longer ControllerMissing") {
		t.Errorf("%s with %d:\n%s%s", done.report.Outcome, done.code, done.stdout, done.stderr)
	}
	if left := object(t, plane, "services", "races", "revived"); left == nil || len(left.GetFinalizers()) != 1 {
		t.Error("the entry was removed although its controller is back")
	}
}

// testServerGone lets the server fall silent at the write, for good.
func testServerGone(t *testing.T, plane *controlplane.ControlPlane, l *lab) {
	mustBreak(t, plane, `
- apply: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: silent, namespace: races, finalizers: [example.com/hold]}
- delete: {object: configmap/silent, namespace: races}
`)
	args := []string{"cm/silent", "-n", "races", "--finalizer", "example.com/hold"}
	var gone atomic.Bool
	through, open := l.gated(t, plane, func(r *http.Request) {
		if r.Method != http.MethodGet && r.URL.Query().Get("dryRun") == "" {
			gone.Store(true)
		}
		if gone.Load() {
			panic(http.ErrAbortHandler)
		}
	})
	token := through.token(t, args...)
	open()
	done := through.remove(t, append(args, "--force", "--confirm", token)...)
	if done.code != 5 || done.report.Outcome != result.Unknown || !strings.Contains(done.report.Summary, "not clear") {
		t.Errorf("%s with %d:\n%s%s", done.report.Outcome, done.code, done.stdout, done.stderr)
	}
}
