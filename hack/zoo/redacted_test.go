package zoo_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/recording"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// TestZooRedacted asks the questions of all scenarios of their recordings with names replaced: except for the names,
// the answers are the same. If only names distinguish programs, nothing distinguishes them any more.
func TestZooRedacted(t *testing.T) {
	if *record {
		t.Skip("the recordings are being made")
	}
	for _, scenario := range scenariosOn(t, newest) {
		for _, question := range scenario.Questions() {
			file := recordingOf(scenario, question)
			if slices.Contains([]string{
				"P05a", "P36", "Q14c", "Q17", "Q214", "Q215", "Q227", "Q235", "Q235b", "Q236", "Q237",
			}, scenario.ID) {
				// Only names lead to its operator, from a webhook to the policies of its engine, and from a program to
				// what it has written; and an object that can't be read has no uid by which to find it. In Q236 and Q237,
				// labels have the Job's uid: it is replaced there and in the read of the Job's events.
				continue
			}
			if _, err := os.Stat(file); err != nil || !isRecorded(question) {
				continue // TestZooFromRecordings complains
			}
			t.Run(strings.TrimSuffix(filepath.Base(file), recording.Extension), func(t *testing.T) {
				t.Parallel()
				file := recording.File(t, file)
				answer := why(t.Context(), question, "--snapshot", file, "-o", "json")
				if answer.isGone() {
					return
				}
				named := answer.diagnosis(t)
				redacted, question := redact(t, file, question, named.Target.UID)
				answer = why(t.Context(), question, "--snapshot", redacted, "-o", "json")
				nameless := answer.diagnosis(t)
				if nameless.Verdict == result.Undetermined && restsOnNames(scenario) {
					return
				}
				if diff := cmp.Diff(gist(named), gist(nameless)); diff != "" {
					t.Errorf("-named +redacted:\n%s", diff)
				}
			})
		}
	}
}

// restsOnNames lists scenarios in which only names tell several programs apart: of operators, of programs with equal
// rights, of instances that their settings name, of switches for one of two projects, of the writers of a status; in
// which only its name shows that a workload is the known one; or in which a message names the objects that are waited
// for.
func restsOnNames(scenario zoo.Scenario) bool {
	return slices.Contains([]string{
		"P02a", "P02b", "P02c", "P06d", "P08a", "P14d", "P16b", "P20b", "P20e", "P22b", "Q11", "Q11b", "Q30", "Q80b", "Q88",
		"Q88b", "Q90", "Q123", "Q140", "Q171b", "Q172", "Q184", "Q184b", "Q191", "Q201", "Q202", "Q205",
		"Q209b", "Q213b", "Q214b", "Q215b", "Q216", "Q216b", "Q225", "Q225b", "S61",
	}, scenario.ID)
}

// gist is what an answer says without names.
func gist(d *result.Diagnosis) (said []string) {
	for _, cause := range d.RootCauses {
		said = append(said, fmt.Sprintf("%s %s, %s: %d, frees %d, %d remedies, %d pieces of evidence", cause.Reason,
			cause.Object.Kind, cause.Certainty, cause.Count, cause.Frees, len(cause.Remedies), len(cause.Evidence)))
	}
	for _, observation := range d.Observations {
		said = append(said, fmt.Sprintf("observed %q of %s", observation.Verdict, observation.Object.Kind))
	}
	for _, unreadable := range d.Unreadable {
		said = append(said, fmt.Sprintf("%s unread: %s", unreadable.Resource, unreadable.Why))
	}
	slices.Sort(said)
	return append([]string{string(d.Verdict)}, said...)
}

// redact replaces the names in a recording, and returns what is asked of it: the object of the same uid.
func redact(t *testing.T, file string, question zoo.Question, uid string) (string, zoo.Question) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := snapshot.Redact(t.Context(), data, &out); err != nil {
		t.Fatal(err)
	}
	redacted := filepath.Join(t.TempDir(), "redacted")
	if err := os.WriteFile(redacted, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	unzipped, err := gzip.NewReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var line struct {
			Object struct{ Group, Resource, Namespace, Name string }
			Body   struct{ Metadata struct{ UID string } }
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if uid != "" && line.Body.Metadata.UID == uid {
			question.Target = strings.TrimSuffix(line.Object.Resource+"."+line.Object.Group, ".") + "/" + line.Object.Name
			question.Namespace = line.Object.Namespace
			return redacted, question
		}
	}
	return redacted, question
}
