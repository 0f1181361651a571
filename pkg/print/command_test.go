package print_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestCommandsCanBeCopied has a shell take printed commands apart, at every width: it must get the arguments that were
// meant, whatever is in them.
func TestCommandsCanBeCopied(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	meant := finding.Command{
		"kubectl", "--kubeconfig", "/home/o'neil/my  files/config", "--context", "a 'quoted' \"context\"", "-n", "shop",
		"patch", "databases.shop.example.com/orders", "--type", "merge", "-p",
		`{"metadata":{"annotations":{"note":"it's  $HOME \\ and a ` + "`tick`" + `"}}}`, "--flag=with blank ", "", "*", "~",
		"#x",
	}
	path := "/var/o'neil/my  backups/object.yaml"
	for width := 40; width <= 100; width += 3 {
		done := &result.RemovalReport{Forced: true, Outcome: result.Gone, Items: []result.Removal{{
			Outcome: result.Gone, Writes: []result.Write{{Done: true}},
			Backup: &result.Backup{Path: path, Create: path, Restore: []finding.Remedy{{Action: "Do it.", Command: meant}}},
		}}}
		var text strings.Builder
		if err := print.Result(t.Context(), &text, done, print.FormatHuman, print.Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		_, command, found := strings.Cut(text.String(), "Do it.\n")
		if !found {
			t.Fatalf("no command in:\n%s", text.String())
		}
		command = strings.Replace(strings.TrimLeft(command, " "), "kubectl", `printf '%s\n' kubectl`, 1)
		output, err := exec.CommandContext(t.Context(), "sh", "-c", command).Output()
		if err != nil {
			t.Fatalf("%v in\n%s", err, command)
		}
		if got := strings.Split(strings.TrimSuffix(string(output), "\n"), "\n"); !slices.Equal(got, meant) {
			t.Errorf("at width %d a shell reads\n%q\nof\n%s", width, got, command)
		}
		if !strings.Contains(text.String(), finding.Command{path}.String()) {
			t.Errorf("at width %d the path is torn apart:\n%s", width, text.String())
		}
	}
}
