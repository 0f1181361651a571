package mechanism

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

func TestContainerNotStopping(t *testing.T) {
	node := nodeOf("True", "", "") + kubeletRuns()
	const webhooks = "validatingwebhookconfigurations"
	const running = "phase: Running, containerStatuses: [{name: main, state: {running: {}}}, {name: side, state: {}}]"
	stuck := func(left string) []string {
		const cause = "cause ContainerNotStopping ContainerNotStopping Pod shop/web key ContainerNotStopping,Node n1,"
		return []string{cause + left}
	}
	late := stoppedPod(10*time.Minute, "n1", running) + node
	runCases(t, []mechanismCase{
		{
			name: "just late", objects: stoppedPod(35*time.Second, "n1", running) + node,
			told: []string{"progress PodJustLate Pod shop/web"},
		},
		{name: "a container that runs", objects: late, told: stuck("false,[main]")},
		{name: "one, and webhooks that may not be read", objects: late, deny: webhooks, told: stuck("false,[main]")},
		{
			name: "containers that have ended", objects: stoppedPod(10*time.Minute, "n1", "phase: Failed") + node,
			told: stuck("true,[]"),
		},
		{
			name:    "containers that have ended, and webhooks that may not be read",
			objects: stoppedPod(10*time.Minute, "n1", "phase: Failed") + node, deny: webhooks,
			told: []string{"open KubeletRefusalsUnread Pod shop/web"},
		},
	})
	details, _ := ask(t, late).Causes[0].Details.(finding.ContainerNotStoppingDetails)
	if diff := cmp.Diff([]string{"main"}, details.Running); diff != "" || details.Ended || details.Words != "" {
		t.Errorf("details %+v; running (-want +got):\n%s", details, diff)
	}
}

func TestRunningContainers(t *testing.T) {
	status := "phase: Pending, initContainerStatuses: [{name: prepare, state: {running: {}}}]," +
		"containerStatuses: [{name: main, state: {waiting: {reason: PodInitializing}}}]," +
		"ephemeralContainerStatuses: [{name: debugger, state: {running: {}}}]"
	found := ask(t, stoppedPod(10*time.Minute, "n1", status)+nodeOf("True", "", "")+kubeletRuns()).Causes[0]
	details, _ := found.Details.(finding.ContainerNotStoppingDetails)
	if diff := cmp.Diff([]string{"prepare", "debugger"}, details.Running); diff != "" {
		t.Errorf("running (-want +got):\n%s", diff)
	}
}

func TestComplaintOfKubelet(t *testing.T) {
	event := func(reason string, before time.Duration) string {
		return manifest("v1", "Event", "shop", "web.1", "", "involvedObject: {uid: pod-web}\ntype: Warning\nreason: "+
			reason+"\nmessage: device is busy\nlastTimestamp: "+ago(before))
	}
	cluster := stoppedPod(10*time.Minute, "n1", "phase: Failed") + nodeOf("True", "", "") + kubeletRuns()
	for name, c := range map[string]struct{ event, words string }{
		"since the deletion":         {event("FailedKillPod", time.Minute), "device is busy"},
		"before the deletion":        {event("FailedKillPod", time.Hour), ""},
		"about something else":       {event("Unhealthy", time.Minute), ""},
		"none, which proves nothing": {"", ""},
	} {
		found := ask(t, cluster+c.event).Causes[0]
		if details, _ := found.Details.(finding.ContainerNotStoppingDetails); details.Words != c.words {
			t.Errorf("%s: the kubelet says %q, want %q", name, details.Words, c.words)
		}
	}
}
