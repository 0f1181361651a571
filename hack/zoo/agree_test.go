package zoo_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/recording"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo/judge"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestCommandsAgreeFromRecordings asks all commands about the target of each scenario, from its recording: they must
// say the same of it. What only other commands than why read is not recorded, and may leave them without an answer.
func TestCommandsAgreeFromRecordings(t *testing.T) {
	if *record {
		t.Skip("the recordings are being made")
	}
	scenarios, err := zoo.All()
	if err != nil {
		t.Fatal(err)
	}
	tally := &counts{}
	t.Cleanup(func() { checkTally(t, tally) })
	for _, scenario := range scenarios {
		for _, question := range scenario.Questions() {
			file := recordingOf(scenario, question)
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
				recorded, err := files.Open(t.Context(), []string{file}, nil)
				if err != nil {
					t.Fatal(err)
				}
				asked := &panel{t: t, reader: recorded, options: optionsOf(t, question), why: answer.diagnosis(t), tally: tally}
				for _, difference := range asked.agree() {
					t.Error(difference)
				}
			})
		}
	}
}

// optionsOf are what the arguments of a question come to, but for --probe.
func optionsOf(t *testing.T, question zoo.Question) mechanism.Options {
	t.Helper()
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for i, arg := range question.Args {
		if arg == "--catalog" {
			if _, err := known.AddDir(question.Args[i+1]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return mechanism.Options{Plugins: known, Flags: []string{"--context", "zoo"}, Pause: session.NoSecondLook}
}

// panel is all commands, asked about one target.
type panel struct {
	t       *testing.T
	reader  cluster.Reader
	options mechanism.Options
	why     *result.Diagnosis // of the target
	tally   *counts
	differs []string // where commands disagree
}

func (p *panel) differ(format string, arguments ...any) {
	p.differs = append(p.differs, fmt.Sprintf(format, arguments...))
}

// agree returns in what commands disagree with why.
func (p *panel) agree() []string {
	p.t.Helper()
	seen := &view{Reader: p.reader, objects: p.inView()}
	holds := p.holds()
	switch {
	case p.why.Deletion == nil && p.why.Verdict == result.Stuck:
		p.agreeUnread(seen)
		return p.differs
	case p.why.Deletion != nil:
		p.agreeList(seen.again())
		p.agreeTree(seen.again())
		p.agreeRemove(seen)
		p.agreeCheck(seen, holds)
	}
	p.agreeExplain(seen, holds)
	return p.differs
}

// inView are the target and the Terminating objects that the answer of why knows.
func (p *panel) inView() (refs []finding.Ref) {
	for _, node := range p.why.Graph.Nodes {
		if node.Terminating || node.SameAs(p.why.Target) {
			refs = append(refs, node.Ref)
		}
	}
	return refs
}

// target is an object as commands are handed it.
func (p *panel) target(ref finding.Ref) session.Target {
	p.t.Helper()
	servedKinds, err := p.reader.ServedKinds(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	at := slices.IndexFunc(servedKinds.Resources, func(resource cluster.Resource) bool {
		return resource.Kind == ref.Kind && resource.Group == ref.Group()
	})
	if at < 0 {
		p.t.Fatalf("%s is of no kind that is served", ref)
	}
	return session.Target{Resource: servedKinds.Resources[at], Namespace: ref.Namespace, Name: ref.Name}
}

// causeSaid is one root cause as a command says it.
type causeSaid struct {
	Reason    finding.Reason
	Object    string
	Certainty finding.Certainty
	Count     int
}

func saidBy(causes []result.RootCause) (all []causeSaid) {
	for _, cause := range causes {
		all = append(all, causeSaid{cause.Reason, cause.Object.String(), cause.Certainty, cause.Count})
	}
	return all
}

func (p *panel) same(command string, causes []causeSaid) {
	p.t.Helper()
	order := cmpopts.SortSlices(func(a, b causeSaid) bool { return string(a.Reason)+a.Object < string(b.Reason)+b.Object })
	if diff := cmp.Diff(saidBy(p.why.RootCauses), causes, order, cmpopts.EquateEmpty()); diff != "" {
		p.differ("root causes (-why +%s):\n%s", command, diff)
	}
}

// agreeList looks for the target in a list of its namespace, or of everything in view.
func (p *panel) agreeList(seen *view) {
	p.t.Helper()
	area := p.why.Target.Namespace
	if p.why.Target.Kind == "Namespace" {
		area = p.why.Target.Name
	}
	list, err := diagnosis.List(p.t.Context(), seen, diagnosis.ListOptions{Options: p.options, Namespace: area})
	if err != nil {
		p.differ("list: %v", err)
		return
	}
	at := slices.IndexFunc(list.Items, func(item result.ListItem) bool { return item.Target.SameAs(p.why.Target) })
	if at < 0 {
		p.differ("list doesn't list %s", p.why.Target)
		return
	}
	item := list.Items[at]
	if item.Verdict != p.why.Verdict || judge.Ageless(item.Summary) != judge.Ageless(p.why.Summary) {
		p.differ("why:  %s: %s\nlist: %s: %s", p.why.Verdict, p.why.Summary, item.Verdict, item.Summary)
	}
	var causes []causeSaid
	for _, cause := range item.RootCauses {
		causes = append(causes, causeSaid{cause.Reason, cause.Object.String(), cause.Certainty, cause.Count})
	}
	p.same("list", causes)
}

// agreeTree compares the causes of what the target waits for in its tree, which holds others besides, and how they are
// marked there.
func (p *panel) agreeTree(seen *view) {
	p.t.Helper()
	target := p.target(p.why.Target)
	tree, err := diagnosis.Tree(p.t.Context(), seen, target, diagnosis.TreeOptions{Options: p.options})
	if err != nil {
		p.differ("tree: %v", err)
		return
	}
	causes := slices.Clone(tree.RootCauses)
	causes = slices.DeleteFunc(causes, func(cause result.RootCause) bool {
		return len(cause.Path) == 0 || !cause.Path[0].SameAs(p.why.Target)
	})
	p.same("tree", saidBy(causes))
	for _, cause := range p.why.RootCauses {
		for _, object := range sharing(cause) {
			marked := func(node result.TreeNode) bool {
				return node.SameAs(object) && slices.Contains(node.Reasons, cause.Reason)
			}
			if !slices.ContainsFunc(tree.Nodes, marked) {
				p.differ("tree doesn't mark %s as %s", object, cause.Reason)
			}
		}
	}
}

func sharing(cause result.RootCause) []finding.Ref {
	return append([]finding.Ref{cause.Object}, cause.Others...)
}

// compared counts that an answer was held to that of why, and left that what it rests on was not recorded.
func (p *panel) compared(command string) { p.tally.among(command+" compared", 0) }
func (p *panel) left(command string)     { p.tally.among(command+" left", 0) }

// checkTally wants most to have been compared: a test that leaves all open proves nothing.
func checkTally(t *testing.T, tally *counts) {
	t.Helper()
	t.Log(tally.known)
	for _, command := range []string{"explain", "check", "remedy"} {
		if tally.known[command+" compared"] <= 2*tally.known[command+" left"] {
			t.Errorf("too little is recorded to compare what %s says: %v", command, tally.known)
		}
	}
}
