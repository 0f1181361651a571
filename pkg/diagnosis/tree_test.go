package diagnosis_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print/table"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// treeCase is an object, what else there is, and the edges that its tree must have:
// OWNER > DEPENDENT, with the flaw of the reference and whether the owner waits.
type treeCase struct {
	name, target, deny string
	options            diagnosis.TreeOptions
	objects            []string
	edges              []string
	missing            []string // objects that are shown as known by references only
}

func treeCases() []treeCase {
	elsewhere := object("v1", "ConfigMap", "elsewhere", "child", owned("owner", true), "")
	owner, childOf := configMap("owner", ""), configMap("child", owned("owner", true))
	role := object("rbac/v1", "Node", "", "role", owned("owner", true), "")
	event := "apiVersion: v1\nkind: Event\nmetadata: {namespace: elsewhere, name: child.1, " +
		"uid: event-1}\nreason: OwnerRefInvalidNamespace\n" +
		"involvedObject: {apiVersion: v1, kind: ConfigMap, namespace: elsewhere, name: child, uid: configmap-child}\n" +
		"message: 'ownerRef [v1/ConfigMap, namespace: elsewhere, name: owner, " +
		"uid: configmap-owner] does not exist in namespace \"elsewhere\"'\n"
	return []treeCase{{
		name: "A1 a valid reference, from above", target: "configmaps/owner", objects: []string{owner, childOf},
		edges: []string{"owner > child blocks"},
	}, {
		name: "A1 a valid reference, from below", target: "configmaps/child", objects: []string{owner, childOf},
		edges: []string{"owner > child blocks"},
	}, {
		name: "A2 an owner that is absent", target: "configmaps/child", objects: []string{childOf},
		edges: []string{"owner > child blocks OwnerAbsent"}, missing: []string{"owner"},
	}, {
		name: "A3 an owner that was created again", target: "configmaps/child",
		objects: []string{strings.Replace(owner, "uid: configmap-owner", "uid: another", 1), childOf},
		edges:   []string{"owner > child blocks OwnerReplaced"}, missing: []string{"owner"},
	}, {
		name: "A4 a reference with a wrong name", target: "configmaps/owner",
		objects: []string{owner,
			configMap("child", "ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: wrong, uid: configmap-owner}]")},
		edges: []string{"owner > child OwnerMisnamed"},
	}, {
		name: "A4 a reference with a wrong kind, from below", target: "configmaps/child",
		objects: []string{owner, child(reference("v1", "Pod", "owner", "configmap-owner"))},
		edges:   []string{"owner > child OwnerMisnamed"},
	}, {
		name: "A6 an owner of a kind that isn't served", target: "configmaps/child",
		objects: []string{child(reference("gone.example.com/v1", "Ghost", "casper", "ghost"))},
		edges:   []string{"casper > child OwnerUnserved"}, missing: []string{"casper"},
	}, {
		name: "A6 another owner of a dependent is of a kind that isn't served", target: "configmaps/owner",
		objects: []string{owner, child(toConfigMap("owner"), reference("gone.example.com/v1", "Ghost", "casper", "ghost"))},
		edges:   []string{"casper > child OwnerUnserved", "owner > child"}, missing: []string{"casper"},
	}, {
		name: "a claim whose volume does not exist", target: "persistentvolumeclaims/data",
		objects: []string{
			object("v1", "PersistentVolumeClaim", "shop", "data", deleted(time.Hour, "kubernetes.io/pvc-protection"),
				"spec: {volumeName: disk}"),
			object("v1", "Pod", "shop", "db", "", "spec: {nodeName: n1, "+
				"volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]}\nstatus: {phase: Pending}"),
		},
	}, {
		name: "A7 an owner in another namespace, from below", target: "configmaps/child",
		objects: []string{object("v1", "ConfigMap", "elsewhere", "owner", "", ""), childOf},
		edges:   []string{"owner > child blocks OwnerElsewhere"},
	}, {
		name: "A7 an owner in another namespace, from above", target: "configmaps/owner", objects: []string{owner, elsewhere},
		options: diagnosis.TreeOptions{Everywhere: true},
		edges:   []string{"owner > child blocks OwnerElsewhere"},
	}, {
		name: "A7 an owner in another namespace, from above and by an event", target: "configmaps/owner",
		objects: []string{owner, elsewhere, event},
		edges:   []string{"owner > child blocks OwnerElsewhere"},
	}, {
		name: "A7 an owner in another namespace, where nobody looks", target: "configmaps/owner",
		objects: []string{owner, elsewhere},
	}, {
		name: "A8 a cluster-scoped dependent, from above", target: "configmaps/owner",
		objects: []string{owner, strings.Replace(role, "rbac/v1", "v1", 1)},
		edges:   []string{"owner > role blocks DependentClusterScoped"},
	}, {
		name: "A8 a cluster-scoped dependent, from below", target: "nodes/role",
		objects: []string{owner, strings.Replace(role, "rbac/v1", "v1", 1)},
		edges:   []string{"owner > role blocks DependentClusterScoped"}, missing: []string{"owner"},
	}, {
		name: "A9 a cluster-scoped owner", target: "nodes/n1", objects: []string{object("v1", "Node", "", "n1", "", ""),
			child(reference("v1", "Node", "n1", "node-n1"))},
		edges: []string{"n1 > child"},
	}, {
		name: "A19 an object that owns itself", target: "configmaps/narcissus",
		objects: []string{configMap("narcissus", owned("narcissus", false))},
		edges:   []string{"narcissus > narcissus OwnersCycle"},
	}, {
		name: "a cycle of two", target: "configmaps/a", objects: []string{configMap("a", owned("b", false)),
			configMap("b", owned("a", false))},
		edges: []string{"a > b OwnersCycle", "b > a OwnersCycle"},
	}, {
		name: "an owner that can't be read", target: "pods/child", deny: "configmaps",
		objects: []string{owner, object("v1", "Pod", "shop", "child", owned("owner", false), "")},
		edges:   []string{"owner > child OwnerUnreadable"}, missing: []string{"owner"},
	}, {
		name: "three generations", target: "configmaps/middle",
		objects: []string{configMap("top", ""), configMap("middle", owned("top", true)),
			configMap("leaf", owned("middle", false)), configMap("sibling", owned("top", false))},
		edges: []string{"middle > leaf", "top > middle blocks"},
	}, {
		name: "one step", target: "configmaps/a", options: diagnosis.TreeOptions{Depth: 1},
		objects: []string{configMap("a", ""), configMap("b", owned("a", false)), configMap("c", owned("b", false))},
		edges:   []string{"a > b"},
	}}
}

func (c treeCase) grow(t *testing.T) *result.Tree {
	t.Helper()
	memory, err := clustertest.New(now, strings.Join(c.objects, "---\n"))
	if err != nil {
		t.Fatal(err)
	}
	if c.deny != "" {
		memory.Deny(c.deny)
	}
	servedKinds, _ := memory.ServedKinds(t.Context())
	kind, name, _ := strings.Cut(c.target, "/")
	resource, _ := servedKinds.Find(schema.ParseGroupResource(kind))
	target := session.Target{Resource: resource, Name: name}
	if resource.Namespaced {
		target.Namespace = "shop"
	}
	c.options.Options = asking(t)
	tree, err := diagnosis.Tree(t.Context(), memory, target, c.options)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestTree(t *testing.T) {
	for _, c := range treeCases() {
		t.Run(c.name, func(t *testing.T) {
			tree := c.grow(t)
			var edges, missing []string
			for _, edge := range tree.Edges {
				if edge.Type != finding.Owns {
					continue
				}
				text := tree.Nodes[edge.From].Name + " > " + tree.Nodes[edge.To].Name
				if edge.Blocks {
					text += " blocks"
				}
				edges = append(edges, strings.TrimSpace(text+" "+string(edge.Reference)))
			}
			for _, node := range tree.Nodes {
				if !node.Known {
					missing = append(missing, node.Name)
				}
			}
			slices.Sort(edges)
			if diff := cmp.Diff(c.edges, edges); diff != "" {
				t.Errorf("edges (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.missing, missing); diff != "" {
				t.Errorf("known by references only (-want +got):\n%s", diff)
			}
			checkDrawings(t, c.name, tree)
		})
	}
}

// checkDrawings draws a tree in every form.
func checkDrawings(t *testing.T, name string, tree *result.Tree) {
	t.Helper()
	var human, colored bytes.Buffer
	for out, style := range map[*bytes.Buffer]print.Style{
		&human: {Table: table.Draw}, &colored: {Color: true, Table: table.Draw},
	} {
		if err := print.Result(t.Context(), out, tree, print.FormatHuman, style); err != nil {
			t.Fatal(err)
		}
	}
	compareGolden(t, "tree "+name, human.String())
	if diff := cmp.Diff(human.String(), withoutEscapes(colored.String())); diff != "" {
		t.Errorf("colour says something that the words don't (-plain +colored):\n%s", diff)
	}
}

// stuckTree is everything Terminating of a few, in one namespace with names that mean something to DOT,
// to Mermaid or to a shell.
func stuckTree(t *testing.T) *result.Tree {
	t.Helper()
	memory, err := clustertest.New(now, strings.Join([]string{
		claim(deleted(time.Hour, "kubernetes.io/pvc-protection")), pod("db", time.Hour, "n1", usesData),
		node("n1", "False", ""),
		configMap("a", deleted(time.Hour, "foregroundDeletion")+", "+owned("b", true)),
		configMap("b", deleted(time.Hour, "foregroundDeletion")+", "+owned("a", true)),
		configMap("odd", deleted(time.Hour, "'example.com/\"]; end<br>&quot;`|#35;%%'")), managerAlive(),
	}, "---\n"))
	if err != nil {
		t.Fatal(err)
	}
	forest, err := diagnosis.Forest(t.Context(), memory, "", diagnosis.TreeOptions{Options: asking(t)})
	if err != nil {
		t.Fatal(err)
	}
	return forest
}

func TestForest(t *testing.T) {
	forest := stuckTree(t)
	checkDrawings(t, "forest", forest)
	var names bytes.Buffer
	if err := print.Result(t.Context(), &names, forest, print.FormatName, print.Style{Table: table.Draw}); err != nil ||
		!strings.Contains(names.String(), "persistentvolumeclaim/data\n") {
		t.Errorf("names %s, %v", names.String(), err)
	}
}
