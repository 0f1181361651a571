package removal_test

import (
	"errors"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

const backedUp = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: notes, namespace: shop, uid: notes-1, resourceVersion: "7",
  deletionTimestamp: 2026-01-02T03:00:00Z, finalizers: [velero.io/hold]}
spec: {volumeName: disk}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: disk, uid: disk-1, annotations: {pv.kubernetes.io/provisioned-by: ebs.csi.aws.com}}
spec: {csi: {driver: ebs.csi.aws.com, volumeHandle: vol-1}, persistentVolumeReclaimPolicy: Delete,
  claimRef: {namespace: shop, name: notes, uid: notes-1}}
status: {phase: Bound}
`

// TestPlanSaysWhatGoesWithIt has the plan say that a claim's volume goes, whoever held the claim last, and the step
// that keeps it first; and what can't be read as that.
func TestPlanSaysWhatGoesWithIt(t *testing.T) {
	options := removal.Options{Finalizers: []string{"velero.io/hold"}}
	b := newBench(t, backedUp, options, "persistentvolumeclaims/notes")
	done := b.run(t)
	text := b.printed(t, done)
	for _, says := range []string{"Deleted with it: The storage behind PersistentVolume disk (volume vol-1) of",
		"1. To keep the data, FIRST set", "persistentvolumes/disk --type merge"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), says) {
			t.Errorf("the plan doesn't say %q:\n%s", says, text)
		}
	}
	if done.Items[0].Risk != finding.DataLoss {
		t.Errorf("the risk is %s", done.Items[0].Risk)
	}
	b = newBench(t, backedUp, options, "persistentvolumeclaims/notes")
	b.memory.Deny("persistentvolumes")
	if item := b.run(t).Items[0]; len(item.Takes) != 1 || item.Takes[0].Situation != "VolumeUnread" ||
		item.Risk != finding.DataLoss {
		t.Errorf("a volume that may not be read: %+v", item.Takes)
	}
}

// TestPolicyChangesBeforeTheWrite has the volume kept in the plan, and deleted right before the write.
func TestPolicyChangesBeforeTheWrite(t *testing.T) {
	kept := strings.Replace(backedUp, "Policy: Delete", "Policy: Retain", 1)
	b := newBench(t, kept, removal.Options{Finalizers: []string{"velero.io/hold"}, Force: true, Confirm: "yes"},
		"persistentvolumeclaims/notes")
	dryRuns := 0
	b.writer.answer = func(string) error {
		if dryRuns++; dryRuns == 2 {
			b.memory.Remove("PersistentVolume", "disk")
			_, volume, _ := strings.Cut(backedUp, "---")
			return b.memory.Add(volume)
		}
		return nil
	}
	done := b.run(t)
	if written := b.writer.written(); len(written) > 0 || done.Guards[len(done.Guards)-1].Number != 7 {
		t.Errorf("%s, and it sent %q: %s", done.Outcome, written, done.Summary)
	}
}

// TestDataOfSecretsIsSaidToBeLost says it before anybody consents: no backup has it.
func TestDataOfSecretsIsSaidToBeLost(t *testing.T) {
	b := newBench(t, strings.Replace(held, "ConfigMap", "Secret", 1), removal.Options{Finalizers: []string{"a/x", "b/y"},
		Force: true}, "secrets/notes")
	text := ""
	b.Tell = func(plan *removal.Plan) error {
		text = b.printed(t, result.RemovalPlan{RemovalReport: plan.Shown()})
		return nil
	}
	done := b.run(t)
	if !strings.Contains(text, "The DATA of Secret shop/notes") || len(b.writer.written()) > 0 {
		t.Errorf("%s, and the plan says:\n%s", done.Summary, text)
	}
}

// TestOnlyProvenWithoutAName leaves a controller alone that may run outside, unless the entry is named, and offers the
// command for that.
func TestOnlyProvenWithoutAName(t *testing.T) {
	for name, subject := range map[string]string{
		"a user": "{kind: User, name: terraform@example.org}", "a group": "{kind: Group, name: 'oidc:admins'}",
		"an idle account": theOperator,
	} {
		b := newBench(t, orders+mayWrite(subject)+account, removal.Options{Force: true, Confirm: "yes"},
			"databases.shop.example.com/orders")
		done := b.run(t)
		if written := b.writer.written(); len(written) > 0 || done.Outcome != result.Refused {
			t.Errorf("%s may write: %s, and it sent %q", name, done.Summary, written)
		}
		want := "kubectl finalizers remove databases.shop.example.com/orders --context test -n shop --finalizer " +
			"shop.example.com/cleanup"
		if done.Refusing == nil || done.Refusing.Command.String() != want || !strings.Contains(b.printed(t, done),
			"--finalizer") {
			t.Errorf("%s may write: it offers %+v", name, done.Refusing)
		}
		b = newBench(t, orders+mayWrite(subject)+account, removal.Options{Finalizers: []string{"shop.example.com/cleanup"}},
			"databases.shop.example.com/orders")
		if warned := strings.Join(b.run(t).Items[0].Warnings, " "); !strings.Contains(warned, "not proven") {
			t.Errorf("%s may write, and nobody is warned: %s", name, warned)
		}
	}
}

// TestSomebodyWritesToSiblings doubts what RBAC proves where a program writes to another object of the kind.
func TestSomebodyWritesToSiblings(t *testing.T) {
	sibling := func(manager, at string) string {
		return "\n---" + strings.Replace(strings.ReplaceAll(orders, "orders", "bills"),
			"deletionTimestamp: 2026-01-02T02:00:00Z, ",
			"managedFields: [{manager: "+manager+", operation: Update, subresource: status, time: '"+at+"', fieldsType: "+
				"FieldsV1, fieldsV1: {'f:status': {}}}], ", 1)
	}
	for name, c := range map[string]struct {
		objects string
		want    finding.Certainty
	}{
		"nobody":              {orders, finding.Proven},
		"a program":           {orders + sibling("shop-operator", "2026-01-02T03:00:00Z"), finding.Likely},
		"a program, long ago": {orders + sibling("shop-operator", "2026-01-02T01:00:00Z"), finding.Proven},
		"a person":            {orders + sibling("kubectl-edit", "2026-01-02T03:00:00Z"), finding.Proven},
	} {
		b := newBench(t, c.objects, removal.Options{}, "databases.shop.example.com/orders")
		if cause := b.why(t).RootCauses[0]; cause.Reason != finding.ControllerMissing || cause.Certainty != c.want {
			t.Errorf("%s writes to a sibling: %s, %s, want %s", name, cause.Reason, cause.Certainty, c.want)
		}
	}
}

// TestWrongAnswers has something else than the object come back: no dry run has passed then, no write is done, and no
// program is accused of having set the entry again.
func TestWrongAnswers(t *testing.T) {
	wrong := &cluster.WrongAnswer{Got: "a Status"}
	full := removal.Options{Finalizers: []string{"a/x", "b/y"}, Force: true, Confirm: "yes", Wait: true}
	b := newBench(t, held, full, "configmaps/notes")
	b.writer.answer = func(string) error { return wrong }
	done := b.run(t)
	if last := done.Guards[len(done.Guards)-1]; len(b.writer.written()) > 0 || last.Situation != "DryRunUnanswered" {
		t.Errorf("a dry run that was not answered: %+v, and it sent %q", last, b.writer.sent)
	}
	b = newBench(t, held, full, "configmaps/notes")
	b.writer.answer = func(what string) error {
		if strings.HasPrefix(what, "dry run") {
			return nil
		}
		return wrong
	}
	done = b.run(t)
	if done.Outcome != result.Failed || strings.Contains(b.printed(t, done), "Another delete request") ||
		done.Items[0].Writes[0].Done {
		t.Errorf("a write that was not answered: %s: %s", done.Outcome, done.Summary)
	}
}

// TestSuccessorIsTold says in human output that another object has the name, also where nothing was written.
func TestSuccessorIsTold(t *testing.T) {
	for when, replaces := range map[string]string{"before the write": "dry run: patch", "at the write": "patch"} {
		b := newBench(t, held, removal.Options{Finalizers: []string{"a/x", "b/y"}, Force: true, Confirm: "yes"},
			"configmaps/notes")
		plan, err := b.planned(t)
		if err != nil {
			t.Fatal(err)
		}
		b.Options.Confirm = plan.Report.Token
		b.writer.answer = func(what string) error {
			if !strings.HasPrefix(what, replaces) {
				return nil
			}
			b.memory.Remove("ConfigMap", "notes")
			if err := b.memory.Add(strings.Replace(strings.Replace(held, "notes-1", "notes-2", 1),
				"deletionTimestamp: 2026-01-02T03:00:00Z, ", "", 1)); err != nil {
				return err
			}
			return apierrors.NewConflict(schema.GroupResource{Resource: "configmaps"}, "notes", errors.New("uid"))
		}
		done := b.Run(t.Context(), plan)
		if text := strings.Join(strings.Fields(b.printed(t, done)), " "); !strings.Contains(text,
			"Another object with its name was created since then (uid notes-2); it was not changed") {
			t.Errorf("%s: %s", when, text)
		}
	}
}
