package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/recording"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

// question is what an assistant is asked about one recording, and the truth.
type question struct {
	Name, Recording   string
	Target, Namespace string
	Want              zoo.Answer
}

// casesIn returns the questions of the zoo that have a recording in a folder, whose names match a pattern.
func casesIn(folder string, pattern *regexp.Regexp) (cases []question, err error) {
	scenarios, err := zoo.All()
	if err != nil {
		return nil, err
	}
	for _, scenario := range scenarios {
		for _, asked := range scenario.Questions() {
			name := scenario.RecordingName(asked)
			file := filepath.Join(folder, name+recording.Extension)
			judged := asked.Want.Verdict != "" && len(asked.Args) == 0 && pattern.MatchString(name)
			if _, err := os.Stat(file); err != nil || !judged {
				continue
			}
			cases = append(cases, question{
				Name: name, Recording: file, Target: asked.Target, Namespace: asked.Namespace, Want: asked.Want,
			})
		}
	}
	return cases, nil
}

// text is the question as an assistant reads it. The form of the last line lets a program judge the answer.
func (q question) text() string {
	where := ""
	if q.Namespace != "" {
		where = " in the namespace " + q.Namespace
	}
	return fmt.Sprintf(strings.TrimLeft(`
%s%s does not go away after it was deleted. Find out why with the tools that you have, and say what to do.

The last line of your answer must be one line of JSON:
{"verdict": "Stuck", "causes": [{"reason": "REASON", "object": "KIND/NAMESPACE/NAME"}], "commands": ["COMMAND"]}
verdict is Stuck, Progressing, Undetermined or NotTerminating. causes are the root causes by their reason codes, each
with the object that has to be repaired (KIND/NAME if it has no namespace). commands are the commands that you propose,
in their order.
`, "\n"), q.Target, where)
}
