package files_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
)

// TestNamed knows objects that a text only names: whether they are Terminating is not known.
func TestNamed(t *testing.T) {
	for text, want := range map[string]string{
		"$ kubectl get pods -n shop -o custom-columns=NAME:.a,GONE:.b\nNAME   GONE\nweb    now\n": "pods shop/web",
		"$ kubectl describe svc lb -n shop\n\nName:   lb\nNamespace:   shop\nSelector:   app=a\n" +
			"Session Affinity:   None\n": "services shop/lb",
		"NAME   READY   STATUS   RESTARTS   AGE\nweb   1/1   Terminating   0   9d\n": "",
	} {
		recording, err := files.Open(t.Context(), []string{"-"}, strings.NewReader(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		got := ""
		for _, one := range recording.Named {
			got += one.Resource.Resource + " " + one.Namespace + "/" + one.Name
		}
		if got != want {
			t.Errorf("%q names %q, want %q", text, got, want)
		}
		if want == "" && !recording.Terminating() {
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
