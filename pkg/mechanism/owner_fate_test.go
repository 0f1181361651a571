package mechanism

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestFate(t *testing.T) {
	child, text := configMap("child", ownedByMaps("owner")), configMap("child", ownedByMaps("owner", "other"))
	owner, other := configMap("owner", ""), configMap("other", "")
	held := configMap("owner", deleted(time.Hour, "example.com/hold"))
	shop := manifest("v1", "Namespace", "", "shop", "", "")
	pod := manifest("v1", "Pod", "shop", "web", "annotations: {kubernetes.io/config.mirror: x}", "spec: {nodeName: n1}")
	for _, c := range []struct {
		name, objects, deny string
		says                []string
		awaits              string
		follows             bool
	}{
		{name: "an owner that lives", objects: child + owner + shop},
		{name: "no owner", objects: owner + shop},
		{name: "an owner that is gone", objects: child + shop, says: []string{"CollectedSoon"}},
		{
			name:    "an owner that waits for its dependents",
			objects: child + configMap("owner", deleted(time.Hour, "foregroundDeletion")) + shop,
			says:    []string{"CollectedSoon"}, awaits: "ConfigMap shop/owner",
		},
		{
			name: "an owner of a kind that isn't served", objects: configMap("child", byGhost()) + owner + shop,
			says: []string{"OwnerUnserved"},
		},
		{
			name:    "an owner with a namespace, of something without",
			objects: manifest("v1", "Node", "", "n1", ownedByMaps("owner"), "") + owner,
			says:    []string{"OwnerInNamespace"},
		},
		{
			name: "an owner that may not be read", objects: child + owner + shop, deny: "configmaps",
			says: []string{"OwnerUnread"},
		},
		{
			name: "an owner that is Terminating for other reasons", objects: child + held + shop,
			says: []string{"GoesAfterOwner"}, awaits: "ConfigMap shop/owner", follows: true,
		},
		{
			name:    "an owner that leaves its dependents",
			objects: child + configMap("owner", deleted(time.Hour, "orphan")) + shop,
			says:    []string{"StaysAsOrphan"}, awaits: "ConfigMap shop/owner",
		},
		{name: "one of two owners goes", objects: text + held + other + shop, says: []string{"KeptByOtherOwner"}},
		{
			name: "the owner's owner goes", objects: child + configMap("owner", ownedByMaps("top")) +
				configMap("top", deleted(time.Hour, "example.com/hold")) + shop,
			says: []string{"GoesAfterAncestor"}, awaits: "ConfigMap shop/top", follows: true,
		},
		{
			name: "the namespace goes", objects: owner + manifest("v1", "Namespace", "", "shop", deleted(time.Hour, "x"), ""),
			says: []string{"GoesWithNamespace"}, awaits: "Namespace shop",
		},
		{name: "the namespace may not be read", objects: owner + shop, deny: "namespaces"},
		{name: "a static pod", objects: pod + shop, says: []string{"MirrorPod"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tools := toolsFor(t, c.objects)
			if c.deny != "" {
				tools = toolsFor(t, c.objects, c.deny)
			}
			fate := FateOf(t.Context(), tools, firstOf(t, tools, c.objects))
			var says []string
			for _, remark := range fate.Says {
				says = append(says, remark.Situation)
			}
			awaits := ""
			if fate.Awaits != nil {
				awaits = fate.Awaits.Ref.String()
			}
			if diff := cmp.Diff(c.says, says); diff != "" || awaits != c.awaits || fate.Follows != c.follows {
				t.Errorf("says (-want +got):\n%s\nand awaits %q (%t), want %q (%t)",
					diff, awaits, fate.Follows, c.awaits, c.follows)
			}
		})
	}
}

func TestFormerLife(t *testing.T) {
	born := func(kind, namespace, name string, before time.Duration) string {
		return manifest("v1", kind, namespace, name, "creationTimestamp: "+ago(before), "")
	}
	left := born("ConfigMap", "shop", "left", time.Hour)
	for _, c := range []struct{ name, objects, deny, want string }{
		{name: "a namespace that is older", objects: left + born("Namespace", "", "shop", 2*time.Hour)},
		{name: "a namespace of about the same age", objects: left + born("Namespace", "", "shop", time.Hour-time.Second)},
		{
			name:    "a namespace that is younger",
			objects: left + born("Namespace", "", "shop", time.Minute), want: "OlderThanNamespace",
		},
		{name: "a namespace that may not be read", objects: left, deny: "namespaces"},
		{name: "an object without a namespace", objects: born("Node", "", "n1", time.Hour)},
	} {
		t.Run(c.name, func(t *testing.T) {
			tools := toolsFor(t, c.objects, c.deny)
			got := ""
			for _, note := range FormerLife(t.Context(), tools.Session, firstOf(t, tools, c.objects)) {
				got += note.Situation
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
