package zoo_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/recording"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/schema/outputs"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo/judge"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// record makes TestZoo keep its recordings: make record-zoo.
var record = flag.Bool("record", false, "keep the recordings of the scenarios in testdata/recorded")

// recordingOf is where the recording of one question of a scenario is kept, of the newest version.
func recordingOf(scenario zoo.Scenario, question zoo.Question) string {
	return filepath.Join(folderOf(newest), scenario.RecordingName(question)+recording.Extension)
}

// isRecorded reports whether a question can be asked of a recording.
func isRecorded(question zoo.Question) bool {
	return question.Want.Verdict != "" && !slices.Contains(question.Args, "--probe")
}

// TestZooFromRecordings asks the questions of all scenarios of their recordings, which were made on the
// real control plane: the answers have to be the same.
func TestZooFromRecordings(t *testing.T) {
	if *record {
		t.Skip("the recordings are being made")
	}
	for _, version := range recordedOn(t) {
		t.Run(version, func(t *testing.T) { replay(t, version, sensitiveOn(t, version)) })
	}
	replay(t, newest, scenariosOn(t, newest))
}

// replay asks the questions of some scenarios of their recordings on a version, and holds the answers against the
// schema.
func replay(t *testing.T, version string, scenarios []zoo.Scenario) {
	t.Helper()
	schemas, err := outputs.Open("../../docs/schema")
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(folderOf(version), "*"+recording.Extension))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		left[file] = true
	}
	defer func() {
		for file := range left {
			t.Errorf("hack/zoo/%s is of no scenario that there is: delete it", file)
		}
	}()
	for _, scenario := range scenarios {
		for _, question := range scenario.Questions() {
			file := filepath.Join(folderOf(version), scenario.RecordingName(question)+recording.Extension)
			delete(left, file)
			if !isRecorded(question) {
				continue
			}
			t.Run(strings.TrimSuffix(filepath.Base(file), recording.Extension), func(t *testing.T) {
				t.Parallel()
				if _, err := os.Stat(file); err != nil {
					if question.Want.Gone {
						return // it was gone when it was to be recorded
					}
					t.Fatalf("scenario %s has no recording: run make record-zoo, which breaks the real control "+
						"plane, and commit %s (%v)", scenario.ID, filepath.Join("hack", "zoo", file), err)
				}
				defer func() {
					if t.Failed() {
						t.Logf("if scenario %s or what it reads has changed since it was recorded: run make "+
							"record-zoo, and commit hack/zoo/testdata", scenario.ID)
					}
				}()
				file := recording.File(t, file)
				human := why(t.Context(), question, "--snapshot", file, "-o", "human")
				got := why(t.Context(), question, "--snapshot", file, "-o", "json")
				if got.isGone() && question.Want.Gone {
					return
				}
				answer := got.diagnosis(t)
				if version != newest { // older releases take long to build, and are recorded anew seldom
					answer.Unreadable = slices.DeleteFunc(answer.Unreadable,
						func(unreadable finding.Unreadable) bool { return unreadable.Why == "not recorded" })
				}
				judge.Compare(t, question, answer, human.out)
				judge.Length(t, human.out)
				foreseen := (&asker{}).about(t.Context(), "preview", question, "--snapshot", file)
				judge.Length(t, foreseen.out)
				if err := schemas.Check([]byte(got.out)); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// record has a question recorded, and holds the answer of the recording to the live one: they are equal
// but for times.
func (k *keeper) record(t *testing.T, scenario zoo.Scenario, question zoo.Question, asker *asker) {
	t.Helper()
	if !isRecorded(question) {
		return
	}
	var live reply
	var file string
	forAdministrator := regexp.MustCompile(`,\n\s*"ask": "(?:\\.|[^"\\])*"`) // of the live cluster
	ask := func() string {
		live = asker.ask(t.Context(), question, "json")
		return judge.Timeless(forAdministrator.ReplaceAllString(live.out, ""))
	}
	whileItChanges(t, ask, func(said string) string {
		if live.code != 0 {
			return "" // it is gone
		}
		file = filepath.Join(t.TempDir(), "recording")
		if recorded := asker.snapshot(t.Context(), question, file); recorded.code != 0 {
			return fmt.Sprintf("snapshot: exit code %d\n%s", recorded.code, recorded.errOut)
		}
		replayed := why(t.Context(), question, "--snapshot", file, "-o", "json")
		if diff := cmp.Diff(said, judge.Timeless(either(replayed.out, replayed.errOut))); diff != "" {
			return "the recording's answer differs (-live +recorded):\n" + diff
		}
		return ""
	})
	if live.code != 0 {
		return
	}
	if *record && (k.plane.Version == newest || scenario.Sensitive) {
		kept := filepath.Join(folderOf(k.plane.Version), scenario.RecordingName(question)+recording.Extension)
		if err := keep(file, kept); err != nil {
			t.Error(err)
		}
	}
}

func (a *asker) snapshot(ctx context.Context, question zoo.Question, file string) reply {
	args := []string{"snapshot", question.Target, "--kubeconfig", a.kubeconfig, "-o", file}
	if question.Namespace != "" {
		args = append(args, "-n", question.Namespace)
	}
	return a.run(ctx, append(args, question.Args...)...)
}

func keep(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return recording.Write(to, data)
}

// either is what a program answered, or why it did not.
func either(out, errOut string) string {
	if out == "" {
		return errOut
	}
	return out
}
