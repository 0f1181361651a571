package diagnosis_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/audit"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// checkCase is a cluster and what is wrong in it: SEVERITY REASON FLAW OBJECT, and a count.
type checkCase struct {
	name, namespace, deny, failed string
	objects                       []string
	want                          []string
	says                          []string
	meanwhile                     func(*clustertest.Memory) // changes the cluster before a second look
}

func checkCases() []checkCase {
	owner, childOf := configMap("owner", ""), configMap("child", owned("owner", true))
	elsewhere := object("v1", "ConfigMap", "elsewhere", "owner", "", "")
	role := object("v1", "Node", "", "role", owned("owner", true), "")
	ghost := reference("gone.example.com/v1", "Ghost", "casper", "ghost")
	event := "apiVersion: v1\nkind: Event\nmetadata: {namespace: default, name: role.1, uid: event-1}\nreason: OwnerRefInvalidNamespace\n" +
		"involvedObject: {apiVersion: v1, kind: Node, name: role, uid: node-role}\nmessage: 'ownerRef [v1/ConfigMap, namespace: , name: owner, uid: configmap-owner] does not exist in namespace \"\"'\n"
	database := func(finalizers string) string {
		return object("shop.example.com/v1", "Database", "shop", "orders", "finalizers: ["+finalizers+"]", "")
	}
	return []checkCase{{
		name: "A1 a valid reference", objects: []string{owner, childOf},
	}, {
		name: "A2 an absent owner", objects: []string{childOf}, want: []string{"Warning OwnerMissing OwnerAbsent ConfigMap/shop/child"},
	}, {
		name:    "A2 an owner that went a moment ago, whose dependents the collector deletes meanwhile",
		objects: many(40, owned("gone", false)), meanwhile: remove(40),
	}, {
		name:    "A2 an absent owner of an object that is as young as the collector may be late",
		objects: []string{configMap("child", owned("gone", false)+", creationTimestamp: \""+now.Add(-5*time.Second).Format(time.RFC3339)+"\"")},
		says:    []string{"may be about to delete it"},
	}, {
		name:    "A2 two dependents of an owner that is gone, of which somebody deletes one meanwhile",
		objects: many(2, owned("gone", false)), meanwhile: remove(1),
		want: []string{"Warning OwnerMissing OwnerAbsent ConfigMap/shop/child-01"},
	}, {
		name: "A2 an absent owner of many", objects: many(40, owned("gone", false)), want: []string{"Warning OwnerMissing OwnerAbsent ConfigMap/shop/child-00 × 40"},
	}, {
		name: "A2 an absent owner of an object that is being deleted", objects: []string{configMap("child", owned("owner", false)+", "+deleted(time.Minute, "example.com/hold"))},
		want: []string{"Info OwnerMissing OwnerAbsent ConfigMap/shop/child"},
	}, {
		name: "A3 an owner that was created again", objects: []string{strings.Replace(owner, "uid: configmap-owner", "uid: another", 1), childOf},
		want: []string{"Warning OwnerMissing OwnerReplaced ConfigMap/shop/child"},
	}, {
		name: "A4 a wrong kind", objects: []string{owner, child(reference("v1", "Pod", "owner", "configmap-owner"))},
		want: []string{"Error InvalidOwnerReference OwnerMisnamed ConfigMap/shop/child"}, says: []string{"with the uid of ConfigMap shop/owner"},
	}, {
		name: "A5 another version that is served", objects: []string{configMap("x", ""), object("v1", "ConfigMap", "shop", "child", "ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: x, uid: configmap-x}]", "")},
	}, {
		name: "A6 a kind that isn't served", objects: []string{child(ghost)}, want: []string{"Error UnresolvableOwner OwnerUnserved ConfigMap/shop/child"},
	}, {
		name: "A6 a kind whose group can't be discovered", failed: "gone.example.com/v1", objects: []string{child(ghost)},
	}, {
		name: "A7 an owner in another namespace", objects: []string{elsewhere, childOf}, want: []string{"Error InvalidOwnerReference OwnerElsewhere ConfigMap/shop/child"},
		says: []string{"it is ConfigMap elsewhere/owner"},
	}, {
		name: "A7 an owner in another namespace, in one namespace", namespace: "shop", objects: []string{elsewhere, childOf},
		want: []string{"Error InvalidOwnerReference OwnerElsewhere ConfigMap/shop/child"},
	}, {
		name: "A8 a cluster-scoped dependent", objects: []string{owner, role, event}, want: []string{"Error InvalidOwnerReference DependentClusterScoped Node/role"},
		says: []string{"event OwnerRefInvalidNamespace", "may still be invalid"},
	}, {
		name: "A9 a cluster-scoped owner", objects: []string{object("v1", "Node", "", "n1", "", ""), child(reference("v1", "Node", "n1", "node-n1"))},
	}, {
		name: "A9 a cluster-scoped owner, in one namespace", namespace: "shop", objects: []string{object("v1", "Node", "", "n1", "", ""), child(reference("v1", "Node", "n1", "node-n1"))},
	}, {
		name: "A15 several owners, one of which can't be resolved", objects: []string{child(toConfigMap("gone"), ghost)},
		want: []string{"Error UnresolvableOwner OwnerUnserved ConfigMap/shop/child", "Warning OwnerMissing OwnerAbsent ConfigMap/shop/child"},
	}, {
		name: "A19 an object that owns itself", objects: []string{configMap("narcissus", owned("narcissus", true))}, want: []string{"Warning OwnerCycle OwnersCycle ConfigMap/shop/narcissus"},
	}, {
		name: "a cycle", objects: []string{configMap("a", owned("b", true)), configMap("b", owned("a", true))}, want: []string{"Warning OwnerCycle OwnersCycle ConfigMap/shop/a × 2"},
	}, {
		name: "an owner that can't be read", deny: "configmaps", objects: []string{owner, object("v1", "Pod", "shop", "child", owned("owner", false), "")},
	}, {
		name: "finalizers with bad names", objects: []string{database("'plain', 'plain', '-not/ok-', 'fine.example.com/x'")},
		want: []string{"Error InvalidFinalizer Database/shop/orders", "Warning ControllerMissing Database/shop/orders", "Warning ControllerMissing Database/shop/orders", "Warning DuplicateFinalizer Database/shop/orders", "Warning UnqualifiedFinalizer Database/shop/orders"},
	}, {
		name: "finalizers that can't go together", objects: []string{database("orphan, foregroundDeletion"), managerAlive()}, want: []string{"Error InvalidFinalizer Database/shop/orders"},
	}, {
		name: "live objects while the controller manager is dead", objects: []string{claim("finalizers: [kubernetes.io/pvc-protection]"), managerDead()},
		want: []string{"Warning ControlPlaneDown PersistentVolumeClaim/shop/data"}, says: []string{"will get stuck when it is deleted"},
	}, {
		name: "live objects while the controller manager lives", objects: []string{claim("finalizers: [kubernetes.io/pvc-protection]"), managerAlive()},
	}}
}

func (c checkCase) check(t *testing.T, deny string) *report.Check {
	t.Helper()
	result, err := c.ask(t, deny)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func (c checkCase) ask(t *testing.T, deny string) (*report.Check, error) {
	t.Helper()
	result, _, err := c.askMemory(t, deny)
	return result, err
}

// reads are what a check of the cluster reads.
func (c checkCase) reads(t *testing.T) []string {
	t.Helper()
	_, memory, err := c.askMemory(t, "")
	if err != nil {
		t.Fatal(err)
	}
	return memory.Reads
}

func (c checkCase) askMemory(t *testing.T, deny string) (*report.Check, *clustertest.Memory, error) {
	t.Helper()
	memory, err := clustertest.New(now, strings.Join(c.objects, "---\n"))
	if err != nil {
		t.Fatal(err)
	}
	if deny != "" {
		memory.Deny(deny)
	}
	if c.failed != "" {
		version, _ := schema.ParseGroupVersion(c.failed)
		memory.Failed = map[schema.GroupVersion]error{version: errors.New("stale")}
	}
	options := asking(t)
	options.Pause = func(context.Context, time.Duration) error {
		if c.meanwhile != nil {
			c.meanwhile(memory)
		}
		return nil
	}
	result, err := audit.Check(t.Context(), memory, c.namespace, options)
	return result, memory, err
}

func allCheckCases() []checkCase {
	return slices.Concat(checkCases(), checkControllerCases(), checkDriverCases(), checkSilenceCases())
}

func findings(check *report.Check) []string {
	var found []string
	for _, finding := range check.Findings {
		text := strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s/%s", finding.Severity, finding.Reason, finding.Reference, finding.Object.Kind, finding.Object.Path())), " ")
		if finding.Count > 1 {
			text += fmt.Sprintf(" × %d", finding.Count)
		}
		found = append(found, text)
	}
	return found
}

func TestCheck(t *testing.T) {
	for _, c := range allCheckCases() {
		t.Run(c.name, func(t *testing.T) {
			result := c.check(t, c.deny)
			if diff := cmp.Diff(c.want, findings(result)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if told := fmt.Sprintf("%+v", result); slices.ContainsFunc(c.says, func(text string) bool { return !strings.Contains(told, text) }) {
				t.Errorf("%q is not said: %s", c.says, told)
			}
			var human, colored bytes.Buffer
			for out, style := range map[*bytes.Buffer]report.Style{&human: {}, &colored: {Color: true}} {
				if err := report.Print(out, result, report.FormatHuman, style); err != nil {
					t.Fatal(err)
				}
			}
			compareGolden(t, "check "+c.name, human.String())
			checkLines(t, human.String())
			if diff := cmp.Diff(human.String(), withoutEscapes(colored.String())); diff != "" {
				t.Errorf("colour says something that the words don't (-plain +colored):\n%s", diff)
			}
		})
	}
}

// TestCheckWithEachReadDenied checks every cluster again as a user who may not read one kind: fewer findings, and never
// another one.
func TestCheckWithEachReadDenied(t *testing.T) {
	sample := newSample()
	defer sample.check(t)
	for _, c := range allCheckCases() {
		if c.deny != "" {
			continue // it is a lesser one
		}
		if _, err := c.ask(t, "*"); err == nil {
			t.Errorf("%s: that nothing may be listed is no error", c.name)
		}
		for _, denied := range []string{
			"configmaps", "nodes", "pods", "events", "leases", "databases", "persistentvolumeclaims", "deployments", "serviceaccounts", "namespaces",
			"clusterroles", "rolebindings", "customresourcedefinitions", "validatingwebhookconfigurations", "services", "apiservices", "endpointslices",
		} {
			if !sample.tries(c.name, denied) {
				continue
			}
			lesser := c.check(t, denied)
			for _, one := range lesser.Findings {
				if !slices.ContainsFunc(c.want, func(full string) bool { return strings.Contains(full, string(one.Reason)+" "+string(one.Reference)) }) {
					t.Errorf("%s, without %s: %s of %s is concluded from less", c.name, denied, one.Reason, one.Object)
				}
			}
			if len(lesser.Unreadable) == 0 && c.namespace == "" && len(lesser.Findings) < len(c.want) {
				t.Errorf("%s: that %s can't be read is not said", c.name, denied)
			}
		}
	}
}

// TestCheckNamesUndiscovered makes sure that a check says which API groups it knows nothing about, although no owner
// reference uses them.
func TestCheckNamesUndiscovered(t *testing.T) {
	for _, namespace := range []string{"", "shop"} {
		c := checkCase{namespace: namespace, failed: "metrics.example.com/v1", objects: []string{configMap("notes", "")}}
		if unread := c.check(t, "").Unreadable; len(unread) != 1 || unread[0].Resource != "*.metrics.example.com/v1" {
			t.Errorf("namespace %q: unreadable is %+v", namespace, unread)
		}
	}
}
