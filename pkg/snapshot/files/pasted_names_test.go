package files_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
)

// TestNamed knows objects that a text only names: whether they are Terminating is not known.
func TestNamed(t *testing.T) {
	for text, want := range map[string]string{
		"$ kubectl get pods -n shop -o custom-columns=NAME:.a,GONE:.b\nNAME   GONE\nweb    now\n": "pods shop/web, " +
			"namespaces shop",
		"$ kubectl describe svc lb -n shop\n\nName:   lb\nNamespace:   shop\nSelector:   app=a\n" +
			"Session Affinity:   None\n": "services shop/lb, namespaces shop",
		"$ kubectl describe svc lb\n\nName:   lb\nNamespace:   shop\nSelector:   app=a\n" +
			"Session Affinity:   None\n": "services shop/lb",
		"$ kubectl get ledgers -n shop\nNAME   AGE\nq3     3m\n": "ledgers shop/q3, namespaces shop",
		"$ kubectl delete app a -n gitops --timeout 2s\n" +
			"error: timed out waiting for the condition on applications/a\n": "app gitops/a, namespaces gitops",
		"$ kubectl get app a -n gitops\nError from server (NotFound): applications.argoproj.io \"a\" not found\n": "" +
			"namespaces gitops",
		"$ kubectl get apps a\nerror: the server doesn't have a resource type \"apps\"\n" +
			"$ kubectl get ns b\nNAME   STATUS   AGE\nb      Active   3d\n": "",
		"$ kubectl get cm a -n shop -o yaml\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  finalizers:\n": "" +
			"configmaps shop/a, namespaces shop",
		"NAME   READY   STATUS   RESTARTS   AGE\nweb   1/1   Terminating   0   9d\n": "",
	} {
		recording, err := files.Open(t.Context(), []string{"-"}, strings.NewReader(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		var named []string
		for _, one := range recording.Named {
			named = append(named, one.Resource.Resource+" "+strings.TrimPrefix(one.Namespace+"/"+one.Name, "/"))
		}
		if got := strings.Join(named, ", "); got != want {
			t.Errorf("%q names %q, want %q", text, got, want)
		}
		if strings.HasPrefix(text, "NAME") && !recording.Terminating() {
			t.Errorf("%q: a pod whose namespace isn't shown is not Terminating", text)
		}
	}
}

// TestNothingInMissingNamespace has no objects in a namespace that doesn't exist, of the kinds of Kubernetes.
func TestNothingInMissingNamespace(t *testing.T) {
	const text = "$ kubectl get ns shop\nError from server (NotFound): namespaces \"shop\" not found\n$\n" +
		"apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: other}\nspec: {}\nstatus: {phase: Running}\n"
	recording, err := files.Open(t.Context(), []string{"-"}, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	gateways := resource("net.example.com", "v1", "gateways", "Gateway", true)
	for _, c := range []struct {
		resource  cluster.Resource
		namespace string
		want      string
	}{
		{cluster.Deployments(), "shop", "absent"},
		{cluster.Deployments(), "other", "unknown"},
		{gateways, "shop", "unknown"},
	} {
		_, err := recording.Metadata(t.Context(), c.resource, c.namespace, "web")
		if got := map[bool]string{true: "unknown", false: "absent"}[cluster.NotRecorded(err)]; got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.resource.Resource, c.namespace, got, c.want)
		}
	}
}

// TestMisread names an object with a field that is no text, and reads the others.
func TestMisread(t *testing.T) {
	const good = "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\nstatus: {phase: Running}\n---\n"
	for metadata, want := range map[string]string{
		"{name: y, namespace: shop}":                     "metadata.name is true",
		"{name: a, namespace: on}":                       "metadata.namespace is true",
		"{name: 12, namespace: shop}":                    "metadata.name is 12",
		"{name: a, namespace: shop, finalizers: [no]}":   "metadata.finalizers is false",
		`{name: "y", namespace: shop, finalizers: [ab]}`: "",
	} {
		text := good + "apiVersion: v1\nkind: Pod\nmetadata: " + metadata + "\nstatus: {phase: Running}\n---\n" +
			strings.Replace(good, "web", "last", 1)
		recording, err := files.Open(t.Context(), []string{"-"}, strings.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", metadata, err)
		}
		for _, name := range []string{"web", "last"} {
			if _, err := recording.Metadata(t.Context(), cluster.Pods(), "shop", name); err != nil {
				t.Errorf("%s: pod %s is lost: %v", metadata, name, err)
			}
		}
		got := ""
		for _, skipped := range recording.Skipped {
			got += skipped.Error()
		}
		if !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: skipped %q, want %q", metadata, got, want)
		}
	}
}

// TestReadings puts together what tables and descriptions show of a pod, in whatever order.
func TestReadings(t *testing.T) {
	const (
		claim = "$ kubectl describe pvc data -n db\nName:          data\nNamespace:     db\n" +
			"Status:        Terminating (lasts 2d)\nVolume:        pv1\nFinalizers:    [kubernetes.io/pvc-protection]\n" +
			"Access Modes:  RWO\nUsed By:       web\nEvents:        <none>\n"
		wide = "$ kubectl get pods -n db -o wide\n" +
			"NAME   READY   STATUS        RESTARTS   AGE   IP      NODE   NOMINATED NODE   READINESS GATES\n" +
			"web    1/1     Terminating   0          9d    <none>  w1     <none>           <none>\n"
		pod = "$ kubectl describe pod web -n db\nName:         web\nNamespace:    db\nNode:         w1/10.0.0.1\n" +
			"Status:       Running\nContainers:\n  a:\n    Image:  b\n"
	)
	for text, want := range map[string][3]bool{ // the node, the claim, and the deletion are known
		claim + wide: {true, true, true},
		wide + claim: {true, true, true},
		claim + pod:  {true, true, false},
		pod + claim:  {true, true, false},
		wide:         {true, false, true},
		claim:        {false, true, false},
		wide + strings.Replace(wide, "Terminating", "Running    ", 1): {true, false, false}, // it was created again
	} {
		recording, err := files.Open(t.Context(), []string{"-"}, strings.NewReader(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		web, err := recording.Get(t.Context(), cluster.Pods(), "db", "web")
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		node, _, _ := unstructured.NestedString(web.Object, "spec", "nodeName")
		volumes, _, _ := unstructured.NestedSlice(web.Object, "spec", "volumes")
		if got := [3]bool{node == "w1", len(volumes) == 1, web.GetDeletionTimestamp() != nil}; got != want {
			t.Errorf("%s\nshows %v, want %v", text, got, want)
		}
		phase, _, _ := unstructured.NestedString(web.Object, "status", "phase")
		if described := strings.Contains(text, pod); described != (phase == "Running") {
			t.Errorf("%s\nshows phase %q", text, phase)
		}
	}
}

// TestTopics keeps apart what a text is about and what an answer has asked for.
func TestTopics(t *testing.T) {
	object := func(name string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: " + name + "\n  namespace: shop\n" +
			"  deletionTimestamp: \"2026-11-02T09:10:11Z\"\nspec: {nodeName: w1}\nstatus: {phase: Running}\n"
	}
	answer := func(name string) string {
		return "$ kubectl get -o yaml pods " + name + " -n shop\n# exit code 0\n" + object(name)
	}
	for text, want := range map[string]string{
		object("web") + "$ date -u\n2026-11-02T09:12:11Z\n" + answer("db") + answer("web") + "$\n": "web",
		"$ kubectl get pods web -n shop -o yaml\n" + object("web") + answer("db"):                  "web",
		"$ kubectl delete pod web -n shop\n^C\n" + answer("db") + answer("web") + "$\n":            "web",
		answer("db") + answer("web") + "$\n\nand what is this?\n" + object("db"):                   "db",
		answer("web") + "$\n$ kubectl get pods db -n shop -o yaml\n" + object("db"):                "db",
		answer("web") + answer("db") + "$\n":                                                       "",
		object("web") + "---\n" + object("db"):                                                     "web db",
	} {
		recording, err := files.Open(t.Context(), []string{"-"}, strings.NewReader(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		var topics []string
		for _, name := range []string{"web", "db"} {
			if recording.IsTopic(schema.GroupKind{Kind: "Pod"}, "shop", name) {
				topics = append(topics, name)
			}
		}
		if got := strings.Join(topics, " "); got != want {
			t.Errorf("%s\nis about %q, want %q", text, got, want)
		}
	}
}
