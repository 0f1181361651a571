package zoo

import (
	"context"
	"fmt"
	"strings"
)

// Holds waits until what a scenario has brought about is so: its Nodes that are meant to be alive are Ready, and the
// states that it ended with waiting for are there. A busy machine lets a heartbeat come late, and others write, too.
func (b *Breaker) Holds(ctx context.Context, scenario Scenario) error {
	for _, until := range scenario.Preconditions() {
		if err := b.Await(ctx, until); err != nil {
			return fmt.Errorf("%s: before it is asked about: %w", scenario.ID, err)
		}
	}
	return nil
}

// Preconditions returns the states that hold once a scenario's steps are done: Nodes that it keeps alive, what it waits
// for after the last step that changes something, and that a target is gone that isn't meant to be there when it is
// asked about.
func (s Scenario) Preconditions() (states []Until) {
	for _, question := range s.Questions() {
		if question.Want.Gone && question.Want.Verdict == "" {
			states = append(states, Until{Object: Object{Object: question.Target, Namespace: question.Namespace}, Gone: true})
		}
	}
	for i, step := range s.Steps {
		switch {
		case step.AliveNode != "" && !s.touchedAfter(i, step.AliveNode):
			states = append(states, Until{
				Object: Object{Object: "node/" + step.AliveNode},
				Path:   `{.status.conditions[?(@.type=="Ready")].status}`, Is: "True",
			})
		case step.Until != nil && s.onlyWaitsAfter(i):
			states = append(states, *step.Until)
		}
	}
	return states
}

// touchedAfter reports whether a step after one of a number does something to a Node.
func (s Scenario) touchedAfter(number int, node string) bool {
	for _, step := range s.Steps[number+1:] {
		switch {
		case step.Delete != nil && isNode(step.Delete.Object.Object, node),
			step.Patch != nil && isNode(step.Patch.Object.Object, node),
			step.Aged != nil && isNode(step.Aged.Object.Object, node),
			step.Etcd != nil && strings.HasSuffix(step.Etcd.Key, "/"+node):
			return true
		}
	}
	return false
}

func isNode(object, name string) bool {
	return object == "node/"+name || object == "nodes/"+name
}

func (s Scenario) onlyWaitsAfter(number int) bool {
	for _, step := range s.Steps[number+1:] {
		if step.Until == nil {
			return false
		}
	}
	return true
}
