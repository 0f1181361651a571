package mechanism

import (
	"testing"
	"time"
)

func TestNodeGoing(t *testing.T) {
	pod := stoppedPod(10*time.Minute, "n1", "")
	going := "deletionTimestamp: " + ago(20*time.Minute)
	held := pod + nodeOf("Unknown", deleted(20*time.Minute, "example.com/machine"), "")
	const later = "later PodGoesWithNode Pod shop/web key PodGoesWithNode,Node n1"
	runCases(t, []mechanismCase{
		{
			name: "held by nobody knows whom", objects: held,
			told: []string{"wait Node n1", "wait Node n1", "  cause NodeNotReady NodeNotReady Node n1", later},
		},
		{
			name: "held by nobody knows whom, and silent for a moment",
			objects: pod + nodeOf("True", deleted(20*time.Minute, "example.com/machine"), "") +
				leaseOf("kube-node-lease", "n1", 50*time.Second),
			told: []string{
				"wait Node n1", "wait Node n1", "  open NodeMayReturn Node n1 key NodeMayReturn,Node n1", later,
			},
		},
		{
			name: "held by nothing", objects: pod + nodeOf("Unknown", going, ""), told: []string{"wait Node n1", later},
		},
		{name: "a live one", objects: pod + nodeOf("True", going, "") + kubeletRuns(), told: []string{
			"cause ContainerNotStopping ContainerNotStopping Pod shop/web key ContainerNotStopping,Node n1,false,[]",
		}},
		{name: "one that may not be read", objects: pod + nodeOf("Unknown", going, ""), deny: "nodes"},
	})
	lost := ask(t, held).Waits[1].Otherwise.Causes[0]
	if step := lost.Remedies[0].Step; step != "FixWhatHoldsNode" {
		t.Errorf("the first step is %s", step)
	}
}

func TestNodeGone(t *testing.T) {
	const early, late = 10 * time.Second, 10 * time.Minute
	runCases(t, []mechanismCase{
		{
			name: "a node that is gone", objects: stoppedPod(early, "n1", "") + managerRuns(),
			told: []string{"progress PodOfGoneNode Pod shop/web key PodOfGoneNode,Node n1"},
		},
		{
			name: "a node that is gone, and nobody to notice", objects: stoppedPod(late, "n1", "") + managerDown(),
			told: managerIsDown(),
		},
	})
}
