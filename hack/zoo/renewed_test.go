package zoo_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/recording"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestZooRecordingsRenewed leaves out of each recording what would not be recorded today, and asks it again: no answer
// needs more than what is kept.
func TestZooRecordingsRenewed(t *testing.T) {
	if *record {
		t.Skip("the recordings are being made")
	}
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	scenarios, err := zoo.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, scenario := range scenarios {
		for _, question := range scenario.Questions() {
			file := recordingOf(scenario, question)
			if _, err := os.Stat(file); err != nil || !isRecorded(question) {
				continue // TestZooFromRecordings complains
			}
			t.Run(strings.TrimSuffix(filepath.Base(file), recording.Extension), func(t *testing.T) {
				t.Parallel()
				file := recording.File(t, file)
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				if err := snapshot.Renew(t.Context(), data, &out, known); err != nil {
					t.Fatal(err)
				}
				renewed := filepath.Join(t.TempDir(), "renewed")
				if err := os.WriteFile(renewed, out.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
				before := why(t.Context(), question, "--snapshot", file, "-o", "json")
				after := why(t.Context(), question, "--snapshot", renewed, "-o", "json")
				path := regexp.MustCompile(`--snapshot \S+`)
				if diff := cmp.Diff(path.ReplaceAllString(before.out+before.errOut, ""),
					path.ReplaceAllString(after.out+after.errOut, "")); diff != "" {
					t.Errorf("(-before +after):\n%s", diff)
				}
			})
		}
	}
}
