package browser

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/recording"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

var update = flag.Bool("update", false, "take the pictures in docs/pictures anew")

// asked are the questions whose pages are looked at, each of a recording.
var asked = []struct {
	picture, recording string
	args               []string
}{
	{"report-1", "S25", []string{"why", "ns/s25"}},
	{"report-2", "N12", []string{"tree", "ns/n12"}},
	{"report-3", "P03a", []string{"list", "-A"}},
}

// browserOf returns the browser, or skips the test where none was asked for.
func browserOf(t *testing.T) string {
	t.Helper()
	binary := os.Getenv("BROWSER")
	if binary == "" {
		t.Skip("BROWSER is not set (make test-browser, which needs Chromium)")
	}
	return binary
}

func written(t *testing.T, page []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, page, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPages looks at answers from recordings, on a desktop and on a phone.
func TestPages(t *testing.T) {
	window := newTab(t, browserOf(t))
	pictures, err := filepath.Abs(filepath.Join("..", "..", "docs", "pictures"))
	if err != nil {
		t.Fatal(err)
	}
	recordings, err := filepath.Abs(filepath.Join("..", "zoo", "testdata", "recorded"))
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range asked {
		t.Run(one.picture, func(t *testing.T) {
			window.t = t
			var out, errOut bytes.Buffer
			recorded := recording.File(t, filepath.Join(recordings, one.recording+recording.Extension))
			t.Chdir(filepath.Dir(recorded)) // commands in pages name recordings
			args := append(slices.Clone(one.args), "-o", "html", "--snapshot", filepath.Base(recorded))
			streams := genericiooptions.IOStreams{In: &bytes.Buffer{}, Out: &out, ErrOut: &errOut}
			if code := cli.Execute(t.Context(), streams, args); code != 0 {
				t.Fatalf("exit code %d: %s", code, &errOut)
			}
			file := written(t, out.Bytes())
			for name, width := range map[string]int{"": 1280, "-phone": 390} {
				window.dark(name != "")
				window.size(width, 900)
				window.check(file)
				if wide := run[int](window, "document.documentElement.scrollWidth"); wide > width {
					t.Errorf("at %d the page is %d wide", width, wide)
				}
				if *update {
					window.picture(filepath.Join(pictures, one.picture+name+".png"))
				}
			}
			window.checkSelection()
		})
	}
}

// check opens a page: nothing but the file is requested, and nothing is reported.
func (p *tab) check(file string) {
	p.t.Helper()
	p.faults = nil
	if requested := p.load(file); len(requested) != 1 {
		p.t.Errorf("it requested %q", requested)
	}
	run[bool](p, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, fault := range p.faults {
		p.t.Error(fault)
	}
}

// checkSelection selects the last box by a click, and the first by keyboard: its details, and no others, are to be
// seen.
func (p *tab) checkSelection() {
	p.t.Helper()
	const shown = `[...document.querySelectorAll('.object')].filter(one => one.checkVisibility()).map(one => ` +
		`one.id).join()`
	const boxes = `[...document.querySelectorAll('.box')]`
	last := run[string](p, boxes+`.at(-1).dataset.details`)
	run[bool](p, boxes+`.at(-1).dispatchEvent(new MouseEvent('click', {bubbles: true}))`)
	if got := run[string](p, shown); got != last {
		p.t.Errorf("after a click, %q is shown, want %s", got, last)
	}
	first := run[string](p, boxes+`[0].focus(), document.activeElement.dataset.details`)
	for _, kind := range []string{"keyDown", "keyUp"} {
		p.ask("Input.dispatchKeyEvent", map[string]any{
			"type": kind, "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13,
		}, nil)
	}
	if got := run[string](p, shown); got != first {
		p.t.Errorf("after Enter, %q is shown, want %s", got, first)
	}
	if pressed := run[int](p, `document.querySelectorAll('.box[aria-pressed=true]').length`); pressed != 1 {
		p.t.Errorf("%d boxes are selected", pressed)
	}
	before := run[float64](p, `document.querySelector('.view svg').getBoundingClientRect().width`)
	run[bool](p, `document.querySelector('[aria-label="Zoom in"]').click() ?? true`)
	if after := run[float64](p, `document.querySelector('.view svg').getBoundingClientRect().width`); after <= before {
		p.t.Errorf("zooming in makes %v of %v", after, before)
	}
}

// TestAttacks opens a page whose texts try to run a script, to load something and to break out of where they stand.
func TestAttacks(t *testing.T) {
	window := newTab(t, browserOf(t))
	attack := strings.Join([]string{
		`</script><script>window.attacked=1</script>`, `<img src=x onerror="window.attacked=1">`,
		`"><svg onload=window.attacked=1>`,
		`</title></style><iframe src="https://attacker.example">`, `' autofocus onfocus='window.attacked=1'`,
		`url(https://attacker.example)`,
		`{{.}}`, `<link rel=stylesheet href=https://attacker.example>`,
		`<meta http-equiv=refresh content="0;url=https://attacker.example">`,
	}, " ")
	pod := finding.Ref{APIVersion: "v1", Kind: attack, Namespace: attack, Name: attack, UID: attack}
	hold := []finding.Hold{{Type: finding.Finalizer, Name: attack}}
	evidence := []finding.Evidence{{Source: attack, Observed: attack}}
	answer := &result.Diagnosis{
		Target: pod, Verdict: result.Stuck, Summary: attack,
		Unreadable: []finding.Unreadable{{Resource: attack, Error: attack, Why: attack}},
		RootCauses: []result.RootCause{{
			Reason: finding.ControllerFailing, Object: pod, Finalizer: attack, Message: attack, Evidence: evidence,
			Remedies: []finding.Remedy{{Action: attack, Command: finding.Command{"kubectl", attack}, Loses: attack}},
		}},
		Graph: result.Graph{
			Nodes: []graph.Node{{Ref: pod, Terminating: true, Holds: hold}, {Ref: finding.Ref{Kind: "Pod", Name: attack}}},
			Edges: []graph.Edge{{From: 0, To: 1, Type: finding.WaitsFor, Hold: &hold[0], Evidence: evidence}},
		},
	}
	var out bytes.Buffer
	if err := print.Result(t.Context(), &out, answer, print.FormatHTML, print.Style{}); err != nil {
		t.Fatal(err)
	}
	window.size(1280, 900)
	window.check(written(t, out.Bytes()))
	window.checkSelection()
	if run[bool](window, "'attacked' in window") {
		t.Error("the attack ran")
	}
	if shown := run[string](window, "document.querySelector('.verdict').textContent"); !strings.Contains(shown, attack) {
		t.Errorf("the attack is shown as %q", shown)
	}
}

// TestPolicy proves that the tests above can fail: the page's policy keeps back what was put into the file, and the
// browser reports it.
func TestPolicy(t *testing.T) {
	window := newTab(t, browserOf(t))
	var out bytes.Buffer
	if err := print.Result(t.Context(), &out, &result.Check{}, print.FormatHTML, print.Style{}); err != nil {
		t.Fatal(err)
	}
	const injection = `<script>window.attacked=1</script><img src="https://attacker.example/x.png"></main>`
	injected := strings.Replace(out.String(), "</main>", injection, 1)
	window.load(written(t, []byte(injected)))
	if run[bool](window, "'attacked' in window") {
		t.Error("a script that the policy doesn't name ran")
	}
	window.mutex.Lock()
	defer window.mutex.Unlock()
	if faults := strings.Join(window.faults, "\n"); strings.Count(faults, "Content Security Policy") < 2 {
		t.Errorf("the browser reports %s", faults)
	}
}
