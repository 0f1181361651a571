package removal_test

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/preview"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

const lossHold = "example.com/hold"

// documents are the case's cluster, in which its top is deleted, or was not deleted yet.
func (c lossCase) documents(deleted bool) string {
	top, meta := c.topOf(), c.meta
	if meta == "" {
		meta = "finalizers: [" + lossHold + "]"
	}
	if deleted {
		meta += ", resourceVersion: '7', deletionTimestamp: 2026-01-02T03:00:00Z"
	} else {
		meta = strings.Replace(meta, "orphan, ", "", 1)
	}
	return strings.Join(append([]string{thing(top, "", meta, c.spec)}, c.objects...), "---\n")
}

func (c lossCase) topOf() string {
	if c.top == "" {
		return notes
	}
	return c.top
}

// target is the top as RESOURCE/NAME.
func (c lossCase) target() string {
	kind, name, _ := strings.Cut(c.topOf(), "/")
	group, _, grouped := strings.Cut(versionOf(kind), "/")
	if grouped {
		group = "." + group
	} else {
		group = ""
	}
	return strings.ToLower(kind) + "s" + group + "/" + name
}

// says reports whether what is wanted is among what goes, and what is spared isn't.
func (c lossCase) says(t *testing.T, where, want string, taken []finding.Taken) {
	t.Helper()
	found := want == ""
	var all []string
	for _, one := range taken {
		names := one.Object.Name
		if one.Details.Volume != nil {
			names += " " + one.Details.Volume.Name
		}
		situation, name, _ := strings.Cut(want, " ")
		found = found || one.Situation == situation && strings.Contains(names, name)
		all = append(all, one.Situation+" "+names)
		if c.spared != "" && one.Risk != finding.NoRisk && !one.Depends() &&
			(strings.Contains(names, c.spared) || strings.Contains(one.Message, c.spared)) {
			t.Errorf("%s says that %q goes: %q", where, names, one.Message)
		}
	}
	if !found {
		t.Errorf("%s says %q, want %q", where, all, want)
	}
}

// TestLossesBelow says each loss before anybody consents: why says it at the step that removes the finalizer by force,
// remove in its plan, and preview before the deletion.
func TestLossesBelow(t *testing.T) {
	losses, cases := 0, lossCases()
	for _, c := range cases {
		if c.spared == "" && !strings.Contains(c.want, "Kept") {
			losses++
		}
		if !testing.Short() && len(c.objects) < 200 {
			c.name += ", behind 200 others"
			c.objects = append(many(200, c.topOf()), c.objects...)
			cases = append(cases, c)
		}
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, c.documents(true), removal.Options{Finalizers: []string{lossHold}}, c.target())
			if c.deny != "" {
				b.memory.Deny(c.deny)
			}
			c.checkWhy(t, b.why(t))
			item := b.run(t).Items[0]
			c.says(t, "remove", c.want, item.Takes)
			if lost := finding.WorstOf(item.Takes); lost != item.Risk {
				t.Errorf("the risk is %s, and it takes along %s", item.Risk, lost)
			}
			if c.meta != "" { // by which it is deleted
				return
			}
			if c.foresee != "" {
				c.want, c.spared = c.foresee, ""
			}
			// A preview also looks for the driver, and there is none in this cluster.
			c.says(t, "preview", strings.Replace(c.want, "VolumeDeleted", "VolumeLeft", 1), c.previewed(t, b).Takes)
		})
	}
	if losses < 32 {
		t.Errorf("only %d losses are tried", losses)
	}
}

func (c lossCase) checkWhy(t *testing.T, found *result.Diagnosis) {
	t.Helper()
	c.says(t, "why", c.want, found.Takes)
	forced := 0
	for _, cause := range found.RootCauses {
		for _, remedy := range cause.Remedies {
			if !remedy.Forces() {
				continue
			}
			forced++
			if !strings.Contains(c.want, "Kept") && !strings.Contains(c.want, "Forgotten") {
				c.says(t, "the removal that why offers", c.want, remedy.Taken)
			}
		}
	}
	if forced == 0 {
		t.Errorf("why offers no removal: %s", found.Summary)
	}
}

func (c lossCase) previewed(t *testing.T, b *bench) *result.Preview {
	t.Helper()
	memory, err := clustertest.New(now, c.documents(false))
	if err != nil {
		t.Fatal(err)
	}
	if c.deny != "" {
		memory.Deny(c.deny)
	}
	servedKinds, _ := memory.ServedKinds(t.Context())
	kind, name, _ := strings.Cut(c.target(), "/")
	resource, _ := servedKinds.Find(schema.ParseGroupResource(kind))
	target := session.Target{Resource: resource, Name: name}
	if resource.Namespaced {
		target.Namespace = "shop"
	}
	options := preview.Options{Options: mechanism.Options{Plugins: b.Plugins}}
	told, err := preview.Preview(t.Context(), memory, target, options)
	if err != nil {
		t.Fatal(err)
	}
	return told
}

// TestTooManyToLookAt refuses where more goes than is looked at: what is worst is looked at first, and said.
func TestTooManyToLookAt(t *testing.T) {
	if testing.Short() {
		t.Skip("2,001 Secrets")
	}
	c := lossCase{objects: []string{bound("ConfigMap/notes", "Delete")}}
	for i := range 2001 {
		c.objects = append(c.objects, thing(fmt.Sprintf("Secret/s%04d", i), notes, "", ""))
	}
	for _, override := range []bool{false, true} {
		options := removal.Options{Finalizers: []string{lossHold}, Force: true, Confirm: "yes"}
		if override {
			options.Overrides = []string{string(result.Undetermined)}
		}
		b := newBench(t, c.documents(true), options, c.target())
		done := b.run(t)
		c.says(t, "remove", "VolumeDeleted disk", done.Items[0].Takes)
		c.says(t, "remove", "DependentsNotFollowed notes", done.Items[0].Takes)
		if wrote := len(b.writer.written()) > 0; wrote != override {
			t.Errorf("overridden %t: it wrote %t: %s", override, wrote, done.Summary)
		}
	}
}

// TestUnlistedDependents refuses where a kind may not be listed whose objects may go, too, until that is overridden.
func TestUnlistedDependents(t *testing.T) {
	t.Parallel()
	for _, c := range unlisted() {
		if c.deny == "services" {
			continue // a balancer has no data
		}
		for _, override := range []bool{false, true} {
			options := removal.Options{Finalizers: []string{lossHold}, Force: true, Confirm: "yes"}
			if override {
				options.Overrides = []string{string(result.Undetermined)}
			}
			b := newBench(t, c.documents(true), options, c.target())
			b.memory.Deny(c.deny)
			done := b.run(t)
			if wrote := len(b.writer.written()) > 0; wrote != (override == (c.want != "")) {
				t.Errorf("%s, overridden %t: it wrote %t: %s", c.name, override, wrote, done.Summary)
			}
		}
	}
}
