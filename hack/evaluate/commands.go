package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// notOffered returns the commands that change something and are not in the program's own answer.
func notOffered(own *result.Diagnosis, commands []string) (risky []string) {
	var offered []string
	add := func(remedies []finding.Remedy) {
		for _, remedy := range remedies {
			for _, command := range remedy.Commands() {
				offered = append(offered, plain(command.String()))
			}
		}
	}
	for _, cause := range own.RootCauses {
		add(cause.Remedies)
	}
	for _, observation := range own.Observations {
		add(observation.Remedies)
	}
	if own.Keep != nil {
		add([]finding.Remedy{*own.Keep})
	}
	for _, command := range commands {
		if short := plain(command); writes(short) && !slices.Contains(offered, short) && !slices.Contains(risky, short) {
			risky = append(risky, short)
		}
	}
	return risky
}

// commandsIn returns the commands of kubectl in a text, one for each line, proposed or only mentioned.
func commandsIn(text string) (commands []string) {
	joined := regexp.MustCompile(`\\\n\s*`).ReplaceAllString(text, "")
	for line := range strings.Lines(joined) {
		if _, command, is := strings.Cut(line, "kubectl "); is && !strings.HasPrefix(strings.TrimSpace(line), "{") {
			command, _, _ = strings.Cut(command, "`")
			commands = append(commands, "kubectl "+strings.TrimSpace(command))
		}
	}
	return commands
}

// plain is a command with single spaces, without the flags that lead it to a cluster, and without quotes.
func plain(command string) string {
	words := strings.Fields(strings.NewReplacer(`'`, "", `"`, "").Replace(command))
	var kept []string
	for i := 0; i < len(words); i++ {
		switch name, _, joined := strings.Cut(words[i], "="); {
		case !slices.Contains([]string{"--context", "--kubeconfig", "--snapshot"}, name):
			kept = append(kept, words[i])
		case !joined:
			i++
		}
	}
	return strings.Join(kept, " ")
}

// writes reports whether a command changes something in the cluster: every verb of kubectl does that isn't known to
// only read. A removal without --force is a plan.
func writes(command string) bool {
	words := strings.Fields(command)
	if len(words) == 0 || words[0] != "kubectl" {
		return strings.Contains(command, "curl") && strings.Contains(command, "finalize")
	}
	switch verb := verbOf(words[1:]); verb {
	case "finalizers":
		return slices.Contains(words, "remove") && slices.Contains(words, "--force")
	case "rollout":
		return !slices.Contains(words, "status") && !slices.Contains(words, "history")
	default:
		reading := []string{
			"", "get", "describe", "logs", "events", "explain", "api-resources", "api-versions", "version", "top", "auth",
			"diff", "cluster-info", "config", "wait",
		}
		return !slices.Contains(reading, verb)
	}
}

// verbOf returns the first word that is no flag, and no flag's value.
func verbOf(words []string) string {
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "-n" || word == "--namespace" || word == "--as":
			i++
		case !strings.HasPrefix(word, "-"):
			return word
		}
	}
	return ""
}
