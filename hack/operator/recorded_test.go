package operator_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/operator"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/recording"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo/judge"
)

// keep makes TestOperators keep its recordings: make record-operators.
var keep = flag.Bool("record", false, "keep the recordings of the scenarios in testdata/recorded")

func recordingOf(scenario operator.Scenario) string {
	return filepath.Join("testdata", "recorded", scenario.ID+recording.Extension)
}

// TestOperatorsFromRecordings asks the questions of all scenarios of their recordings, which need no operator: the
// answers have to be the same.
func TestOperatorsFromRecordings(t *testing.T) {
	if *keep {
		t.Skip("the recordings are being made")
	}
	all, err := operator.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, scenario := range all {
		file := recordingOf(scenario)
		known[file] = true
		t.Run(scenario.ID, func(t *testing.T) {
			t.Parallel()
			if _, err := os.Stat(file); err != nil {
				t.Fatalf("run make record-operators, and commit hack/operator/%s: %v", file, err)
			}
			file := recording.File(t, file)
			checkSecrets(t, file)
			asker{t: t, from: []string{"--snapshot", file}}.ask(scenario)
			if t.Failed() {
				t.Logf("if the scenario or what is read has changed: run make record-operators, and commit hack/operator/testdata")
			}
		})
	}
	files, err := filepath.Glob(filepath.Join("testdata", "recorded", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !known[file] {
			t.Errorf("hack/operator/%s is of no scenario that there is: delete it", file)
		}
	}
}

// checkSecrets looks for what no recording may hold: tokens and keys.
func checkSecrets(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`PRIVATE KEY|eyJ[\w-]{20,}\.[\w-]+\.`).Find(text); found != nil {
		t.Errorf("%s holds %.20q…", name, found)
	}
}

// record has the whole cluster recorded, and holds what is answered from the recording to what is answered live.
func (a asker) record(scenario operator.Scenario) {
	a.t.Helper()
	folder, diff := a.t.TempDir(), ""
	var file string
	// The cluster changes while it is asked and recorded.
	for round := range 3 {
		file = filepath.Join(folder, fmt.Sprintf("recording-%d", round))
		a.run("snapshot", "-A", "-o", file)
		diff = ""
		for _, args := range questionsOf(scenario) {
			args = append(args, "-o", "json")
			live := judge.Timeless(a.run(args...))
			recorded := judge.Timeless(execute(a.t, append(slices.Clone(args), "--snapshot", file)...))
			if text := cmp.Diff(live, recorded); text != "" {
				diff += strings.Join(args, " ") + "\n" + text
			}
		}
		if diff == "" {
			break
		}
	}
	if diff != "" {
		a.t.Errorf("the recording's answers differ (-live +recorded):\n%s", diff)
	}
	if !*keep || a.t.Failed() {
		return
	}
	data, err := os.ReadFile(file)
	if err == nil {
		err = recording.Write(recordingOf(scenario), data)
	}
	if err != nil {
		a.t.Error(err)
	}
}

// questionsOf are the commands whose answers are compared.
func questionsOf(scenario operator.Scenario) [][]string {
	commands := [][]string{{"list", "-A"}, {"check", "-A"}}
	if scenario.Elsewhere {
		return commands
	}
	for _, question := range scenario.Targets {
		commands = append(commands, whyOf(question))
	}
	return commands
}
