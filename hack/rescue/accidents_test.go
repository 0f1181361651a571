package rescue_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// accident is a deletion by mistake.
type accident struct {
	name    string
	objects string   // NS is the accident's own namespace
	disks   []string // outside of the cluster, by handle
	ready   func(t *testing.T, l *lab, ns string)
	deletes []string // what was run by mistake
	after   func(t *testing.T, l *lab, ns string)
	target  string
	flags   []string

	nothing bool // is left to plan with: the program says so, and gives no plan
	outcome result.Rescuable
	stops   string   // the steps that stop the loss
	says    []string // in the plan
	kept    []string // disks
	lost    []string
	back    func(t *testing.T, l *lab, ns string)
}

func (a accident) in(ns, text string) string { return strings.ReplaceAll(text, "NS", ns) }

func (a accident) play(t *testing.T, l *lab) {
	ns := a.name
	for _, handle := range a.disks {
		l.outside.put(a.in(ns, handle))
	}
	l.create(t, "apiVersion: v1\nkind: Namespace\nmetadata: {name: "+ns+"}\n---\n"+a.in(ns, a.objects))
	if a.ready != nil {
		a.ready(t, l, ns)
	}
	for _, line := range a.deletes {
		l.must(t, a.in(ns, line))
	}
	if a.after != nil {
		a.after(t, l, ns)
	}
	if a.nothing {
		a.isTooLate(t, l, ns)
		return
	}
	plan := l.ask(t, a.in(ns, a.target), a.flags...)
	a.check(t, ns, plan)
	l.carryOut(t, plan.Stop)
	l.carryOut(t, plan.Return)
	a.compare(t, l, ns)
	if a.back != nil {
		a.back(t, l, ns)
	}
	stand(t, l, plan)
}

// isTooLate checks that no plan is made where nothing is left, and that nothing is.
func (a accident) isTooLate(t *testing.T, l *lab, ns string) {
	t.Helper()
	_, err := l.run(t, l.rescuer, "kubectl finalizers rescue "+a.in(ns, a.target))
	if err == nil || !strings.Contains(err.Error(), "not found; it may already be gone") {
		t.Errorf("it makes a plan where nothing is left: %v", err)
	}
	a.compare(t, l, ns)
}

// compare compares what is outside of the cluster with what the plan has kept and called lost.
func (a accident) compare(t *testing.T, l *lab, ns string) {
	t.Helper()
	for _, handle := range a.kept {
		if !l.outside.has(a.in(ns, handle)) {
			t.Errorf("%s is lost, and the plan keeps it", handle)
		}
	}
	for _, handle := range a.lost {
		l.within(t, func() error {
			if l.outside.has(a.in(ns, handle)) {
				return fmt.Errorf("%s is there, and the plan says that it is lost", handle)
			}
			return nil
		})
	}
}

// stand checks that the deletions which the plan says can't be taken back are not: no object is there, as it was, that
// the plan says goes.
func stand(t *testing.T, l *lab, plan *result.RescuePlan) {
	t.Helper()
	for _, fact := range plan.Lost {
		object := fact.Object
		switch fact.Situation {
		case "DeletionStands", "ObjectIsGone", "VolumeRecordGoes", "VolumeAlreadyGone":
		default:
			continue
		}
		if object.UID == "" {
			continue // it was gone already, and its uid with it
		}
		path := strings.ToLower(object.Kind) + "." + object.Group()
		if object.Group() == "" {
			path = strings.ToLower(object.Kind)
		}
		l.within(t, func() error {
			line := "kubectl get " + path + "/" + object.Name + " --ignore-not-found -o jsonpath={.metadata.uid}"
			if object.Namespace != "" {
				line += " -n " + object.Namespace
			}
			uid, err := l.run(t, l.admin, line)
			if err != nil && strings.Contains(err.Error(), "doesn't have a resource type") {
				return nil
			}
			if err == nil && uid == object.UID {
				return fmt.Errorf("%s is as it was, and the plan says %s", object, fact.Situation)
			}
			return err
		})
	}
}

// check compares the plan with what is expected.
func (a accident) check(t *testing.T, ns string, plan *result.RescuePlan) {
	t.Helper()
	var steps, text []string
	for _, step := range plan.Stop {
		steps = append(steps, step.Step)
	}
	for _, fact := range append(append([]result.RescueFact{}, plan.Lost...), plan.Safe...) {
		text = append(text, fact.Message)
	}
	if got := strings.Join(steps, " "); got != a.stops || plan.Outcome != a.outcome {
		t.Errorf("%s by %q, want %s by %q\n%s", plan.Outcome, got, a.outcome, a.stops, strings.Join(text, "\n"))
	}
	for _, want := range a.says {
		if !strings.Contains(strings.Join(text, "\n")+plan.Summary, a.in(ns, want)) {
			t.Errorf("it doesn't say %q:\n%s\n%s", want, plan.Summary, strings.Join(text, "\n"))
		}
	}
	for _, failure := range plan.Unreadable {
		if !strings.HasSuffix(failure.Resource, ".shelved.example.com") { // which another accident deletes
			t.Errorf("unreadable: %v", failure)
		}
	}
}

// TestAccidents has each accident happen, carries the plan out as it is printed, and looks what is left.
func TestAccidents(t *testing.T) {
	l := newLab(t)
	l.create(t, definitions)
	t.Run("accidents", func(t *testing.T) {
		for _, one := range accidents() {
			t.Run(one.name, func(t *testing.T) {
				t.Parallel()
				one.play(t, l)
			})
		}
	})
	requests, err := l.plane.Requests(t.Context(), "rescuer", l.rescuer)
	if err != nil {
		t.Fatal(err)
	}
	if len(requests) == 0 {
		t.Error("nothing was asked")
	}
	secrets := 0
	for _, request := range requests {
		if request.Writes() {
			t.Errorf("it has written: %s %s", request.Verb, request.RequestURI)
		}
		if request.ReadsSecrets() {
			secrets++
			if !strings.Contains(request.RequestURI, "/namespaces/secret-saved/") {
				t.Errorf("it has read a Secret: %s %s", request.Verb, request.RequestURI)
			}
		}
	}
	if secrets == 0 {
		t.Error("the Secret that was to be saved was not read")
	}
}

// claimAndVolume are a claim and its volume, bound to each other. takes is how long its driver takes to begin.
func claimAndVolume(name, policy, takes string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: PersistentVolume
metadata:
  name: NS-%[1]s
  labels: {accident: NS}
  finalizers: [%[4]s]
  annotations: {pv.kubernetes.io/provisioned-by: %[5]s, %[6]s: %[3]s}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: lab
  persistentVolumeReclaimPolicy: %[2]s
  claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: NS, name: %[1]s}
  csi: {driver: %[5]s, volumeHandle: NS-%[1]s}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {namespace: NS, name: %[1]s, labels: {app: shop}}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: lab
  volumeName: NS-%[1]s
  resources: {requests: {storage: 1Gi}}
---
`, name, policy, takes, provisioner, driver, slow)
}

func pod(name, claim string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata: {namespace: NS, name: %[1]s}
spec:
  nodeName: worker-1
  terminationGracePeriodSeconds: 1
  containers: [{name: app, image: app, volumeMounts: [{name: data, mountPath: /data}]}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: %[2]s}}]
---
`, name, claim)
}

// bound waits until claims are bound.
func bound(claims ...string) func(t *testing.T, l *lab, ns string) {
	return func(t *testing.T, l *lab, ns string) {
		t.Helper()
		for _, claim := range claims {
			l.becomes(t, "pvc/"+claim+" -n "+ns, "{.status.phase}", "Bound")
		}
	}
}

// same checks that claims are bound to the volumes that they had, and that nothing is being deleted.
func same(claims ...string) func(t *testing.T, l *lab, ns string) {
	return func(t *testing.T, l *lab, ns string) {
		t.Helper()
		bound(claims...)(t, l, ns)
		for _, claim := range claims {
			l.becomes(t, "pvc/"+claim+" -n "+ns, "{.metadata.deletionTimestamp}{.metadata.labels.app}", "shop")
			volume, err := l.field(t, "pvc/"+claim+" -n "+ns, "{.spec.volumeName}")
			if err != nil {
				t.Fatal(err)
			}
			l.becomes(t, "pv/"+volume, "{.spec.csi.volumeHandle} {.metadata.deletionTimestamp}", ns+"-"+claim+" ")
		}
	}
}
