package follow

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

func TestScopes(t *testing.T) {
	servedKinds := &cluster.ServedKinds{Resources: []cluster.Resource{configMaps()}}
	in := func(namespace string, count int) (objects []string) {
		for i := range count {
			objects = append(objects, fmt.Sprintf("%s/%d", namespace, i))
		}
		return objects
	}
	for _, c := range []struct {
		name    string
		objects []string
		want    string
		all     bool
	}{
		{"none", nil, "", true},
		{"a few", in("a", 3), "a/0 a/1 a/2", true},
		{"many", in("a", 4), "a/", true},
		{"twice the same", append(in("a", 1), in("a", 1)...), "a/0", true},
		{"in two namespaces", append(in("a", 9), in("b", 1)...), "a/ b/0", true},
		{"in many namespaces", func() (all []string) {
			for i := range 20 {
				all = append(all, in(fmt.Sprint("n", i), 1)...)
			}
			return all
		}(), "/", true},
	} {
		answer := &Answer{}
		for _, object := range c.objects {
			namespace, name, _ := strings.Cut(object, "/")
			ref := named(name)
			ref.Namespace = namespace
			answer.nodes = append(answer.nodes, graph.Node{Ref: ref})
		}
		scopes, all := scopesOf(servedKinds, objectsOf(answer))
		var got []string
		for _, scope := range scopes {
			got = append(got, scope.Namespace+"/"+scope.Name)
		}
		if strings.Join(got, " ") != c.want || all != c.all {
			t.Errorf("%s: %v, %v; want %q, %v", c.name, got, all, c.want, c.all)
		}
	}
	ref := named("a")
	ref.Kind = "Unserved"
	if _, all := scopesOf(servedKinds, objectsOf(&Answer{nodes: []graph.Node{{Ref: ref}}})); all {
		t.Error("what isn't served is said to be watched")
	}
}
