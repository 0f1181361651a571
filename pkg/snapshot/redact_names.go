package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/sets"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/leftout"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// names is what is replaced by what.
type names struct {
	met, kept       sets.Set[string]
	images, ids, by map[string]string
	ends            map[string]string // that Kubernetes has added to names
	taken           sets.Set[string]  // by what names are replaced
	users, managers sets.Set[string]  // people and programs that have rights, and what wrote fields
}

// keptNames are those of Kubernetes itself, and of distributions' own parts.
const keptNames = `default kube-system kube-public kube-node-lease openshift-cloud-controller-manager kubernetes
kube-root-ca.crt kube-controller-manager cloud-controller-manager kube-scheduler kubelet kubectl kube-apiserver
cluster-admin admin edit view system serviceaccount helm csi-attacher csi-provisioner true false`

func newNames() *names {
	kept := sets.New(strings.Fields(keptNames)...)
	return &names{
		met: sets.Set[string]{}, kept: kept, images: map[string]string{}, ids: map[string]string{},
		by: map[string]string{}, ends: map[string]string{}, taken: sets.Set[string]{},
		users: sets.Set[string]{}, managers: sets.Set[string]{},
	}
}

// meetWriters notes who may write, and what wrote. Field managers keep their names, and so do Users of the same name: a
// diagnosis that can't see that they are the same blames another one.
func (n *names) meetWriters(content map[string]any) {
	subjects, _ := content["subjects"].([]any)
	for _, subject := range subjects {
		if named, _ := subject.(map[string]any); named["kind"] == "User" {
			n.users.Insert(fmt.Sprint(named["name"]))
		}
	}
	meta, _ := content["metadata"].(map[string]any)
	fields, _ := meta["managedFields"].([]any)
	for _, field := range fields {
		if entry, _ := field.(map[string]any); entry["manager"] != nil {
			n.managers.Insert(fmt.Sprint(entry["manager"]))
		}
	}
}

// meet notes a name that is to be replaced.
func (n *names) meet(name string) {
	if len(name) > 1 && !strings.HasPrefix(name, "system:") {
		n.met.Insert(name)
	}
}

// keepTypes keeps what the cluster serves.
func (n *names) keepTypes(catalog *catalogLine) {
	for _, one := range catalog.Resources {
		n.kept.Insert(one.ShortNames...).Insert(one.Categories...).Insert(one.Group, one.Version, one.Resource,
			one.Kind,
			strings.ToLower(one.Kind), one.Singular, one.Resource+"."+one.Group)
	}
}

// find meets a name that is in a text of an object, by the field in which it does.
func (n *names) find(within, key, text string) string {
	switch {
	case key == "finalizers":
		domain, _, _ := strings.Cut(text, "/")
		n.kept.Insert(text, domain) // as the latter it is in longer texts
	case within == inList:
		if key == "values" || key == "resourceNames" || len(statuses.ListsNames(key)) > 0 {
			n.meet(text)
		}
	case key == targetNamespaces:
		n.meetScope(text)
	case within == "annotations":
		if !number(text) && text != "true" && text != "false" && key != leftout.Mark {
			n.meet(text)
		}
	case labelled(within):
		if !wellKnown(key) && !number(text) {
			n.meet(text)
		}
	case namesDriver(key) || key == "apiGroup" || key == "group":
		n.kept.Insert(text)
	case key == "image" || key == "imageID":
		if n.images[text] == "" && text != "" {
			n.images[text] = fmt.Sprintf("image-%d", len(n.images)+1)
		}
	case key == "holderIdentity":
		name, _, _ := strings.Cut(text, "_")
		n.meet(name)
	case key == "loadBalancerClass":
		n.meetSetting(key, text) // as the flag by which its controller is told it
	case key == "fieldPath" || key == "schedulerName":
	case identifies(key):
		if reference, is := statuses.Inventoried(text); is && key == "id" {
			n.meet(reference.Namespace)
			n.meet(reference.Name)
		} else {
			n.meetID(text)
		}
	case key == "host" || key == "server" || key == "reportingInstance" || len(statuses.ListsNames(key)) > 0 ||
		key == "name" || key == "namespace" || key == "hostname" || strings.HasSuffix(key, "Name"):
		n.meet(text)
	}
	return text
}

// wellKnown reports whether a label's values are words that mean the same in every cluster.
func wellKnown(label string) bool {
	own := strings.HasPrefix(label, "beta.kubernetes.io/") || strings.HasPrefix(label, "ipaddress.kubernetes.io/")
	return own || slices.Contains([]string{
		"kubernetes.io/os", "kubernetes.io/arch", "kubernetes.io/bootstrapping",
		"app.kubernetes.io/managed-by", "endpointslice.kubernetes.io/managed-by",
	}, label)
}

func number(text string) bool { return strings.Trim(text, "0123456789.") == "" }

// withRole adds to what replaces a name the first of some words that the name has.
func withRole(stem, name string, words []string) string {
	for _, role := range words {
		if slices.Contains(strings.Split(name, "-"), role) ||
			strings.Contains(name, role) && role == "controller-manager" {
			if !strings.Contains(stem, role) {
				stem += "-" + role
			}
			break
		}
	}
	return stem
}

// operatorWords are the words by which a program is known for an operator, the longest first.
func operatorWords() []string {
	return []string{"controller-manager", "operator", "controller", "manager", "provider", "reconciler"}
}

// dutyWords are those by which it is known to have another duty.
func dutyWords() []string {
	return []string{
		"webhook", "exporter", "metrics", "monitoring", "monitor", "dashboard", "console", "viewer", "audit", "scanner",
		"proxy", "readonly", "inventory", "insights",
	}
}

// keepVariables keeps the names of a policy's variables: its expressions use them, and would not compile without.
func (n *names) keepVariables(content map[string]any) {
	variables, _, _ := unstructured.NestedSlice(content, "spec", "variables")
	for _, one := range variables {
		if variable, is := one.(map[string]any); is && variable["expression"] != nil {
			name, _ := variable["name"].(string)
			n.kept.Insert(name)
		}
	}
}

func (n *names) meetObject(at place, namespace, name string) {
	n.meet(namespace)
	if keepsName(at) || namespace == systemNamespace {
		n.kept.Insert(name)
	} else {
		n.meet(name)
	}
}

// keepsName reports whether the names of a resource's objects are those of types and of programs.
func keepsName(at place) bool {
	return slices.Contains([]string{
		"customresourcedefinitions", "apiservices", "csidrivers", "flowschemas", "prioritylevelconfigurations",
		"priorityclasses", "componentstatuses", "ipaddresses", // the names of the last are addresses
	}, at.Resource)
}
