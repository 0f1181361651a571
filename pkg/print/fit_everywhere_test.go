package print_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/clusters"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print/table"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// longSteps are so many steps of two lines, no two of them alike.
func longSteps(of string, count int) (steps []finding.Remedy) {
	for number := range count {
		name := fmt.Sprintf("%s-step-%d", of, number)
		steps = append(steps, finding.Remedy{
			Step: name, Action: "Do " + name + ".", Command: finding.Command{"kubectl", "delete", "cm/" + name},
		})
	}
	return steps
}

// manyFindings is what check finds: so many warnings, each about an object of its own.
func manyFindings(count int) *result.Check {
	c := &result.Check{GeneratedAt: fleetAt(), Owned: count}
	for number := range count {
		name := fmt.Sprintf("held-%d", number)
		c.Findings = append(c.Findings, result.Finding{
			Severity: result.Warning, Reason: finding.ControllerMissing, Object: ref("ConfigMap", name), Count: 1,
			Finalizer: "example.com/" + name, Message: "Nothing removes the finalizer of " + name + ".",
			Evidence: []finding.Evidence{{Source: "RBAC", Observed: name}, {Source: "Leases", Observed: name}},
			Remedies: longSteps(name, 5),
		})
	}
	return c
}

// causesEach is a list of so many causes, each with an object of its own.
func causesEach(context string, count int) *result.List {
	list := &result.List{GeneratedAt: fleetAt()}
	for number := range count {
		name := fmt.Sprintf("held-%d", number)
		cause := causeOf("example.com/"+name, "")
		cause.Object, cause.Certainty, cause.Reason = ref("ConfigMap", name), finding.Likely, finding.ControllerMissing
		cause.Remedies = longSteps(name, 5)
		list.RootCauses = append(list.RootCauses, cause)
		list.Items = append(list.Items, result.ListItem{
			Target: cause.Object, Resource: "configmaps", Verdict: result.Stuck,
			Deletion:   result.Deletion{RequestedAt: fleetAt().Add(-time.Hour)},
			RootCauses: []result.ItemCause{{Index: number, Reason: cause.Reason, Object: cause.Object, Count: 1}},
			Ask:        finding.Command{"kubectl", "finalizers", "why", "configmaps/" + name, "--context", context},
		})
	}
	return list
}

// manyDiagnoses are answers about so many objects, each with a cause of its own.
func manyDiagnoses(count int) *result.DiagnosisList {
	list := &result.DiagnosisList{}
	for _, cause := range causesEach("prod", count).RootCauses {
		list.Items = append(list.Items, result.Diagnosis{
			Target: cause.Object, Verdict: result.Stuck, Summary: cause.Object.Name + " is stuck.",
			RootCauses: []result.RootCause{cause},
		})
	}
	return list
}

// longUninstall is a plan with so many causes, objects that need the operator, and steps of many commands.
func longUninstall(causes, count int) *result.UninstallPlan {
	p := &result.UninstallPlan{State: result.UninstallBlocked, Summary: "Two things are in the way."}
	p.RootCauses = causesEach("prod", causes).RootCauses
	for number := range count {
		name := fmt.Sprintf("kind-%d", number)
		p.Serves = append(p.Serves, result.UninstallServed{Resource: name, Count: 1})
		p.Stays = append(p.Stays, result.UninstallStaying{Message: name + " stays."})
	}
	for number := range 5 {
		step := result.UninstallStep{Action: fmt.Sprintf("Delete part %d.", number)}
		for range count {
			step.Commands = append(step.Commands, finding.Command{"kubectl", "delete", "cm/x"})
			step.Wait = append(step.Wait, finding.Command{"kubectl", "wait", "cm/x"})
		}
		p.Steps = append(p.Steps, step)
	}
	return p
}

// longRescue is a plan with so many facts, and steps of as many commands.
func longRescue(count int) *result.RescuePlan {
	p := &result.RescuePlan{Outcome: result.PartlyLost, Summary: "Some of it can be kept."}
	for number := range count {
		p.Lost = append(p.Lost, result.RescueFact{Message: fmt.Sprintf("Fact %d.", number)})
		p.Safe = append(p.Safe, result.RescueFact{Message: fmt.Sprintf("Safe %d.", number)})
	}
	for number := range 8 {
		step := result.RescueStep{Action: fmt.Sprintf("Do part %d.", number)}
		for range count {
			step.Commands = append(step.Commands, finding.Command{"kubectl", "create", "-f", "x.yaml"})
		}
		p.Return = append(p.Return, step)
	}
	return p
}

// TestEveryAnswerFits holds each command's answer to two screens, however much it is about. Wide output has all of it,
// and so does a page.
func TestEveryAnswerFits(t *testing.T) {
	preview := &result.PreviewList{}
	for _, d := range manyDiagnoses(12).Items {
		preview.Items = append(preview.Items, result.Preview{
			Target: d.Target, Outcome: result.WouldHang, Summary: d.Summary, RootCauses: d.RootCauses,
		})
	}
	for name, c := range map[string]struct {
		answer result.Result
		all    string // in full answers, so often
		times  int
		format string // which is full
	}{
		"check": {manyFindings(7), "1. Do held-", 7, print.FormatMarkdown},
		"check of clusters": {clusters.Checks([]clusters.Answer[*result.Check]{
			inFleet("prod-eu", manyFindings(9)), inFleet("prod-us", manyFindings(3)),
		}), "1. Do held-", 9, print.FormatMarkdown},
		"list of clusters": {clusters.Lists([]clusters.Answer[*result.List]{
			inFleet("prod-eu", causesEach("prod-eu", 40)), inFleet("prod-us", causesEach("prod-us", 3)),
		}), "configmaps/held-", 43, print.FormatWide},
		"why of several":     {manyDiagnoses(12), "-step-4.", 12, print.FormatWide},
		"preview of several": {preview, "-step-4.", 12, print.FormatWide},
		"uninstall":          {longUninstall(2, 30), "kubectl delete cm/x", 150, print.FormatWide},
		"rescue":             {longRescue(30), "kubectl create -f x.yaml", 240, print.FormatWide},
	} {
		t.Run(name, func(t *testing.T) {
			text := human(t, c.answer, print.Style{Table: table.Draw})
			if lines := strings.Count(text, "\n"); lines > 80 {
				t.Errorf("%d lines:\n%s", lines, text)
			}
			if strings.Count(text, c.all) == 0 {
				t.Errorf("nothing is told in full:\n%s", text)
			}
			if !strings.Contains(text, "-o wide") && !strings.Contains(text, "-o markdown") {
				t.Errorf("it doesn't say how to get more:\n%s", text)
			}
			var full strings.Builder
			style := print.Style{Table: table.Draw}
			if err := print.Result(t.Context(), &full, c.answer, c.format, style); err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(full.String(), c.all); got != c.times {
				t.Errorf("-o %s has %q %d times, want %d:\n%s", c.format, c.all, got, c.times, full.String())
			}
		})
	}
}
