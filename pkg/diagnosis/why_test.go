package diagnosis_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
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
func (c whyCase) ask(t *testing.T) *report.Diagnosis {
	t.Helper()
	memory := c.memory(t)
	if c.deny != "" {
		memory.Deny(c.deny)
	}
	result, err := c.why(t.Context(), t, memory)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// prober stands for a server that answers every dry run alike: a real one can't be made to refuse in
// every way.
type prober struct {
	answer func() error
	leaves string // a finalizer that every update would leave in place
}

func (p prober) ProbePatch(context.Context, cluster.Resource, string, string, string, []byte) (*metav1.PartialObjectMetadata, error) {
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

func (c whyCase) why(ctx context.Context, t *testing.T, memory *clustertest.Memory) (*report.Diagnosis, error) {
	t.Helper()
	return c.whyOf(ctx, t, memory)
}

func (c whyCase) whyOf(ctx context.Context, t *testing.T, reader cluster.Reader) (*report.Diagnosis, error) {
	t.Helper()
	catalog, err := reader.Catalog(ctx)
	if err != nil {
		t.Fatal(err)
	}
	kind, name, _ := strings.Cut(c.target, "/")
	resource, found := catalog.Find(schema.ParseGroupResource(kind))
	if !found {
		t.Fatalf("the test's cluster doesn't serve %s", kind)
	}
	target := diagnosis.Target{Resource: resource, Name: name}
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
	options.Deep = c.deep
	options.Pause = func(ctx context.Context, _ time.Duration) error {
		if memory, changes := reader.(*clustertest.Memory); changes && c.meanwhile != nil {
			c.meanwhile(memory)
		}
		return ctx.Err()
	}
	return diagnosis.Why(ctx, reader, target, options)
}

func (c whyCase) check(t *testing.T, result *report.Diagnosis) {
	t.Helper()
	if result.Verdict != c.verdict {
		t.Errorf("the verdict is %s, want %s: %s", result.Verdict, c.verdict, result.Summary)
	}
	if c.sure != "" && (len(result.RootCauses) == 0 || result.RootCauses[0].Certainty != c.sure) {
		t.Errorf("the first cause is not %s: %+v", c.sure, result.RootCauses)
	}
	if diff := cmp.Diff(c.causes, causesOf(result), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("root causes (-want +got):\n%s", diff)
	}
	for _, text := range c.says {
		if !strings.Contains(result.Summary, text) {
			t.Errorf("the summary doesn't say %q: %s", text, result.Summary)
		}
	}
	told := fmt.Sprintf("%+v", result.Observations)
	for _, text := range c.notes {
		if !strings.Contains(told, text) {
			t.Errorf("no observation says %q: %s", text, told)
		}
	}
	offered := false
	for _, cause := range result.RootCauses {
		for _, remedy := range cause.Remedies {
			offered = offered || strings.Contains(remedy.Command.String(), c.remedy)
		}
	}
	if c.remedy != "" && !offered {
		t.Errorf("no remedy has %q: %+v", c.remedy, result.RootCauses)
	}
}

func causesOf(result *report.Diagnosis) []string {
	var causes []string
	for _, cause := range result.RootCauses {
		text := fmt.Sprintf("%s %s/%s", cause.Reason, cause.Object.Kind, cause.Object.Path())
		if cause.Count > 1 {
			text += fmt.Sprintf(" × %d", cause.Count)
		}
		causes = append(causes, text)
	}
	return causes
}

// TestWhyWithEverythingDenied asks every question again as somebody who may read the target and
// nothing else: nothing may be concluded from what can't be seen.
func TestWhyWithEverythingDenied(t *testing.T) {
	for _, c := range whyCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			memory := c.memory(t)
			first := true
			memory.Before = func(string) {
				if !first {
					memory.Deny("*")
				}
				first = false
			}
			result, err := c.why(t.Context(), t, memory)
			if err != nil {
				t.Fatal(err)
			}
			if c.stated {
				for _, cause := range causesOf(result) {
					if !slices.Contains(c.causes, cause) {
						t.Errorf("%s is not what the target states", cause)
					}
				}
				return
			}
			for _, cause := range result.RootCauses {
				if len(memory.Reads) == 1 && cause.Object == result.Target {
					continue // the read of the target said it
				}
				if cause.Reason != "ControllerUnknown" || cause.Object.UID != result.Target.UID {
					t.Errorf("%s of %s is concluded from nothing", cause.Reason, cause.Object)
				}
			}
			if len(memory.Reads) > 1 && result.Verdict != report.Undetermined && c.verdict != report.NotTerminating && !onlyLookedAgain(memory) {
				t.Errorf("the verdict is %s although reads were denied: %s", result.Verdict, result.Summary)
			}
		})
	}
}

// onlyLookedAgain tells whether the only read after the target's was that of the target again, by
// which a diagnosis makes sure that it is still there.
func onlyLookedAgain(memory *clustertest.Memory) bool {
	return !slices.ContainsFunc(memory.Reads, func(read string) bool { return read != memory.Reads[0] })
}

func TestWhyTargetVanishes(t *testing.T) {
	c := whyCase{target: "persistentvolumeclaims/data", objects: []string{claim(deleted(time.Second, "kubernetes.io/pvc-protection")), managerAlive()}}
	for _, recreated := range []bool{false, true} {
		memory := c.memory(t)
		memory.Before = func(what string) {
			if !strings.HasPrefix(what, "persistentvolumeclaims") {
				memory.Remove("PersistentVolumeClaim", "data")
				if recreated {
					memory.Add(strings.Replace(claim(""), "persistentvolumeclaim-data", "another", 1))
				}
			}
		}
		_, err := c.why(t.Context(), t, memory)
		var gone *diagnosis.GoneError
		if !errors.As(err, &gone) || gone.Recreated != recreated {
			t.Errorf("the target vanished (recreated: %t) and the answer is %v", recreated, err)
		}
	}
}

func TestWhyTargetUnreadable(t *testing.T) {
	c := whyCase{target: "configmaps/x", objects: []string{configMap("x", "")}}
	memory := c.memory(t)
	memory.Deny("configmaps")
	if _, err := c.why(t.Context(), t, memory); !apierrors.IsForbidden(err) {
		t.Errorf("a forbidden target: %v, want the server's refusal", err)
	}
	c.target = "configmaps/y"
	if _, err := c.why(t.Context(), t, c.memory(t)); !apierrors.IsNotFound(err) {
		t.Errorf("an absent target: %v, want not found", err)
	}
}

// TestWhyInterrupted cancels after each read in turn: what is known by then is told, never more.
func TestWhyInterrupted(t *testing.T) {
	c := whyCase{target: "persistentvolumeclaims/data", objects: []string{
		claim(deleted(time.Hour, "kubernetes.io/pvc-protection", "example.com/hold")), pod("db", time.Hour, "n1", usesData), node("n1", "False", ""),
	}}
	for reads := 1; reads <= 3; reads++ {
		memory := c.memory(t)
		ctx, cancel := context.WithCancel(t.Context())
		seen := 0
		memory.Before = func(string) {
			if seen++; seen > reads {
				cancel()
			}
		}
		result, err := c.why(ctx, t, memory)
		cancel()
		if err != nil {
			t.Fatalf("interrupted after %d reads: %v", reads, err)
		}
		if result.Verdict == report.Progressing || !slices.ContainsFunc(result.RootCauses, func(cause report.RootCause) bool { return cause.Reason == "ControllerUnknown" }) {
			t.Errorf("interrupted after %d reads: %s %v", reads, result.Verdict, causesOf(result))
		}
		if reads < 3 && len(result.Observations)+len(result.Unreadable) == 0 {
			t.Errorf("interrupted after %d reads, and the result doesn't say so", reads)
		}
	}
}

// TestNoSecretsAreFetched makes sure that Secrets and ConfigMaps are only ever read as metadata.
func TestNoSecretsAreFetched(t *testing.T) {
	for _, kind := range []string{"Secret", "ConfigMap"} {
		if session.ReadWhole(schema.GroupKind{Kind: kind}) {
			t.Errorf("%s is read as a whole", kind)
		}
	}
}
