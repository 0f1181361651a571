package paste_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/paste"
)

// noted is a sink that keeps what it is told.
type noted struct {
	objects   []paste.Object
	mentions  []paste.Mention
	questions []paste.Question
	failures  []paste.Failure
	served    []paste.Served
	events    []paste.Events
	problems  []paste.Problem
	dated     []time.Time
}

func (n *noted) Object(found paste.Object) error {
	n.objects = append(n.objects, found)
	return nil
}
func (n *noted) Mention(mentioned paste.Mention) { n.mentions = append(n.mentions, mentioned) }
func (n *noted) Listed(question paste.Question)  { n.questions = append(n.questions, question) }
func (n *noted) Failed(failure paste.Failure)    { n.failures = append(n.failures, failure) }
func (n *noted) Dated(at time.Time)              { n.dated = append(n.dated, at) }
func (n *noted) Events(events paste.Events)      { n.events = append(n.events, events) }
func (n *noted) Served(resource paste.Served)    { n.served = append(n.served, resource) }
func (n *noted) Problem(problem paste.Problem)   { n.problems = append(n.problems, problem) }

func read(t testing.TB, text string) *noted {
	t.Helper()
	found := &noted{}
	if err := paste.Read(context.Background(), strings.NewReader(text), 0, found); err != nil {
		t.Fatal(err)
	}
	return found
}

// names are what was found, as KIND/NAME.
func (n *noted) names() string {
	var names []string
	for _, object := range n.objects {
		kind, _ := object.Fields["kind"].(string)
		metadata, _ := object.Fields["metadata"].(map[string]any)
		name, _ := metadata["name"].(string)
		names = append(names, kind+"/"+name)
	}
	return strings.Join(names, " ")
}

// named are the objects that were only named, as TYPE NAMESPACE/NAME.
func (n *noted) named() string {
	var names []string
	for _, one := range n.mentions {
		names = append(names, one.Resource+" "+strings.TrimPrefix(one.Namespace+"/"+one.Name, "/"))
	}
	return strings.Join(names, ", ")
}

const pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  namespace: shop\nspec: {}\nstatus: {phase: Running}\n"

func indented(text, mark string) string {
	return mark + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+mark) + "\n"
}

// TestRead finds objects in each shape of a text.
func TestRead(t *testing.T) {
	data := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop"}}`
	for name, c := range map[string]struct{ text, want string }{
		"YAML":            {pod, "Pod/web"},
		"quoted":          {indented(pod, "> "), "Pod/web"},
		"quoted twice":    {indented(pod, ">> "), "Pod/web"},
		"indented":        {indented(pod, "      "), "Pod/web"},
		"in a fence":      {"See:\n```yaml\n" + pod + "```\nbye\n", "Pod/web"},
		"prose around it": {"Here it is:\n\n" + pod + "\nWhat is wrong?\n", "Pod/web"},
		"two documents":   {pod + "---\n" + strings.Replace(pod, "web", "db", 1), "Pod/web Pod/db"},
		"a list":          {"apiVersion: v1\nitems:\n" + "- " + indented(pod, "  ")[2:] + "kind: List\n", "Pod/web"},
		"a list that is cut": {
			"apiVersion: v1\nitems:\n" + "- " + indented(pod, "  ")[2:] + "- apiVersion: v1\n", "Pod/web",
		},
		"JSON":             {data, "Pod/web"},
		"JSON in prose":    {"I see\n" + data + "\nthere", "Pod/web"},
		"JSON behind JSON": {data + data, "Pod/web Pod/web"},
		"an array":         {"[" + data + ",\n" + data + "]", "Pod/web Pod/web"},
		"braces in a text": {
			`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","annotations":{"a":"}\"{"}}}`, "Pod/web",
		},
		"no kind": {
			`{"metadata":{"name":"shop"},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}}`, "Namespace/shop",
		},
		"no kind that is seen": {`{"metadata":{"name":"shop"},"spec":{"size":1}}`, ""},
		"nothing":              {"The namespace hangs. kind: of strange\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := read(t, c.text).names(); got != c.want {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

// TestCut uses what is whole of a text that is cut off, and says where it ends.
func TestCut(t *testing.T) {
	const whole = `{"apiVersion": "v1", "items": [
{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}},
{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "b"}, "spec": {"nodeName": "x"
`
	found := read(t, whole)
	if found.names() != "Pod/a" || len(found.problems) != 1 || found.problems[0].Line != 3 {
		t.Errorf("found %q and %v", found.names(), found.problems)
	}
	alone := read(t, `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","uid":"1"},"spec":{"nodeName":"x`)
	if alone.names() != "Pod/a" || alone.objects[0].Partial != paste.MetadataOnly {
		t.Errorf("found %+v", alone.objects)
	}
	if early := read(t, `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","finalizers":["x"`); early.names() != "" {
		t.Errorf("an object that is cut off in its metadata counts: %+v", early.objects)
	}
}

// TestDescription reads all fields of a custom resource.
func TestDescription(t *testing.T) {
	found := read(t, `Name:         orders
Namespace:    shop
Labels:       <none>
API Version:  db.example.org/v1
Kind:         Database
Metadata:
  Deletion Timestamp:  2023-03-14T09:26:53Z
  Finalizers:
    db.example.org/cleanup
Status:
  Conditions:
    Message:  no
    Type:     Ready
    Message:  yes
    Type:     Synced
Events:       <none>
`)
	if len(found.objects) != 1 {
		t.Fatalf("%d objects, %v", len(found.objects), found.problems)
	}
	got, err := json.Marshal(found.objects[0].Fields)
	const want = `{"apiVersion":"db.example.org/v1","kind":"Database",` +
		`"metadata":{"deletionTimestamp":"2023-03-14T09:26:53Z",` +
		`"finalizers":["db.example.org/cleanup"],"name":"orders","namespace":"shop"},` +
		`"status":{"conditions":[{"message":"no","type":"Ready"},{"message":"yes","type":"Synced"}]}}`
	if err != nil || string(got) != want {
		t.Errorf("%v: %s", err, got)
	}
}

// TestCommands takes a list for complete only if the command that a text quotes asked for all of it.
func TestCommands(t *testing.T) {
	for command, complete := range map[string]bool{
		"$ kubectl get pods -n shop -o yaml":              true,
		"user@host:~$ kubectl get pods,pvc -n shop":       true,
		"$ oc get pods --namespace=shop":                  true,
		"$ kubectl get pods -n shop -l app=web":           false,
		"$ kubectl get pods -n shop | grep web":           false,
		"$ kubectl get pods web -n shop":                  false,
		"$ kubectl get pods --field-selector a=b -n shop": false,
		"$ kubectl delete pods -n shop":                   false,
	} {
		found := read(t, command+"\nNo resources found in shop namespace.\n")
		if got := len(found.questions) == 1; got != complete {
			t.Errorf("%s: complete is %v", command, got)
		}
	}
}

// TestFailedLists doesn't take a list for complete that kubectl prints where it fails, with the reason below it.
func TestFailedLists(t *testing.T) {
	t.Parallel()
	const empty = "apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: \"\"\n"
	const filled = "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: web\n" +
		"    namespace: shop\nkind: List\nmetadata:\n  resourceVersion: \"\"\n"
	const pods, both = "$ kubectl get pods -A -o yaml\n", "$ kubectl get pods,secrets -A -o yaml\n"
	const forbidden = "Error from server (Forbidden): secrets is forbidden: User \"u\" cannot list resource \"secrets\" " +
		"in API group \"\" at the cluster scope\n"
	const damaged = "Error from server (StorageReadError): failed to read one or more pods from the storage\n"
	for name, c := range map[string]struct {
		text     string
		complete int
		failures int
	}{
		"empty, and the next command": {pods + empty + pods, 1, 0},
		"empty, and the prompt":       {pods + empty + "me@host:~$", 1, 0},
		"empty, and a bare prompt":    {pods + empty + "$\n", 1, 0},
		"empty, and the text ends":    {pods + empty, 0, 0},
		"empty, and refused":          {pods + empty + forbidden + pods, 0, 1},
		"nothing, without its namespace": {
			"$ kubectl get pods web -n gone\nError from server (NotFound): namespaces \"gone\" not found\n", 0, 2,
		},
		"empty, and damaged":             {pods + empty + damaged + pods, 0, 1},
		"empty, and not connected":       {pods + empty + "Unable to connect to the server: EOF\n" + pods, 0, 0},
		"empty, and an error of kubectl": {pods + empty + "error: unknown\n" + pods, 0, 0},
		"filled":                         {pods + filled, 1, 0},
		"filled, of two types":           {both + filled, 0, 0},
		"filled, and one type refused":   {both + filled + forbidden + pods, 0, 1},
		"filled, of two types, and more": {both + filled + "$\n", 1, 0},
	} {
		found := read(t, c.text)
		if len(found.questions) != c.complete || len(found.failures) != c.failures {
			t.Errorf("%s: %d lists are complete, and %+v", name, len(found.questions), found.failures)
		}
	}
}

// TestDated takes the time from a clock that was asked, and from no other line.
func TestDated(t *testing.T) {
	t.Parallel()
	for text, dated := range map[string]bool{
		"$ date -u\n2026-11-26T06:09:20Z\n":               true,
		"me@host:~$ date\nThu Nov 26 06:16:54 UTC 2026\n": true,
		"$ date\nThu Nov 26 07:16:54 CET 2026\n":          false, // an abbreviation says no zone for sure
		"2026-11-26T06:09:20Z\n":                          false,
		"to date -u\n2026-11-26T06:09:20Z\n":              false,
	} {
		if found := read(t, text); (len(found.dated) == 1) != dated {
			t.Errorf("%q: %v", text, found.dated)
		}
	}
}

// FuzzRead reads anything without a crash.
func FuzzRead(f *testing.F) {
	pastes, err := filepath.Glob("../finalizers/testdata/pastes/*.txt")
	if err != nil || len(pastes) == 0 {
		f.Fatalf("no pastes: %v", err)
	}
	for _, name := range pastes {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, object := range read(t, text).objects {
			if object.Fields["kind"] == nil && object.Resource == "" || object.Line < 1 {
				t.Errorf("an object without a kind or a line: %+v", object)
			}
		}
	})
}

// TestEvents takes events from tables and descriptions, whose columns may have moved, and leaves ages out that it can't
// read.
func TestEvents(t *testing.T) {
	const table = "$ kubectl get events -n shop\n" +
		"LAST SEEN   TYPE      REASON          OBJECT      MESSAGE\n" +
		"68s         Warning   FailedKillPod   pod/web-0   error killing pod:  timed out\n" +
		"<unknown>   Normal    Killing         pod/web-0   Stopping container app\n"
	const described = "Name:         photos\nNamespace:    shop\nAPI Version:  stores.acme.dev/v1\n" +
		"Kind:         Bucket\n" +
		"Metadata:\n  Finalizers:\n    stores.acme.dev/cleanup\nEvents:\n" +
		"  Type     Reason        Age                  From                        Message\n" +
		"  ----     ------        ----                 ----                        -------\n" +
		"  Warning  DeleteFailed  91s (x33 over 3d2h)  bucket-controller, host-1  cannot delete: it has 3 objects\n"
	for _, c := range []struct{ name, text, want string }{
		{
			name: "a table", text: table,
			want: "pod shop/web-0 [Warning FailedKillPod  1m8s true error killing pod:  timed out]\n" +
				"pod shop/web-0 [Normal Killing  0s false Stopping container app]\n",
		},
		{
			name: "a description", text: described, want: "Bucket.stores.acme.dev shop/photos " +
				"[Warning DeleteFailed bucket-controller 1m31s true cannot delete: it has 3 objects]\n",
		},
		{
			name: "a description without events", want: "Bucket.stores.acme.dev shop/photos \n",
			text: described[:strings.Index(described, "Events:")] + "Events:       <none>\n",
		},
	} {
		var got strings.Builder
		for _, of := range read(t, c.text).events {
			fmt.Fprintf(&got, "%s %s/%s ", of.Kind, of.Namespace, of.Name)
			for _, event := range of.Events {
				fmt.Fprintf(&got, "[%s %s %s %s %t %s]", event.Type, event.Reason, event.Reporter, event.Ago, event.Aged,
					event.Message)
			}
			got.WriteString("\n")
		}
		if got.String() != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.name, got.String(), c.want)
		}
	}
}

// TestDescribedParts takes the annotations and events of an object for its own, and not what its fields call so.
func TestDescribedParts(t *testing.T) {
	found := read(t, "Name:         orders\nNamespace:    shop\nAnnotations:  a: b\nAPI Version:  db.example.org/v1\n"+
		"Kind:         Database\nMetadata:\n  UID:  x\nSpec:\n  Template:\n    Annotations:\n      Team:  red\n"+
		"  Events:\n    Keep:  3\nEvents:       <none>\n")
	if len(found.objects) != 1 || len(found.events) != 1 {
		t.Fatalf("%d objects, %d lists of events", len(found.objects), len(found.events))
	}
	for path, want := range map[string]string{"template.annotations.team": "red", "events.keep": "3"} {
		field, _, err := unstructured.NestedString(found.objects[0].Fields, append([]string{"spec"},
			strings.Split(path, ".")...)...)
		if field != want || err != nil {
			t.Errorf("spec.%s is %q, %v", path, field, err)
		}
	}
}
