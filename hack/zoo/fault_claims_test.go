package zoo_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// claims are what an answer says of a cluster, a line for each statement. That something isn't known is none. An answer
// that was given with less may make fewer claims, and no others.
type claims struct {
	made       []string
	unreadable []finding.Unreadable
	code       int // that --exit-code gives it
}

func (c *claims) make(format string, args ...any) {
	c.made = append(c.made, fmt.Sprintf(format, args...))
}

// judge says what is wrong with an answer beside the one that rests on everything. certain says that something can't
// have been read.
func (c *claims) judge(full *claims, certain bool) (problems []string) {
	for _, made := range c.made {
		if !slices.Contains(full.made, made) {
			problems = append(problems, fmt.Sprintf("it says %q, which isn't so", made))
		}
	}
	lacks := slices.ContainsFunc(full.made, func(made string) bool { return !slices.Contains(c.made, made) })
	if (lacks || certain) && len(c.unreadable) == 0 {
		problems = append(problems, fmt.Sprintf("it doesn't say that anything could not be read (claims %q of %q)", c.made,
			full.made))
	}
	for _, unreadable := range c.unreadable {
		if unreadable.Error == "" || unreadable.Resource == "" {
			problems = append(problems, fmt.Sprintf("it doesn't say what could not be read, or why: %+v", unreadable))
		}
	}
	return problems
}

// read decodes an answer and returns what it claims.
func read[R any](claim func(*R) *claims) func(answer string) (*claims, error) {
	return func(answer string) (*claims, error) {
		var result R
		if err := json.Unmarshal([]byte(answer), &result); err != nil {
			return nil, fmt.Errorf("%w: %q", err, answer)
		}
		return claim(&result), nil
	}
}

func claimsOfDiagnosis(answer *result.Diagnosis) *claims {
	made := &claims{unreadable: answer.Unreadable, code: codeOf(0, answer.Verdict)}
	made.verdict(answer.Target, answer.Verdict)
	made.causes(answer.RootCauses)
	return made
}

func claimsOfList(answer *result.List) *claims {
	made := &claims{unreadable: answer.Unreadable}
	var verdicts []result.Verdict
	for _, item := range answer.Items {
		made.make("%s is Terminating", item.Target)
		made.verdict(item.Target, item.Verdict)
		verdicts = append(verdicts, item.Verdict)
	}
	made.causes(answer.RootCauses)
	made.code = codeOf(len(answer.Unreadable), verdicts...)
	return made
}

func claimsOfTree(answer *result.Tree) *claims {
	made := &claims{unreadable: answer.Unreadable}
	for _, node := range answer.Nodes {
		if node.Known {
			made.make("%s is there, with %v", node.Ref, node.Finalizers)
		}
	}
	for _, edge := range answer.Edges {
		if edge.Reference != finding.OwnerUnreadable {
			made.make("%s %s %s %s", answer.Nodes[edge.From].Ref, edge.Type, answer.Nodes[edge.To].Ref, edge.Reference)
		}
	}
	made.causes(answer.RootCauses)
	return made
}

func claimsOfCheck(answer *result.Check) *claims {
	made := &claims{unreadable: answer.Unreadable}
	if len(answer.Unreadable) > 0 {
		made.code = 4
	}
	for _, reported := range answer.Findings {
		if reported.Severity != result.Info {
			made.code = 2
		}
		for _, ref := range append([]finding.Ref{reported.Object}, reported.Others...) {
			if reported.Reason != finding.ControllerUnknown && reported.Reference != finding.OwnerUnreadable {
				made.make("%s of %s: %s%s", reported.Reason, ref, reported.Finalizer, reported.Reference)
			}
		}
	}
	return made
}

func claimsOfExplanation(answer *result.Explanation) *claims {
	made := &claims{}
	switch {
	case answer.Cluster == nil:
		return made
	case !answer.Cluster.Asked:
		made.unreadable = []finding.Unreadable{{Resource: "all", Error: answer.Cluster.WhyNot}}
		return made
	}
	made.unreadable = answer.Cluster.Unreadable
	for _, controller := range answer.Cluster.Controllers {
		if controller.State != "Unknown" {
			made.make("the controller on %v is %s, %s", controller.Kinds, controller.State, controller.Certainty)
		}
	}
	return made
}

func (c *claims) verdict(ref finding.Ref, verdict result.Verdict) {
	if verdict != result.Undetermined {
		c.make("%s is %s", ref, verdict)
	}
}

func (c *claims) causes(causes []result.RootCause) {
	for _, cause := range causes {
		for _, ref := range append([]finding.Ref{cause.Object}, cause.Others...) {
			if cause.Reason == finding.ControllerUnknown {
				continue
			}
			c.make("%s of %s", cause.Reason, ref)
			if cause.Certainty == finding.Proven {
				c.make("%s of %s is proven", cause.Reason, ref)
			}
		}
	}
}

// codeOf is the exit code of verdicts (docs/guide.md), worked out once more.
func codeOf(unreadable int, verdicts ...result.Verdict) int {
	for _, one := range []struct {
		verdict result.Verdict
		code    int
	}{{result.Stuck, 2}, {result.Undetermined, 4}, {result.Progressing, 3}} {
		if slices.Contains(verdicts, one.verdict) {
			return one.code
		}
	}
	if unreadable > 0 {
		return 4
	}
	return 0
}

// falseComfort returns what of a text for people would say that all is well.
func falseComfort(text string) string {
	for _, sentence := range []string{"Nothing is Terminating", "No problems found. No objects"} {
		if strings.Contains(text, sentence) && !strings.Contains(strings.ToLower(text), "not everything could be read") {
			return sentence
		}
	}
	return ""
}
