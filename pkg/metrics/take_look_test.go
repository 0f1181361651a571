package metrics

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/recording"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/audit"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
)

// TestLookSaysWhatListAndCheckSay looks at recorded clusters, and asks the two commands besides. The look reads nothing
// for one of the questions that it has read for the other.
func TestLookSaysWhatListAndCheckSay(t *testing.T) {
	folder := filepath.Join("..", "..", "hack", "operator", "testdata", "recorded")
	recordings, err := filepath.Glob(filepath.Join(folder, "*"+recording.Extension))
	if err != nil || len(recordings) < 20 {
		t.Fatalf("%d recordings: %v", len(recordings), err)
	}
	recordings = append(recordings, filepath.Join("..", "..", "hack", "demo", "demo.snapshot"))
	for i, path := range recordings {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			if filepath.Ext(path) == recording.Extension {
				path = recording.File(t, path)
			}
			recorded, err := files.Open(t.Context(), []string{path}, nil)
			if err != nil {
				t.Fatal(err)
			}
			options := asking(t)
			listing, checking, looking := read(recorded), read(recorded), read(recorded)
			list, err := diagnosis.List(t.Context(), listing, diagnosis.ListOptions{Options: options})
			check, failed := audit.Check(t.Context(), checking, "", options)
			if err := errors.Join(err, failed); err != nil {
				t.Fatal(err)
			}
			n := look(t, looking, "")
			if diff := cmp.Diff(numbersOf(list, check), [2]map[string]int{n.told(), n.toldOfCheck()}); diff != "" {
				t.Errorf("-list and check, +look:\n%s", diff)
			}
			for what, times := range looking.reads {
				most := max(listing.reads[what], checking.reads[what])
				if strings.HasPrefix(what, "object ") {
					most = max(most, 1) // whether it is needed depends on which of what is read side by side ends first
				}
				if times > most {
					t.Errorf("%s: read %d times, and by the commands no more than %d times", what, times, most)
				}
			}
			if len(looking.reads) < 50 {
				t.Errorf("%d reads: this test could not fail", len(looking.reads))
			}
		})
	}
}

// TestSnapshots looks at recordings of less than a cluster: the answer is that of the commands.
func TestSnapshots(t *testing.T) {
	for _, name := range []string{"P09a", "S14", "S19"} {
		file := recording.File(t, filepath.Join("..", "..", "hack", "zoo", "testdata", "recorded", name+recording.Extension))
		recorded, err := files.Open(t.Context(), []string{file}, nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := diagnosis.List(t.Context(), recorded, diagnosis.ListOptions{Options: asking(t)})
		if err != nil {
			t.Fatal(err)
		}
		n := look(t, recorded, "")
		if diff := cmp.Diff(numbersOf(list, &result.Check{})[0], n.told()); diff != "" || n.unreadable == 0 {
			t.Errorf("%s: %d unreadable; -list, +look:\n%s", name, n.unreadable, diff)
		}
	}
}

func numbersOf(list *result.List, check *result.Check) (numbers [2]map[string]int) {
	numbers = [2]map[string]int{{}, {}}
	for _, item := range list.Items {
		reason := noReason
		if len(item.RootCauses) > 0 {
			reason = item.RootCauses[0].Reason
		}
		numbers[0][strings.Join([]string{item.Target.Kind, string(item.Verdict), string(reason)}, " ")]++
	}
	for _, finding := range check.Findings {
		numbers[1][string(finding.Severity)+" "+string(finding.Reason)] += finding.Count
	}
	return numbers
}

func (n *Numbers) told() map[string]int {
	counts := map[string]int{}
	for is, size := range n.groups(len(n.objects)) {
		counts[strings.Join([]string{is.kind, string(is.verdict), string(is.reason)}, " ")] += size.count
	}
	return counts
}

func (n *Numbers) toldOfCheck() map[string]int {
	counts := map[string]int{}
	for is, count := range n.checked() {
		counts[string(is.severity)+" "+string(is.reason)] = count
	}
	return counts
}

// TestNamespace looks at one namespace, which is counted itself.
func TestNamespace(t *testing.T) {
	n := look(t, cluster3am(t), "shop")
	if len(n.objects) != 3 || len(n.findings) != 0 {
		t.Errorf("%d objects and findings %v, want 3 and none", len(n.objects), n.findings)
	}
}
