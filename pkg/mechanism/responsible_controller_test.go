package mechanism

import (
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// bearerCase asks about a finalizer on a kind, and about the live object that has it.
type bearerCase struct {
	name, held, finalizer string
	bare                  bool // nothing in the cluster has it
	others, deny          string
	state                 string         // of explain, with the situation
	absent                finding.Reason // by check; empty for none
	unread                int            // of check
}

func bearerCases() []bearerCase {
	const (
		tracking = "batch.kubernetes.io/job-tracking"
		balancer = "service.kubernetes.io/load-balancer-cleanup"
		csi      = "spec: {csi: {driver: csi.example.com, volumeHandle: v}}"
	)
	service := manifest("v1", "Service", "shop", "web", "finalizers: ["+balancer+"]", "")
	volume := manifest("v1", "PersistentVolume", "", "pv-1", "finalizers: ["+provisionerFinalizer+"]", csi)
	pod := manifest("v1", "Pod", "shop", "count-1", "finalizers: ["+tracking+
		"], ownerReferences: [{controller: true, apiVersion: batch/v1, kind: Job, name: count, uid: job-count}]", "")
	job := func(spec string) string { return manifest("batch/v1", "Job", "shop", "count", "", "spec: {"+spec+"}") }
	elsewhere := job("managedBy: queue.example.com/multi")
	ccm := func(renewed time.Duration) string { return leaseOf("kube-system", session.CloudManager, renewed) }
	manager := manifest("apps/v1", "Deployment", "queue", "m", "",
		"spec: {template: {spec: {containers: [{name: c, args: [queue.example.com/multi]}]}}}")
	stopped := driverPart("Deployment", "ctl", sidecars, ", replicas: 0") +
		leaseHeldBy("csi-example-com", "ctl-5d9c7-x2xzk", time.Hour)
	return []bearerCase{
		{name: "no cloud", held: service, finalizer: balancer, state: "Missing CloudManagerMissing",
			absent: finding.ControllerMissing},
		{name: "no cloud and no Service", held: service, bare: true, finalizer: balancer,
			state: "Missing CloudManagerMissing"},
		{name: "a cloud", held: service, finalizer: balancer, others: ccm(time.Second), state: "Running CloudManagerRuns"},
		{
			name: "a cloud that has stopped", held: service, finalizer: balancer, others: ccm(time.Hour),
			state: "Down CloudManagerDown", absent: finding.ControlPlaneDown,
		},
		{
			name: "a cloud out of sight", held: service, finalizer: balancer, state: "Unknown PresenceUnsettled",
			others: manifest("v1", "Node", "", "n1", "", "spec: {providerID: 'aws:///eu-central-1a/i-1'}"),
		},
		{name: "a cloud that may not be looked for", held: service, finalizer: balancer, deny: "leases",
			state: "Unknown PresenceNotRead", unread: 1},
		{
			name: "a Job's manager that is gone", held: pod, finalizer: tracking, others: elsewhere,
			state: "Missing JobManagerMissing", absent: finding.ControllerMissing,
		},
		{name: "a Job's manager that is there", held: pod, finalizer: tracking, others: elsewhere + manager,
			state: "Unknown PresenceUnsettled"},
		{
			name: "a Job that nobody else runs", held: pod, finalizer: tracking, others: job("") + managerRuns(),
			state: "Running ControllerManagerRuns",
		},
		{name: "a Job that is gone", held: pod, finalizer: tracking, others: managerRuns(),
			state: "Running ControllerManagerRuns"},
		{name: "a Job that may not be read", held: pod, finalizer: tracking, others: elsewhere, deny: "jobs",
			state: "Unknown PresenceNotRead", unread: 1},
		{name: "a driver that is gone", held: volume, finalizer: provisionerFinalizer, state: "Missing StorageDriverAbsent",
			absent: finding.ControllerMissing},
		{name: "a driver that is registered", held: volume, finalizer: provisionerFinalizer, others: csiDriver(),
			state: "Unknown StorageDriverUnsettled"},
		{name: "a driver that is down", held: volume, finalizer: provisionerFinalizer, others: stopped,
			state: "Down ControllerNotRunning", absent: finding.ControllerDown},
		{name: "a driver that may not be looked for", held: volume, finalizer: provisionerFinalizer, deny: "csidrivers",
			state: "Unknown PresenceNotRead", unread: 1},
	}
}

// TestBearer: the object shows which controller is responsible for a finalizer, for explain and check as for why.
func TestBearer(t *testing.T) {
	for _, c := range bearerCases() {
		objects := c.held + c.others
		if c.bare {
			objects = strings.Replace(objects, "finalizers: ["+c.finalizer+"]", "", 1)
		}
		tools := toolsFor(t, objects, strings.Fields(c.deny)...)
		object := firstOf(t, tools, c.held)
		known, found := tools.Plugins.Find(c.finalizer, object.Resource.GroupKind().String())
		if !found {
			t.Fatalf("%s: nothing is known of %s", c.name, c.finalizer)
		}
		presence := Presence(t.Context(), tools, object.Resource, c.finalizer, &known)
		if got := string(presence.State) + " " + presence.Situation; got != c.state {
			t.Errorf("%s: explain says %s, want %s", c.name, got, c.state)
		}
		if c.bare {
			continue
		}
		tools = toolsFor(t, objects, strings.Fields(c.deny)...)
		absence, reason := Absent(t.Context(), tools, object, c.finalizer), finding.Reason("")
		if absence.Cause != nil {
			reason = absence.Cause.Reason
		}
		if reason != c.absent || len(absence.Unread) != c.unread {
			t.Errorf("%s: check says %q, want %q; unread: %v", c.name, reason, c.absent, absence.Unread)
		}
	}
}
