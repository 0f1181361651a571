package mechanism

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// stoppedPod was asked to stop some time ago, with 30 seconds of grace.
func stoppedPod(before time.Duration, node, status string) string {
	meta := "deletionGracePeriodSeconds: 30, deletionTimestamp: " + ago(before-30*time.Second)
	spec := fmt.Sprintf("spec: {nodeName: %q}\nstatus: {%s}", node, status)
	return manifest("v1", "Pod", "shop", "web", meta, spec)
}

// nodeOf has had a Ready condition for an hour.
func nodeOf(ready, meta, spec string) string {
	condition := fmt.Sprintf("{type: Ready, status: %q, lastTransitionTime: %s}", ready, ago(time.Hour))
	return manifest("v1", "Node", "", "n1", meta, "spec: {"+spec+"}\nstatus: {conditions: ["+condition+"]}")
}

func kubeletRuns() string { return leaseOf("kube-node-lease", "n1", time.Second) }

func TestGracePeriod(t *testing.T) {
	const early, late = 10 * time.Second, 10 * time.Minute
	notReady := []string{"wait Node n1", "  cause NodeNotReady NodeNotReady Node n1"}
	mayReturn := []string{"wait Node n1", "  open NodeMayReturn Node n1 key NodeMayReturn,Node n1"}
	runCases(t, []mechanismCase{
		{
			name: "without a node", objects: stoppedPod(early, "", ""),
			told: []string{"progress NothingHoldsPod Pod shop/web key NothingHoldsPod"},
		},
		{
			name: "within its grace period", objects: stoppedPod(early, "n1", "") + nodeOf("True", "", "") + kubeletRuns(),
			told: []string{"progress PodBeingStopped Pod shop/web"},
		},
		{name: "a dead node", objects: stoppedPod(early, "n1", "") + nodeOf("Unknown", "", ""), told: notReady},
		{
			name:    "a node whose condition lags behind its kubelet's death",
			objects: stoppedPod(early, "n1", "") + nodeOf("True", "", "") + leaseOf("kube-node-lease", "n1", time.Hour),
			told:    notReady,
		},
		{
			name:    "a node whose kubelet was last heard of a moment ago, within the grace period",
			objects: stoppedPod(early, "n1", "") + nodeOf("True", "", "") + leaseOf("kube-node-lease", "n1", 59*time.Second),
			told:    mayReturn,
		},
		{
			name:    "a minute ago",
			objects: stoppedPod(late, "n1", "") + nodeOf("True", "", "") + leaseOf("kube-node-lease", "n1", time.Minute),
			told:    notReady,
		},
		{
			name:    "a node that was created a moment ago",
			objects: stoppedPod(early, "n1", "") + manifest("v1", "Node", "", "n1", "creationTimestamp: "+ago(early), ""),
			told:    mayReturn,
		},
		{
			name: "a node that was created a moment ago, for somebody who may not read Leases", deny: "leases",
			objects: stoppedPod(early, "n1", "") + manifest("v1", "Node", "", "n1", "creationTimestamp: "+ago(early), ""),
			told:    mayReturn,
		},
		{
			name:    "a node that is out of service",
			objects: stoppedPod(late, "n1", "") + nodeOf("False", "", "taints: [{key: node.kubernetes.io/out-of-service}]"),
			told:    []string{"progress NodeOutOfService Node n1"},
		},
		{name: "a node that may not be read", objects: stoppedPod(late, "n1", "") + nodeOf("Unknown", "", ""), deny: "nodes"},
		{
			name:    "a kubelet's Lease that may not be read",
			objects: stoppedPod(late, "n1", "") + nodeOf("True", "", "") + kubeletRuns(), deny: "leases",
		},
	})
}

// TestShortenGracePeriod offers to shorten a grace period if much is left, and no other.
func TestShortenGracePeriod(t *testing.T) {
	for left, want := range map[time.Duration]int{time.Hour: 1, 30 * time.Second: 0} {
		meta := fmt.Sprintf("deletionGracePeriodSeconds: 3600, deletionTimestamp: %s", ago(-left))
		pod := manifest("v1", "Pod", "shop", "web", meta, "spec: {nodeName: n1}")
		answer := ask(t, pod+nodeOf("True", "", "")+kubeletRuns())
		var commands []string
		for _, progress := range answer.Progress {
			for _, step := range progress.Remedies {
				commands = append(commands, step.Command.String())
			}
		}
		if len(commands) != want || want > 0 && !strings.Contains(commands[0], "delete pods/web --grace-period=30") {
			t.Errorf("%s left: %q, want %d", left, commands, want)
		}
	}
}
