package paste_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/paste"
)

// shown is what was found of the last object, as JSON, behind its type and how much of it there is.
func (n *noted) shown(t *testing.T) string {
	t.Helper()
	if len(n.objects) == 0 {
		return ""
	}
	last := n.objects[len(n.objects)-1]
	text, err := json.Marshal(last.Fields)
	if err != nil {
		t.Fatal(err)
	}
	partial := map[paste.Partial]string{paste.Whole: "whole", paste.MetadataOnly: "metadata", paste.Columns: "columns"}
	words := []string{last.Resource, partial[last.Partial], string(text)}
	if last.Deleted {
		words = append(words, "deleted")
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// TestPieces takes a part of an object for one of the object that the command asks for, and of no other.
func TestPieces(t *testing.T) {
	const of = `{"metadata":{"name":"web","namespace":"shop"}`
	for text, want := range map[string]string{
		"$ kubectl get pod web -n shop -o json | jq .spec\n{\"nodeName\": \"w1\"}\n": "pod columns " + of +
			`,"spec":{"nodeName":"w1"}}`,
		"$ kubectl get pod/web -n shop -ojsonpath='{.metadata}'\n{\"uid\": \"u\"}\n": `pod metadata ` +
			`{"metadata":{"name":"web","namespace":"shop","uid":"u"}}`,
		"$ kubectl get ns web -o json | jq -r '.status'\n{\"phase\": \"Terminating\"}\n": `ns columns ` +
			`{"metadata":{"name":"web"},"status":{"phase":"Terminating"}} deleted`,
		"$ kubectl get ns web -o json | jq .status\n{\"phase\": \"Active\"}\n": `ns columns ` +
			`{"metadata":{"name":"web"},"status":{"phase":"Active"}}`,
		"$ kubectl get widget web -n shop -o jsonpath={.status.conditions}\n[{\"type\":\"A\"},{\"type\":\"B\"}]\n": `` +
			`widget columns ` + of + `,"status":{"conditions":[{"type":"A"},{"type":"B"}]}}`,
		"$ kubectl get pods -n shop -o json | jq .items\n{\"nodeName\": \"w1\"}\n":                "",
		"$ kubectl get pods web db -n shop -o json | jq .spec\n{\"nodeName\": \"w1\"}\n":          "",
		"$ kubectl get pod web -o json | jq .spec\n$ kubectl get pod db\n{\"nodeName\": \"w\"}\n": "",
		"$ kubectl delete pod web -o json | jq .spec\n{\"nodeName\": \"w1\"}\n":                   "",
	} {
		if got := read(t, text).shown(t); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// TestCustomColumns takes in what columns show that a command asks for, as far as that says since when something is
// being deleted and what holds it.
func TestCustomColumns(t *testing.T) {
	const asks = "$ kubectl get widgets -n shop -o custom-columns="
	all := asks + "WHO:.metadata.name,GONE:.metadata.deletionTimestamp,BY:.metadata.finalizers\nWHO    GONE    BY\n"
	for text, want := range map[string]string{
		all + "web    2026-11-02T09:10:11Z    [a.example.com/x b.example.com/y]\n": `widgets columns {"metadata":` +
			`{"deletionTimestamp":"2026-11-02T09:10:11Z","finalizers":["a.example.com/x","b.example.com/y"],"name":"web",` +
			`"namespace":"shop"}}`,
		all + "web    <none>    <none>\n": `widgets columns {"metadata":{"name":"web","namespace":"shop"}}`,
		asks + "'WHO:.metadata.name,GONE:.metadata.deletionTimestamp'\nWHO    GONE\nweb    2026-11-02T09:10:11Z\n": "",
		strings.Replace(all, "widgets", "a,b", 1) + "web    <none>    <none>\n":                                    "",
	} {
		if got := read(t, text).shown(t); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	other := strings.NewReplacer("WHO:.metadata.name", "NAME:.spec.name", "WHO ", "NAME").Replace(all)
	if got := read(t, other+"web    <none>    <none>\n"); len(got.objects) != 0 ||
		got.named() != "namespaces shop, widgets shop/web" {
		t.Errorf("a row without the name's column is %+v", got)
	}
	if named := read(t, asks+"WHO:.metadata.name,SIZE:.spec.size\nWHO   SIZE\nweb   3\n").named(); named !=
		"namespaces shop, widgets shop/web" {
		t.Errorf("it notes %+v", named)
	}
}

// TestNamespaceWords takes messages that are quoted alone for conditions of the namespace that is spoken of.
func TestNamespaceWords(t *testing.T) {
	const words = "  message: 'Some resources are remaining: widgets.example.com has 1 resource instances'\n"
	for text, want := range map[string]string{
		"My namespace \"shop\" is stuck.\n" + words:      "shop",
		"It is ns/shop, see:\n" + words:                  "shop",
		"$ kubectl get ns shop -o yaml | tail\n" + words: "shop",
		"The namespace is stuck.\n" + words:              "",
		"E1102 10:00:00.1 1 namespace_controller.go:162] deletion of namespace shop failed: unexpected items\n": "shop",
		"Error from server (Conflict): Operation cannot be fulfilled on namespaces \"shop\": The system is ensuring all " +
			"content is removed from this namespace.\n": "shop",
		"Error from server (Forbidden): pods \"a\" is forbidden: unable to create new content in namespace shop because " +
			"it is being terminated\n": "shop",
	} {
		found := read(t, text).objects
		if len(found) != 1 || !found[0].Deleted || found[0].Partial != paste.Columns {
			t.Fatalf("%s is %+v", text, found)
		}
		if got := found[0].Fields["metadata"].(map[string]any)["name"]; got != want {
			t.Errorf("%s is about %q, want %q", text, got, want)
		}
	}
	const prose = "Some people say that a namespace failed.\nSome resources are remaining.\n"
	if found := read(t, prose).objects; len(found) > 0 {
		t.Errorf("prose is %+v", found)
	}
}

// TestUnindented reads YAML whose indentation is lost: what belongs where is not guessed.
func TestUnindented(t *testing.T) {
	const object = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
annotations:
name.example.com/x: a
finalizers:
- kubernetes.io/pvc-protection
- example.com/other
labels:
app: b
name: not-this
name: data
namespace: shop
ownerReferences:
- apiVersion: example.com/v1
kind: Widget
name: owner
uid: u1
resourceVersion: "7"
uid: u2
spec:
resources:
requests:
storage: 1Gi
volumeName: pv-1
status:
conditions:
- message: 'it waits
for something'
status: "True"
type: Ready
phase: Bound
`
	const want = `columns {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"finalizers":` +
		`["kubernetes.io/pvc-protection","example.com/other"],"name":"data","namespace":"shop","ownerReferences":` +
		`[{"apiVersion":"example.com/v1","kind":"Widget","name":"owner","uid":"u1"}],"resourceVersion":"7","uid":"u2"},` +
		`"spec":{"volumeName":"pv-1"},"status":{"conditions":[{"message":"it waits for something","status":"True",` +
		`"type":"Ready"}],"phase":"Bound"}}`
	found := read(t, "Look:\n"+object+"\nThanks!\n")
	if got := found.shown(t); got != want || len(found.problems) != 1 {
		t.Errorf("found %s and %v, want %s", got, found.problems, want)
	}
	if got := read(t, object[:strings.Index(object, "name: data")]).shown(t); got != "" {
		if strings.Contains(got, `"data"`) {
			t.Errorf("cut off, it is %s", got)
		}
	}
}

// TestBounds reads no more than is of use of what never ends, in a time that grows with the text alone.
func TestBounds(t *testing.T) {
	object := "apiVersion: v1\nkind: Namespace\nmetadata:\nname: shop\nstatus:\nconditions:\n- message: a\n"
	found := read(t, object+strings.Repeat("and more\n", 200_000))
	if len(found.objects) != 1 || len(found.shown(t)) > 64<<10 {
		t.Errorf("found %d objects", len(found.objects))
	}
	asks := "$ kubectl get widget web -o jsonpath='{.status.conditions}'\n["
	found = read(t, asks+strings.TrimSuffix(strings.Repeat("{\"type\":\"A\"},", 5000), ",")+"]\n")
	if len(found.objects) == 0 || len(found.objects) > 200 {
		t.Errorf("conditions were told %d times", len(found.objects))
	}
}
