package metrics

import (
	"context"
	"errors"
	"maps"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// TestCarry keeps what can't be listed any more, and drops it when its list doesn't have it.
func TestCarry(t *testing.T) {
	memory := cluster3am(t)
	first := look(t, memory, "")
	memory.Deny("configmaps")
	second := look(t, memory, "")
	second.carry(first)
	if len(second.objects) != 3 || second.carried != 2 || second.unreadable == 0 {
		t.Errorf("%d objects, %d carried, %d unreadable; want 3, 2, and some",
			len(second.objects), second.carried, second.unreadable)
	}
	if !maps.Equal(first.checked(), second.checked()) {
		t.Errorf("check found %v, and without rights %v", first.checked(), second.checked())
	}
	third := look(t, memory, "")
	third.carry(second)
	if third.carried != 2 {
		t.Errorf("%d objects carried for the second time, want 2", third.carried)
	}
	memory = cluster3am(t)
	memory.Remove("ConfigMap", "one")
	fourth := look(t, memory, "")
	fourth.carry(third)
	if len(fourth.objects) != 2 || fourth.carried != 0 {
		t.Errorf("%d objects, %d carried, after one has gone; want 2 and 0", len(fourth.objects), fourth.carried)
	}
}

// breakingOff is a Reader whose lists of ConfigMaps break off after the first Terminating one.
type breakingOff struct{ cluster.Reader }

// EachMetadata implements cluster.Reader.
func (b breakingOff) EachMetadata(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
	visit func(*metav1.PartialObjectMetadata),
) error {
	if resource.Resource != "configmaps" {
		return b.Reader.EachMetadata(ctx, resource, namespace, selector, visit)
	}
	seen := false
	err := b.Reader.EachMetadata(ctx, resource, namespace, selector, func(object *metav1.PartialObjectMetadata) {
		if !seen && object.DeletionTimestamp != nil {
			seen = true
			visit(object)
		}
	})
	return errors.Join(err, errors.New("the second page doesn't come"))
}

// TestCarryOfHalfAList counts no object twice: neither what this look has seen, nor, which Prometheus refuses, by name.
func TestCarryOfHalfAList(t *testing.T) {
	memory := cluster3am(t)
	exporter := of(look(t, memory, ""), look(t, breakingOff{memory}, ""))
	for range 2 {
		if err := exporter.LookOnce(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	says(t, exporter, "finalizers_last_look_carried_objects 1", `finalizers_verdicts{verdict="Stuck"} 2`)
}

// TestCarryOfAnUndiscoveredGroup keeps the objects of a group whose discovery fails: its kinds are not listed at all.
func TestCarryOfAnUndiscoveredGroup(t *testing.T) {
	memory := cluster3am(t)
	first := look(t, memory, "")
	memory.Remove("ConfigMap", "one")
	memory.Remove("ConfigMap", "two")
	memory.Failed = map[schema.GroupVersion]error{{Version: "v1"}: errors.New("out")}
	second := look(t, memory, "")
	second.carry(first)
	if second.carried != 2 || len(second.objects) != 3 {
		t.Errorf("%d objects, %d carried; want 3 and 2", len(second.objects), second.carried)
	}
}
