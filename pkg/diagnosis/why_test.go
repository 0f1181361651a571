package diagnosis_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print/table"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

func TestWhy(t *testing.T) {
	for _, c := range whyCases() {
		t.Run(c.name, func(t *testing.T) {
			c.check(t, c.ask(t))
		})
	}
}

// ask puts the case's question with the case's rights.
func (c whyCase) ask(t *testing.T) *result.Diagnosis {
	t.Helper()
	memory := c.memory(t)
	if c.deny != "" {
		memory.Deny(c.deny)
	}
	answer, err := c.why(t.Context(), t, memory)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// printed is an answer as people read it, in one line.
func printed(t *testing.T, answer *result.Diagnosis) string {
	t.Helper()
	var plain strings.Builder
	if err := print.Result(t.Context(), &plain, answer, print.FormatHuman, print.Style{Table: table.Draw}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(plain.String()), " ")
}

// prober stands for a server that answers every dry run alike: a real one can't be made to refuse in
// every way.
type prober struct {
	answer func() error
	leaves string // a finalizer that every update would leave in place
}

func (p prober) ProbePatch(
	context.Context, cluster.Resource, string, string, string, []byte,
) (*metav1.PartialObjectMetadata, error) {
	left := &metav1.PartialObjectMetadata{}
	if p.leaves != "" {
		left.Finalizers = []string{p.leaves}
	}
	return left, p.answer()
}

func (p prober) ProbeDelete(context.Context, cluster.Resource, string, string) error {
	return p.answer()
}

func (c whyCase) memory(t *testing.T) *clustertest.Memory {
	t.Helper()
	memory, err := clustertest.New(now, strings.Join(c.objects, "---\n"))
	if err != nil {
		t.Fatal(err)
	}
	if c.broken != "" {
		memory.Break(c.broken, apierrors.NewInternalError(errors.New("conversion webhook failed")))
	}
	if c.lost != "" {
		memory.Lost = []string{c.lost}
	}
	for failed := range strings.FieldsSeq(c.failed) {
		version, _ := schema.ParseGroupVersion(failed)
		if memory.Failed == nil {
			memory.Failed = map[schema.GroupVersion]error{}
		}
		memory.Failed[version] = errors.New("stale")
	}
	for resource, text := range c.damaged {
		memory.Break(resource, errors.New(text))
	}
	return memory
}

func (c whyCase) why(ctx context.Context, t *testing.T, memory *clustertest.Memory) (*result.Diagnosis, error) {
	t.Helper()
	return c.whyOf(ctx, t, memory)
}

func (c whyCase) whyOf(ctx context.Context, t *testing.T, reader cluster.Reader) (*result.Diagnosis, error) {
	t.Helper()
	servedKinds, err := reader.ServedKinds(ctx)
	if err != nil {
		t.Fatal(err)
	}
	kind, name, _ := strings.Cut(c.target, "/")
	resource, found := servedKinds.Find(schema.ParseGroupResource(kind))
	if !found {
		t.Fatalf("the test's cluster doesn't serve %s", kind)
	}
	target := session.Target{Resource: resource, Name: name}
	if resource.Namespaced {
		target.Namespace = "shop"
	}
	options := asking(t)
	if c.probe != nil {
		options.Prober = prober{answer: c.probe, leaves: c.leaves}
	}
	if c.review != nil {
		options.Reviewer = reviewer{answer: c.review}
	}
	options.Deep, options.LogReader = c.deep, c.logs
	options.Pause = func(ctx context.Context, _ time.Duration) error {
		if memory, changes := reader.(*clustertest.Memory); changes && c.meanwhile != nil {
			c.meanwhile(memory)
		}
		return ctx.Err()
	}
	return diagnosis.Why(ctx, reader, target, options)
}

func (c whyCase) check(t *testing.T, answer *result.Diagnosis) {
	t.Helper()
	if answer.Verdict != c.verdict {
		t.Errorf("the verdict is %s, want %s: %s", answer.Verdict, c.verdict, answer.Summary)
	}
	if c.sure != "" && (len(answer.RootCauses) == 0 || answer.RootCauses[0].Certainty != c.sure) {
		t.Errorf("the first cause is not %s: %+v", c.sure, answer.RootCauses)
	}
	if diff := cmp.Diff(c.causes, causesOf(answer), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("root causes (-want +got):\n%s", diff)
	}
	head := strings.Join(append([]string{answer.Summary}, messagesOf(answer)...), "\n")
	for _, text := range c.says {
		if !strings.Contains(head, text) {
			t.Errorf("neither the summary nor what explains it says %q: %s", text, head)
		}
	}
	name := fmt.Sprintf("%+v", answer.Observations)
	for _, text := range c.notes {
		if !strings.Contains(name, text) {
			t.Errorf("no observation says %q: %s", text, name)
		}
	}
	offered := false
	for _, cause := range answer.RootCauses {
		for _, remedy := range cause.Remedies {
			offered = offered || strings.Contains(remedy.Command.String(), c.remedy)
		}
	}
	if c.remedy != "" && !offered {
		t.Errorf("no remedy has %q: %+v", c.remedy, answer.RootCauses)
	}
}

// messagesOf are what the root causes say, and what is unsettled or in progress.
func messagesOf(answer *result.Diagnosis) (messages []string) {
	for _, cause := range answer.RootCauses {
		messages = append(messages, cause.Message)
	}
	for _, observation := range answer.Observations {
		if observation.Verdict != "" {
			messages = append(messages, observation.Message)
		}
	}
	return messages
}

func causesOf(answer *result.Diagnosis) []string {
	var causes []string
	for _, cause := range answer.RootCauses {
		text := fmt.Sprintf("%s %s/%s", cause.Reason, cause.Object.Kind, cause.Object.Path())
		if cause.Count > 1 {
			text += fmt.Sprintf(" × %d", cause.Count)
		}
		causes = append(causes, text)
	}
	return causes
}

// TestNoSecretsAreFetched makes sure that Secrets and ConfigMaps are only ever read as metadata.
func TestNoSecretsAreFetched(t *testing.T) {
	for _, kind := range []string{"Secret", "ConfigMap"} {
		if session.ReadWhole(schema.GroupKind{Kind: kind}) {
			t.Errorf("%s is read as a whole", kind)
		}
	}
}
