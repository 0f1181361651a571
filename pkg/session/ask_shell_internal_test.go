package session

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// TestAskedWords holds that names from pasted files can't make the command ask for anything else.
func TestAskedWords(t *testing.T) {
	t.Parallel()
	kind := func(group, resource string) cluster.Resource {
		at := schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource}
		return cluster.Resource{GroupVersionResource: at, Namespaced: true}
	}
	pods := kind("", "pods")
	for name, c := range map[string]struct {
		asked askedFor
		want  string
	}{
		"an object":              {askedFor{resource: pods, namespace: "shop", name: "web-0"}, "pods web-0 -n shop"},
		"a list":                 {askedFor{resource: pods}, "pods -A"},
		"a name with a colon":    {askedFor{resource: pods, namespace: "shop", name: "a:b"}, "pods a:b -n shop"},
		"a quote":                {askedFor{resource: pods, namespace: "shop", name: `a"; id; "`}, ""},
		"a substitution":         {askedFor{resource: pods, namespace: "shop", name: "$(id)"}, ""},
		"a blank in a name":      {askedFor{resource: pods, namespace: "shop", name: "a b"}, ""},
		"a blank in a namespace": {askedFor{resource: pods, namespace: "kube-system token"}, ""},
		"a flag as a name":       {askedFor{resource: pods, namespace: "shop", name: "--kubeconfig"}, ""},
		"a flag as a namespace":  {askedFor{resource: pods, namespace: "-A"}, ""},
		"another version":        {askedFor{resource: kind("v1.", "secrets"), namespace: "shop"}, ""},
		"two resources":          {askedFor{resource: kind("", "pods,secrets"), namespace: "shop"}, ""},
		"a path":                 {askedFor{resource: kind("example.com", "x/status"), namespace: "shop"}, ""},
	} {
		if got := c.asked.words(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
