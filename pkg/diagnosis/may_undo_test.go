package diagnosis_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestMayUndo has steps that change an object which a GitOps tool applies again and again, and the same steps for
// objects that no tool applies.
func TestMayUndo(t *testing.T) {
	paused := func(more string) []string {
		return []string{
			object("shop.example.com/v1", "Database", "shop", "orders", deleted(time.Hour, "shop.example.com/cleanup")+
				`, annotations: {ops.example.com/paused: "true"}`+more, ""),
			granted("shop-operator", mayWrite, "databases", theOperator), account("shop-operator"), operator(1, ""),
			operatorPod(podIsReady), node("n1", "True", ""),
		}
	}
	const atlas = ", labels: {kustomize.toolkit.fluxcd.io/name: atlas}"
	broken := webhook("ValidatingWebhookConfiguration", "")
	applied := strings.Replace(broken, "name: guard,", "name: guard"+atlas+",", 1)
	denies := policy("!('example.com/hold' in oldObject.metadata.finalizers)")
	bound := strings.Replace(denies, "name: kept", "name: kept"+atlas, 1)
	held := configMap("held", deleted(time.Hour, "example.com/hold"))
	for _, c := range []struct {
		name, target, step string
		objects            []string
		undone             bool
	}{
		{"paused", "databases.shop.example.com/orders", "resume it", paused(""), false},
		{"paused in a repository", "databases.shop.example.com/orders", "resume it", paused(atlas), true},
		{"webhook", "configmaps/held", "failurePolicy to Ignore", []string{held, broken}, false},
		{"webhook of a repository", "configmaps/held", "failurePolicy to Ignore", []string{held, applied}, true},
		{"policy", "configmaps/held", "apply here, delete the binding", []string{held, denies}, false},
		{"binding of a repository", "configmaps/held", "apply here, delete the binding", []string{held, bound}, true},
	} {
		asked := whyCase{target: c.target, objects: c.objects, verdict: result.Stuck}
		found := false
		for _, cause := range asked.ask(t).RootCauses {
			for _, remedy := range cause.Remedies {
				if !strings.Contains(remedy.Action, c.step) {
					continue
				}
				found = true
				if strings.Contains(remedy.Action, "Kustomization atlas may undo that") != c.undone {
					t.Errorf("%s: %s", c.name, remedy.Action)
				}
			}
		}
		if !found {
			t.Errorf("%s: no step has %q", c.name, c.step)
		}
	}
}
