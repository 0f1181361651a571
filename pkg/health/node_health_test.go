package health

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// nodeCase is a Node n1, by the seconds before now at which something happened to it.
type nodeCase struct {
	name    string
	created int    // none if it is 0
	status  string // of its Ready condition; none if it is empty
	reason  string
	changed int // when the condition did
	renewed int // when the kubelet renewed its Lease, by its own clock; there is no Lease if it is 0
	noted   int // the same by the API server's clock, which is unknown if it is 0
	deny    bool

	ready, moment bool
	certainty     finding.Certainty
	state         string // completes "Node n1 …"
	left          int    // seconds of the moment
}

const never, silent, unready = "NodeStatusNeverUpdated", "NodeStatusUnknown", "KubeletNotReady"

// TestNodeHealth goes through the signs of life of a kubelet, a second before and after the line that decides.
func TestNodeHealth(t *testing.T) {
	const likely, proven = finding.Likely, finding.Proven
	for _, c := range []nodeCase{
		{name: "alive", status: "True", changed: 9999, renewed: 3, ready: true},
		{name: "no Lease, and said to be ready", status: "True", changed: 9999, ready: true},
		{name: "a Lease just not run out", status: "True", changed: 9999, renewed: 40, ready: true},
		{name: "a Lease just run out", status: "True", changed: 9999, renewed: 41, moment: true, left: 19,
			state: "last reported 41s ago and may only be late"},
		{name: "silent for almost a minute", status: "True", changed: 9999, renewed: 59, moment: true, left: 1,
			state: "last reported 59s ago and may only be late"},
		{name: "silent for a minute", status: "True", changed: 9999, renewed: 60, certainty: likely,
			state: "has been silent for 60s"},
		{name: "silent for long", status: "True", changed: 9999, renewed: 9000, certainty: likely,
			state: "has been silent for 2h30m"},

		{name: "declared silent just now", status: "Unknown", reason: silent, changed: 1, renewed: 52, moment: true,
			left: 8, state: "last reported 52s ago and may only be late"},
		{name: "declared silent, a minute after its last sign", status: "Unknown", reason: silent, changed: 9, renewed: 60,
			certainty: likely, state: "has been silent for 60s"},
		{name: "declared silent late, as by a manager that was down", status: "Unknown", reason: silent, changed: 0,
			renewed: 3600, certainty: likely, state: "has been silent for 1h"},
		{name: "declared silent, without a Lease", status: "Unknown", reason: silent, changed: 59, moment: true, left: 1,
			state: "has not been ready for 59s and may be again in a moment"},
		{name: "declared silent a minute ago, without a Lease", status: "Unknown", reason: silent, changed: 60,
			certainty: likely, state: "has not been ready for 60s"},
		{name: "declared silent, with a Lease that may not be read", status: "Unknown", reason: silent, changed: 2,
			renewed: 3600, deny: true, moment: true, left: 58,
			state: "has not been ready for 2s and may be again in a moment"},
		{name: "declared silent long ago, and its Lease is renewed", status: "Unknown", reason: silent, changed: 600,
			renewed: 3, certainty: proven, state: "has not been ready for 10m"},
		{name: "dead for long", status: "Unknown", reason: silent, changed: 300, renewed: 360, certainty: proven,
			state: "has been silent for 6m"},

		{name: "created just now", created: 1, moment: true, left: 59,
			state: "was created 1s ago, has not reported yet and may still be starting"},
		{name: "created almost a minute ago", created: 59, moment: true, left: 1,
			state: "was created 59s ago, has not reported yet and may still be starting"},
		{name: "created a minute ago", created: 60, certainty: likely, state: "has never been ready"},
		{name: "given up on within the first minute", created: 11, status: "Unknown", reason: never, changed: 1,
			moment: true, left: 49, state: "was created 11s ago, has not reported yet and may still be starting"},
		{name: "given up on after the first minute", created: 61, status: "Unknown", reason: never, changed: 1,
			certainty: likely, state: "has never been ready"},
		{name: "never heard of", created: 9999, status: "Unknown", reason: never, changed: 9000, certainty: proven,
			state: "has never been ready"},

		{name: "its runtime went down", status: "False", reason: unready, changed: 59, renewed: 3, moment: true, left: 1,
			state: "has not been ready for 59s and may be again in a moment"},
		{name: "its runtime went down a minute ago", status: "False", reason: unready, changed: 60, renewed: 3,
			certainty: likely, state: "has not been ready for 60s"},
		{name: "its runtime has been down for long", status: "False", reason: unready, changed: 900, renewed: 3,
			certainty: proven, state: "has not been ready for 15m"},

		{name: "alive, by a slow clock", status: "True", changed: 9999, renewed: 600, noted: 3, ready: true},
		{name: "alive, by a fast clock", status: "True", changed: 9999, renewed: -600, noted: 3, ready: true},
		{name: "dead, by a fast clock", status: "True", changed: 9999, renewed: -540, noted: 60, certainty: likely,
			state: "has been silent for 60s"},
		{name: "late, by a slow clock", status: "True", changed: 9999, renewed: 600, noted: 45, moment: true, left: 15,
			state: "last reported 45s ago and may only be late"},
		{name: "a runtime down for a moment, by a slow clock", status: "False", reason: unready, changed: 610, renewed: 600,
			noted: 3, moment: true, left: 47, state: "has not been ready for 13s and may be again in a moment"},
		{name: "a runtime down for long, by a fast clock", status: "False", reason: unready, changed: -300, renewed: -600,
			noted: 0, certainty: likely, state: "has not been ready for 0s"},
	} {
		t.Run(c.name, func(t *testing.T) { c.check(t) })
	}
}

func (c nodeCase) check(t *testing.T) {
	t.Helper()
	checker, memory := outageChecker(t, c.objects())
	if c.deny {
		memory.Deny("leases")
	}
	node, err := session.ReadAs[corev1.Node](t.Context(), checker.Session, session.Named(cluster.Nodes(), "", "n1"))
	if err != nil {
		t.Fatal(err)
	}
	found := checker.NodeHealth(t.Context(), node)
	if found.Ready != c.ready || found.InFirstMoment() != c.moment {
		t.Fatalf("ready is %t, its first moment %t; %v", found.Ready, found.InFirstMoment(), found.Evidence)
	}
	if (found.Unread != nil) != c.deny || c.deny && !errors.IsForbidden(found.Unread) {
		t.Errorf("its Lease could not be read because of %v", found.Unread)
	}
	switch {
	case c.ready:
		return
	case c.moment:
		note := NodeMayReturn(session.Named(cluster.Nodes(), "", "n1"), found)
		if left := note.Until.Sub(checker.Session.Now()); left != time.Duration(c.left)*time.Second {
			t.Errorf("the moment ends in %s, want %ds", left, c.left)
		}
		if note.Reason != "" {
			t.Errorf("it is the cause %s", note.Reason)
		}
	case found.certainty != c.certainty:
		t.Errorf("it is %s, want %s", found.certainty, c.certainty)
	}
	if state := checker.Words(found.State()); state != c.state {
		t.Errorf("it %s, want: %s", state, c.state)
	}
}

// objects are the Node and its Lease.
func (c nodeCase) objects() string {
	at := func(before int, layout string) string {
		return time.Date(2026, 1, 2, 12, 0, -before, 0, time.UTC).Format(`"` + layout + `"`)
	}
	meta, status, lease := "", "", ""
	if c.created != 0 {
		meta = ", creationTimestamp: " + at(c.created, time.RFC3339)
	}
	if c.status != "" {
		status = fmt.Sprintf("{type: Ready, status: %q, reason: %q, message: container runtime is down, "+
			"lastTransitionTime: %s}", c.status, c.reason, at(c.changed, time.RFC3339))
	}
	if c.renewed != 0 {
		managed := ""
		if c.noted != 0 {
			managed = ", managedFields: [{manager: kubelet, operation: Update, apiVersion: coordination.k8s.io/v1, " +
				`fieldsType: FieldsV1, fieldsV1: {"f:spec": {}}, time: ` + at(c.noted, time.RFC3339) + "}]"
		}
		lease = "\n---\napiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {namespace: kube-node-lease, name: n1" +
			managed + "}\nspec: {holderIdentity: n1, leaseDurationSeconds: 40, renewTime: " +
			at(c.renewed, "2006-01-02T15:04:05.000000Z07:00") + "}"
	}
	return "\napiVersion: v1\nkind: Node\nmetadata: {name: n1, uid: n1" + meta + "}\nstatus: {conditions: [" + status +
		"]}" + lease
}

// TestNodeMayReturnQuotesKubelet also holds that what is said of a moment is no more than what is known.
func TestNodeMayReturnQuotesKubelet(t *testing.T) {
	c := nodeCase{status: "False", reason: unready, changed: 12, renewed: 3}
	checker, _ := outageChecker(t, c.objects())
	object := session.Named(cluster.Nodes(), "", "n1")
	node, err := session.ReadAs[corev1.Node](t.Context(), checker.Session, object)
	if err != nil {
		t.Fatal(err)
	}
	note := NodeMayReturn(object, checker.NodeHealth(t.Context(), node))
	voice := finding.Voice{Now: checker.Session.Now(), Program: "kubectl finalizers"}
	said := voice.Message(note)
	for _, want := range []string{"Node n1 has not been ready for 12s", `"container runtime is down"`, "--watch"} {
		if !strings.Contains(said, want) {
			t.Errorf("it says %q, and not %q", said, want)
		}
	}
}

// TestNodeEvidenceQuotesKubelet holds that the words of a kubelet that runs and isn't ready are evidence, and that
// those of the node controller about a silent one, which say nothing more, are not.
func TestNodeEvidenceQuotesKubelet(t *testing.T) {
	for status, want := range map[string]string{
		"False": ": container runtime is down, for 10m", "Unknown": "condition Ready is Unknown: KubeletNotReady, for 10m",
	} {
		checker, _ := outageChecker(t, nodeCase{status: status, reason: unready, changed: 600, renewed: 3}.objects())
		object := session.Named(cluster.Nodes(), "", "n1")
		node, err := session.ReadAs[corev1.Node](t.Context(), checker.Session, object)
		if err != nil {
			t.Fatal(err)
		}
		if said := checker.NodeHealth(t.Context(), node).Evidence[0].Observed; !strings.HasSuffix(said, want) {
			t.Errorf("%s: the evidence is %q, want …%s", status, said, want)
		}
	}
}
