package upstream_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/upstream"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo/judge"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "20"); err != nil { // they wait much more than they work
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	controlplane.Main(m)
}

// TestUpstream plays what Kubernetes' own tests do: all side by side on one control plane, and then the ones that every
// question would meet.
func TestUpstream(t *testing.T) {
	plane := controlplane.ForTest(t)
	breaker, err := zoo.NewBreaker(plane)
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig, err := plane.UserKubeconfig(t.Context(), "zoo", "asks", controlplane.ClusterAdmins)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := upstream.Cases()
	if err != nil {
		t.Fatal(err)
	}
	play := func(t *testing.T, alone bool) {
		for _, c := range cases {
			if len(c.Moments) == 0 || c.Alone != alone {
				continue
			}
			t.Run(c.Test, func(t *testing.T) {
				if !alone {
					t.Parallel()
				}
				(&player{T: t, breaker: breaker, kubeconfig: kubeconfig, namespace: c.Namespace}).play(c)
			})
		}
	}
	t.Run("together", func(t *testing.T) { play(t, false) })
	t.Run("alone", func(t *testing.T) { play(t, true) })
}

// patience bounds what is waited for. The garbage collector learns of new kinds every thirty seconds.
const patience = time.Minute

// player plays one case.
type player struct {
	*testing.T
	breaker    *zoo.Breaker
	kubeconfig string
	namespace  string
}

func (p *player) play(c upstream.Case) {
	p.do(zoo.Step{Apply: "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + c.Namespace + "}\n"})
	for _, moment := range c.Moments {
		p.do(moment.Steps...)
		if moment.Delete != nil {
			p.delete(moment)
		}
		for _, question := range moment.Why {
			p.why(question)
		}
	}
}

func (p *player) do(steps ...zoo.Step) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), patience)
	defer cancel()
	if err := p.breaker.Break(ctx, zoo.Scenario{ID: p.namespace, Steps: steps}); err != nil {
		p.Fatal(err)
	}
}

// delete asks preview, lets it happen, and looks whether that is what was foretold.
func (p *player) delete(moment upstream.Moment) {
	goes, waits := p.find(moment.Goes), p.find(moment.Waits)
	stays, apart := p.find(moment.Stays), p.find(moment.Apart)
	deletion := *moment.Delete
	preview, human := p.preview(deletion)
	if got := string(preview.Outcome); got != moment.Outcome {
		p.Errorf("preview of %s: %s, want %s\n%s", deletion.Object.Object, got, moment.Outcome, human)
	}
	if moment.Outcome == string(result.AlreadyDeleted) {
		p.do(zoo.Step{Delete: &deletion})
		p.wait(waits)
		return
	}
	p.compare(preview, human, goes, waits, stays, apart)
	if len(moment.By) > 0 {
		p.do(moment.By...)
	} else {
		p.do(zoo.Step{Delete: &deletion})
	}
	for _, kind := range preview.Goes { // whatever it names, also beside what the case does
		for _, ref := range kind.Objects {
			if !kind.Tells() && !slices.ContainsFunc(waits, is(ref)) {
				p.do(zoo.Step{Until: &zoo.Until{Object: objectOf(ref), Gone: true}})
			}
		}
	}
	p.wait(waits)
	for _, object := range slices.Concat(stays, apart) {
		now, err := p.breaker.Get(p.Context(), objectOf(refOf(object)))
		if err != nil || now.GetUID() != object.GetUID() ||
			!now.GetDeletionTimestamp().Equal(object.GetDeletionTimestamp()) {
			p.Errorf("%s %s should stay as it is: %v", object.GetKind(), object.GetName(), err)
		}
	}
}

// compare holds a preview against the truth about each object.
func (p *player) compare(
	preview result.Preview, human string, goes, waits, stays, apart []*unstructured.Unstructured,
) {
	var gone, hanging, staying []finding.Ref
	for _, kind := range preview.Goes {
		gone = append(gone, kind.Objects...)
	}
	for _, one := range preview.Hanging {
		hanging = append(hanging, one.Object)
	}
	for _, one := range preview.Stays {
		staying = append(staying, one.Objects...)
	}
	for what, c := range map[string]struct {
		objects  []*unstructured.Unstructured
		in       []finding.Ref
		foretold bool
	}{
		"go": {slices.Concat(goes, waits), gone, true}, "not go": {slices.Concat(stays, apart), gone, false},
		"not hang": {goes, hanging, false}, "stay": {stays, staying, true}, "not stay": {goes, staying, false},
	} {
		for _, object := range c.objects {
			if slices.ContainsFunc(c.in, func(ref finding.Ref) bool { return is(ref)(object) }) != c.foretold {
				p.Errorf("preview does not foretell that %s %s will %s\n%s", object.GetKind(), object.GetName(), what, human)
			}
		}
	}
	for _, ref := range hanging {
		if !slices.ContainsFunc(waits, is(ref)) {
			p.Errorf("preview has %s %s hang, which does not\n%s", ref.Kind, ref.Name, human)
		}
	}
}

// wait looks whether objects are Terminating, and whether list has them.
func (p *player) wait(objects []*unstructured.Unstructured) {
	if len(objects) == 0 {
		return
	}
	for _, object := range objects {
		p.do(zoo.Step{Until: &zoo.Until{Object: objectOf(refOf(object)), Path: "{.metadata.deletionTimestamp}"}})
	}
	var list result.List
	p.ask(&list, "list", "-n", p.namespace)
	for _, object := range objects {
		of := func(item result.ListItem) bool { return is(item.Target)(object) }
		if object.GetNamespace() != "" && !slices.ContainsFunc(list.Items, of) {
			p.Errorf("list does not have %s %s", object.GetKind(), object.GetName())
		}
	}
}

func (p *player) why(question zoo.Question) {
	args := []string{"why", question.Target, "-n", cmp.Or(question.Namespace, p.namespace)}
	var diagnosis result.Diagnosis
	human := p.ask(&diagnosis, args...)
	judge.Compare(p.T, question, &diagnosis, human)
}

func (p *player) preview(deletion zoo.Delete) (preview result.Preview, human string) {
	args := []string{"preview", deletion.Object.Object, "-n", p.namespace}
	if deletion.Cascade != "" {
		args = append(args, "--cascade="+deletion.Cascade)
	}
	human = p.ask(&preview, args...)
	return preview, human
}

// ask runs the program within this process, for programs and for people.
func (p *player) ask(answer any, args ...string) string {
	p.Helper()
	args = append(args, "--kubeconfig", p.kubeconfig, "--request-timeout=5m")
	if err := json.Unmarshal([]byte(p.run(append(args, "-o", "json")...)), answer); err != nil {
		p.Fatal(err)
	}
	return p.run(args...)
}

func (p *player) run(args ...string) string {
	p.Helper()
	var out, errOut bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
	if code := cli.Execute(context.WithoutCancel(p.Context()), streams, args); code != 0 {
		p.Fatalf("%q: exit code %d\n%s%s", args, code, out.String(), errOut.String())
	}
	return out.String()
}

// find reads objects of the case's namespace.
func (p *player) find(names []string) (found []*unstructured.Unstructured) {
	p.Helper()
	for _, name := range names {
		object, err := p.breaker.Get(p.Context(), zoo.Object{Object: name, Namespace: p.namespace})
		if err != nil {
			p.Fatal(err)
		}
		found = append(found, object)
	}
	return found
}

func is(ref finding.Ref) func(*unstructured.Unstructured) bool {
	return func(object *unstructured.Unstructured) bool { return string(object.GetUID()) == ref.UID }
}

func refOf(object *unstructured.Unstructured) finding.Ref {
	return finding.Ref{
		APIVersion: object.GetAPIVersion(), Kind: object.GetKind(), Namespace: object.GetNamespace(), Name: object.GetName(),
	}
}

// objectOf is an object as steps name it.
func objectOf(ref finding.Ref) zoo.Object {
	group, _, found := strings.Cut(ref.APIVersion, "/")
	if !found {
		group = ""
	}
	return zoo.Object{Object: fmt.Sprintf("%s.%s/%s", ref.Kind, group, ref.Name), Namespace: ref.Namespace}
}
