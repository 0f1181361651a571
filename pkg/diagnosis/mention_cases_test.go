package diagnosis_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// mentionCases are about finalizers that a program mentions without being their controller, or only maybe: the template
// that an object was made of, whoever made it, and clients of a host of the same name.
func mentionCases() []whyCase {
	const copied = `{"f:metadata": {"f:finalizers": {"v:\"foo.acme.io/x\"": {}}}}`
	const manager = "kube-controller-manager"
	held := func(name, by, owner string) string {
		return object("v1", "Pod", "shop", name,
			deleted(time.Hour, "foo.acme.io/x")+", deletionGracePeriodSeconds: 0, labels: {app: web}, managedFields: ["+
				managed(by, 2*time.Hour, copied)+", "+managed(manager, 10*time.Second, `{"f:status": {"f:phase": {}}}`)+"]"+owner,
			"spec: {containers: [{name: main, image: none}]}\nstatus: {phase: Failed}")
	}
	by := func(kind, name string) string {
		group := map[bool]string{true: "apps/v1", false: "apps.kruise.io/v1"}[kind != "CloneSet"]
		return fmt.Sprintf(", ownerReferences: [{apiVersion: %s, kind: %s, name: %s, uid: %s-%s, controller: true, "+
			"blockOwnerDeletion: true}]", group, kind, name, strings.ToLower(kind), name)
	}
	spec := func(finalizers, text string) string {
		return "spec: {replicas: 0, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web, " +
			"foo.acme.io/part: web}, annotations: {foo.acme.io/x: held}, finalizers: [" + finalizers +
			"]}, spec: {containers: [{name: main, image: foo.acme.io/web, " + text + "}]}}}"
	}
	web := func(meta, finalizers string) string {
		return object("apps/v1", "Deployment", "shop", "web", meta, spec(finalizers, "args: [serve]"))
	}
	set := object("apps/v1", "ReplicaSet", "shop", "web-1", strings.TrimPrefix(by("Deployment", "web"), ", "),
		spec("foo.acme.io/x", "args: [serve]"))
	setGoing := object("apps/v1", "ReplicaSet", "shop", "web-1", deleted(time.Hour, "foregroundDeletion")+by("Deployment",
		"web"), spec("foo.acme.io/x", "args: [serve]"))
	claims := func(entry, manager string) string {
		return object("v1", "PersistentVolumeClaim", "shop", "data-db-0",
			deleted(time.Hour, "foo.acme.io/x")+", managedFields: ["+managed(manager, 2*time.Hour, copied)+"]", "") + "---\n" +
			object("apps/v1", "StatefulSet", "shop", "db", "",
				"spec: {replicas: 1, template: {spec: {}}, volumeClaimTemplates: [{metadata: {name: data, "+
					"finalizers: ["+entry+"]}}]}")
	}
	client := func(text string) string { return object("apps/v1", "Deployment", "shop", "api", "", spec("", text)) }
	notes := configMap("notes", deleted(time.Hour, "foo.acme.io/hold"))
	unknown := []string{"ControllerUnknown Pod/shop/web-1-a"}
	cases := []whyCase{{
		name: "pod with a finalizer from its Deployment's template", target: "pods/web-1-a", verdict: result.Undetermined,
		objects: []string{held("web-1-a", manager, by("ReplicaSet", "web-1")), set, web("", "foo.acme.io/x"), managerAlive()},
		causes:  unknown,
		says:    []string{"nothing that was looked at shows which controller"},
		remedy:  "-n shop edit deployments.apps/web",
	}, {
		name: "pod with a finalizer that its Deployment's template has no more", target: "pods/web-1-a",
		verdict: result.Undetermined,
		objects: []string{held("web-1-a", manager, by("ReplicaSet", "web-1")), set, web("", ""), managerAlive()},
		causes:  unknown,
		remedy:  "-n shop edit replicasets.apps/web-1",
	}, {
		name:   "Deployment that is deleted in the foreground, and whose template has a finalizer",
		target: "deployments.apps/web", verdict: result.Undetermined,
		objects: []string{
			held("web-1-a", manager, by("ReplicaSet", "web-1")), held("web-1-b", manager, by("ReplicaSet", "web-1")), setGoing,
			web(deleted(time.Hour, "foregroundDeletion"), "foo.acme.io/x"), managerAlive(),
		},
		causes: []string{unknown[0] + " × 2"}, says: []string{"from 2 Pods"},
	}, {
		name:   "pod with a finalizer that kube-controller-manager copied, and what it was made of is gone",
		target: "pods/web-1-a", verdict: result.Undetermined,
		objects: []string{held("web-1-a", manager, by("ReplicaSet", "web-1")), managerAlive()}, causes: unknown,
	}, {
		name: "pod with a finalizer from a template that another controller copied", target: "pods/web-1-a",
		verdict: result.Undetermined,
		objects: []string{
			held("web-1-a", "stamper", by("StatefulSet", "web")), object("apps/v1", "StatefulSet", "shop", "web", "",
				spec("foo.acme.io/x", "args: [serve]")),
			object("apps/v1", "Deployment", "ops", "stamper", "",
				"spec: {replicas: 0, template: {spec: {serviceAccountName: stamper}}}"),
		},
		causes: unknown,
	}, {
		name: "pod with a finalizer that a program set, which no template has", target: "pods/web-1-a", verdict: result.Stuck,
		sure: finding.Likely,
		objects: []string{
			held("web-1-a", "stamper", by("StatefulSet", "web")), object("apps/v1", "StatefulSet", "shop", "web", "",
				spec("", "args: [serve]")),
			object("apps/v1", "Deployment", "ops", "stamper", "",
				"spec: {replicas: 0, template: {spec: {serviceAccountName: stamper}}}"),
		},
		causes: []string{"ControllerDown Deployment/ops/stamper"}, says: []string{"probably the controller of"},
	}, {
		name: "claim with a finalizer from its StatefulSet's template", target: "persistentvolumeclaims/data-db-0",
		verdict: result.Undetermined,
		objects: []string{claims("foo.acme.io/x", manager), managerAlive()},
		causes:  []string{"ControllerUnknown PersistentVolumeClaim/shop/data-db-0"},
		remedy:  "get statefulsets.apps/db -o yaml",
	}, {
		name: "claim with a finalizer that its StatefulSet's template has not", target: "persistentvolumeclaims/data-db-0",
		verdict: result.Undetermined,
		objects: []string{claims("", manager), managerAlive()},
		causes:  []string{"ControllerUnknown PersistentVolumeClaim/shop/data-db-0"},
	}, {
		name:   "pod with a finalizer from its template, whose API group has an operator that is scaled to nothing",
		target: "pods/web-1-a", verdict: result.Stuck, sure: finding.Likely,
		objects: []string{
			strings.ReplaceAll(held("web-1-a", manager, by("ReplicaSet", "web-1")), "foo.acme.io/x", "shop.example.com/cleanup"),
			strings.ReplaceAll(set, "foo.acme.io/x", "shop.example.com/cleanup"),
			granted("shop-operator", mayWrite, "databases, databases/finalizers", theOperator), operator(0, ""),
		},
		causes: []string{"ControllerDown Deployment/shop-system/shop-operator"},
	}}
	const cm = "configmaps/notes"
	for what, one := range map[string]struct {
		told string
		down bool
	}{
		"calls a host of its name":        {"env: [{name: URL, value: 'https://foo.acme.io/api'}]", false},
		"is told its domain":              {"args: [--prefix=foo.acme.io]", false},
		"is told the finalizer itself":    {"args: [--finalizer=foo.acme.io/hold]", true},
		"calls a page of its name":        {"args: ['https://foo.acme.io/hold']", false},
		"has its name in the image alone": {"args: [serve]", false},
	} {
		next := whyCase{name: "config map with a finalizer of a domain, while a program " + what, target: cm,
			verdict: result.Undetermined, objects: []string{notes, client(one.told)},
			causes: []string{"ControllerUnknown ConfigMap/shop/notes"}}
		if one.down {
			next.verdict, next.causes, next.sure = result.Stuck, []string{"ControllerDown Deployment/shop/api"}, finding.Likely
			next.says = []string{"probably Deployment shop/api, which"}
		}
		cases = append(cases, next)
	}
	return cases
}

// goingNodeCases are those of pods on Nodes that are being deleted.
func goingNodeCases() []whyCase {
	gone := func(ago time.Duration, finalizers ...string) string {
		return strings.Replace(node("n1", "Unknown", ""), "uid: node-n1", "uid: node-n1, "+deleted(ago, finalizers...), 1)
	}
	web := pod("web", 5*time.Minute, "n1", "")
	return []whyCase{{
		name: "pod on a dead node that is being deleted, and that somebody's finalizer holds", target: "pods/web",
		verdict: result.Stuck,
		objects: []string{web, gone(4*time.Minute, "node.acme.io/x"), managerAlive()},
		causes:  []string{"NodeNotReady Node/n1", "ControllerUnknown Node/n1"}, says: []string{"which is being deleted and"},
		remedy: "remove nodes/n1",
	}, {
		name: "pod on a dead node that is about to go", target: "pods/web", verdict: result.Progressing,
		objects: []string{web, gone(4 * time.Second), managerAlive()},
	}, {
		name: "pod on a node that is being deleted, and whose kubelet is at work", target: "pods/web",
		verdict: result.Progressing,
		objects: []string{
			pod("web", 10*time.Second, "n1", ""), strings.Replace(gone(4*time.Minute, "node.acme.io/x"), `status: "Unknown"`,
				`status: "True"`, 1), lease("kube-node-lease", "n1", time.Second),
		},
	}, {
		name: "mirror pod on a dead node that waits for it", target: "pods/web", verdict: result.Stuck,
		objects: []string{
			strings.Replace(web, "uid: pod-web",
				"uid: pod-web, ownerReferences: [{apiVersion: v1, kind: Node, name: n1, uid: node-n1, controller: true, "+
					"blockOwnerDeletion: true}]", 1),
			gone(4*time.Minute, "foregroundDeletion"), managerAlive(),
		},
		causes: []string{"NodeNotReady Node/n1"},
	}}
}
