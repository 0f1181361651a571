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
	stuck := []string{"cause ContainerNotStopping ContainerNotStopping Pod shop/web"}
	late := stoppedPod(10*time.Minute, "n1", running) + node
	runCases(t, []mechanismCase{
		{
			name: "just late", objects: stoppedPod(35*time.Second, "n1", running) + node,
			told: []string{"progress PodJustLate Pod shop/web"},
		},
		{name: "a container that runs", objects: late, told: stuck},
		{name: "one, and webhooks that may not be read", objects: late, deny: webhooks, told: stuck},
		{name: "containers that have ended", objects: stoppedPod(10*time.Minute, "n1", "phase: Failed") + node, told: stuck},
		{
			name:    "containers that have ended, and webhooks that may not be read",
			objects: stoppedPod(10*time.Minute, "n1", "phase: Failed") + node, deny: webhooks,
			told: []string{"open KubeletRefusalsUnread Pod shop/web"},
		},
	})
	details, _ := ask(t, late).Causes[0].Details.(finding.ContainerNotStoppingDetails)
	if diff := cmp.Diff([]string{"main"}, details.Running); diff != "" || details.Ended {
		t.Errorf("details %+v; running (-want +got):\n%s", details, diff)
	}
}
