package print

import (
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// scriptFunctions are what the steps of a script call.
//
//go:embed uninstall_script.sh
var scriptFunctions string

// scriptOf takes what can be a script: a plan.
func scriptOf(answer result.Result) (*result.UninstallPlan, bool) {
	plan, is := answer.(*result.UninstallPlan)
	return plan, is
}

// renderScript writes a plan as a script for a POSIX shell. It stops at the first thing that is not as the plan says,
// asks before each loss, and can be run again.
func renderScript(p *result.UninstallPlan, w *writer) {
	s := &script{w: w, plan: p}
	w.line("#!/bin/sh")
	s.comment(fmt.Sprintf("%s. Planned at %s.", uninstallTitle(p), p.GeneratedAt.UTC().Format(time.RFC3339)))
	s.comment(p.Summary)
	w.line("set -eu")
	w.line("kube() { ", p.Kubectl.String(), ` "$@" </dev/null; }`)
	for line := range strings.Lines(scriptFunctions) {
		w.line(strings.TrimRight(line, "\n"))
	}
	s.first()
	for i, step := range p.Steps {
		s.step(i+1, step)
	}
	w.line()
	w.line("printf '\\nAll steps are done.\\n'")
}

type script struct {
	w    *writer
	plan *result.UninstallPlan
}

// comment writes text that the shell leaves out, in lines.
func (s *script) comment(text string) {
	for _, line := range wrap(text, mostWidth) {
		s.w.line("# ", line)
	}
}

// call writes a call of a function, with its arguments in quotes where a shell needs them.
func (s *script) call(indent string, words ...string) {
	s.w.line(indent, finding.Command(words).String())
}

// first writes what has to be so before the first step.
func (s *script) first() {
	s.w.line()
	switch s.plan.State {
	case result.UninstallBlocked:
		for _, cause := range s.plan.RootCauses {
			s.comment("To resolve first: " + cause.Message)
		}
		s.call("", "stop", "Something has to be resolved first: "+s.plan.Summary+" Then make the plan again")
	case result.UninstallUnclear:
		s.call("", "confirm", s.plan.Summary)
	}
	s.w.line("command -v kubectl >/dev/null || stop 'kubectl is not in the PATH'")
	s.w.line(s.plan.Ask.String(), " >/dev/null </dev/null || stop 'kubectl finalizers is not in the PATH'")
}

// step writes a step. What is gone is skipped, so that the script can be run again.
func (s *script) step(number int, step result.UninstallStep) {
	s.w.line()
	s.call("", "step", fmt.Sprint(number), step.Action)
	switch {
	case step.Phase == result.PhaseKeep && len(step.SaveTo) > 0:
		for i, command := range step.Commands {
			s.call("", append([]string{"save", step.SaveTo[i]}, after(command, s.plan.Kubectl)...)...)
		}
		return
	case step.Phase == result.PhaseKeep && len(step.Objects) > 0: // people may want it to be deleted
		s.w.line("if offered; then")
		s.commands("\t", step.Commands)
		s.w.line("fi")
		return
	case step.Phase == result.PhaseKeep:
		s.commands("", step.Commands)
		return
	}
	s.w.line("left=")
	for i, object := range step.Objects {
		words := []string{"foreseen", step.Paths[i], object.UID}
		if step.Phase == result.PhaseRelease {
			words = []string{"holding", step.Paths[i], object.UID, step.Finalizer}
		}
		s.call("", append(words, namespaceFlags(object)...)...)
	}
	s.w.line(`if [ -n "$left" ]; then`)
	s.before(step)
	if step.Phase == result.PhaseRelease {
		for i, object := range step.Objects {
			s.call("\t", append([]string{"has", step.Paths[i], step.Finalizer}, namespaceFlags(object)...)...)
			s.commands("\t[ -z \"$held\" ] || ", step.Commands[i:i+1])
		}
	} else {
		s.commands("\t", step.Commands)
	}
	for _, wait := range step.Wait {
		s.w.line("\t", wait.String(), " </dev/null || stop 'not all objects are gone. The answer above says why'")
	}
	s.w.line("fi")
}

// before writes what has to be so before a step, and asks before a loss.
func (s *script) before(step result.UninstallStep) {
	if step.Phase == result.PhaseInstances {
		for _, controller := range s.plan.Controllers {
			if (controller.Running || controller.Starting) && counted(controller.Object) {
				path := strings.ToLower(controller.Object.Kind) + "." + controller.Object.Group() + "/" + controller.Object.Name
				s.call("\t", append([]string{"running", path}, namespaceFlags(controller.Object)...)...)
			}
		}
	}
	for _, kind := range step.Empty {
		s.call("\t", "empty", kind)
	}
	asks := step.Phase == result.PhaseInstances || step.Phase == result.PhaseNamespace || step.Loses != ""
	if !asks {
		return
	}
	text := fmt.Sprintf("This deletes %s.", finding.Plural(len(step.Objects), "object"))
	if step.Phase == result.PhaseRelease {
		text = fmt.Sprintf("This changes %s.", finding.Plural(len(step.Objects), "object"))
	}
	if len(step.Goes) > 0 {
		text += " It also deletes " + goesInWords(step.Goes) + "."
	}
	if step.Loses != "" {
		text += " It loses " + step.Loses + "."
	}
	s.call("\t", "confirm", text)
}

// counted reports whether a workload's status has the number of its ready pods.
func counted(workload finding.Ref) bool {
	return workload.Group() == "apps" && (workload.Kind == "Deployment" || workload.Kind == "StatefulSet")
}

// commands writes commands that must succeed, each of them.
func (s *script) commands(lead string, commands []finding.Command) {
	for _, command := range commands {
		s.w.line(lead, command.String(), " </dev/null")
	}
}

// after is a command without the words with which kubectl's commands begin, which the script's function has.
func after(command, kubectl finding.Command) []string { return command[len(kubectl):] }

func namespaceFlags(object finding.Ref) []string {
	if object.Namespace == "" {
		return nil
	}
	return []string{"-n", object.Namespace}
}
