// Package uninstall uninstalls made-up operators on a real control plane: as people do it, and as a plan of the program
// says. An operator is data: its manifests, what its controller does, and how it is asked about.
package uninstall

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

//go:embed operators/*.yaml
var operators embed.FS

// Operator is one that was made up.
type Operator struct {
	// Name is that of its Deployment, its ServiceAccount and its rights, in the namespace NAME-system, and of its node.
	Name string `json:"name"`
	// Title says in a line what is special about it.
	Title string `json:"title"`
	// Rules are the operator's rights, as a ClusterRole has them.
	Rules string `json:"rules"`
	// Kinds are the kinds that it defines.
	Kinds []Kind `json:"kinds"`
	// Manifests are further objects of it, and Objects what people have created. ${webhook} is the address of its
	// webhooks, and ${ca} their certificate.
	Manifests string `json:"manifests,omitempty"`
	Objects   string `json:"objects"`
	// Removes are the finalizers that its controller removes.
	Removes []Removal `json:"removes"`
	// Asks are arguments of uninstall. The first ones are the ones whose plan is carried out.
	Asks []string `json:"asks"`
	// Before is done before it is asked about, and Resolve what has to be done before the plan is ready.
	Before  []zoo.Step `json:"before,omitempty"`
	Resolve []zoo.Step `json:"resolve,omitempty"`
	// Causes are the reasons of the root causes, before that.
	Causes []string `json:"causes,omitempty"`
	// Unclear says that the plan can't be sure, as where a webhook is called by URL.
	Unclear bool `json:"unclear,omitempty"`
	// Parts has the plan interrupted after so many confirmations, and made again.
	Parts int `json:"parts,omitempty"`
	// Guests are objects of others with its finalizers. They stay, and must not get stuck when they are
	// deleted afterwards.
	Guests []zoo.Object `json:"guests,omitempty"`
	// Stays are objects that the plan leaves, and that are as they were afterwards.
	Stays []zoo.Object `json:"stays,omitempty"`
	// Says is what the plan says.
	Says []string `json:"says,omitempty"`
}

// Kind is a kind that an operator defines, with objects of any content.
type Kind struct {
	Plural        string `json:"plural"`
	Kind          string `json:"kind"`
	Group         string `json:"group"`
	ClusterScoped bool   `json:"clusterScoped,omitempty"`
	// Converts says that it is stored as v1 and served as v2 as well, by a conversion webhook.
	Converts bool `json:"converts,omitempty"`
}

// Removal is a finalizer that a controller removes from what is being deleted.
type Removal struct {
	Resource  string `json:"resource"` // VERSION/PLURAL.GROUP
	Finalizer string `json:"finalizer"`
	// UsedBy keeps an object while another one beside it names it.
	UsedBy *Use `json:"usedBy,omitempty"`
	// Needs keeps an object if the one that it names is not there.
	Needs *Use `json:"needs,omitempty"`
	// Paused is an annotation that keeps it.
	Paused string `json:"paused,omitempty"`
}

// Use is a field by which an object names another one.
type Use struct {
	Resource string `json:"resource"`
	Field    string `json:"field"` // spec.bucketName
}

// Operators returns all of them.
func Operators() (all []Operator, err error) {
	files, err := fs.Glob(operators, "operators/*.yaml")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		data, err := operators.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var operator Operator
		if err := yaml.UnmarshalStrict(data, &operator); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, operator)
	}
	return all, nil
}

// Installed are the manifests of an operator, as a release of Helm.
func (o Operator) Installed(webhook, ca string) string {
	const release = "annotations: {meta.helm.sh/release-name: NAME, meta.helm.sh/release-namespace: NAME-system}"
	documents := []string{`apiVersion: v1
kind: ServiceAccount
metadata: {name: NAME, namespace: NAME-system, RELEASE}`, `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: NAME, RELEASE}
rules: ` + o.Rules, `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: NAME, RELEASE}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: NAME}
subjects: [{kind: ServiceAccount, name: NAME, namespace: NAME-system}]`}
	for _, kind := range o.Kinds {
		documents = append(documents, kind.definition())
	}
	documents = append(documents, `apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME, namespace: NAME-system, RELEASE}
spec:
  replicas: 1
  selector: {matchLabels: {app: NAME}}
  template:
    metadata: {labels: {app: NAME}}
    spec:
      serviceAccountName: NAME
      nodeName: NAME-node
      containers: [{name: manager, image: registry.local/NAME:v1}]`)
	if o.Manifests != "" {
		documents = append(documents, o.Manifests)
	}
	text := strings.Join(documents, "\n---\n")
	return strings.NewReplacer("RELEASE", strings.ReplaceAll(release, "NAME", o.Name), "NAME", o.Name,
		"${webhook}", webhook, "${ca}", ca).Replace(text)
}

func (k Kind) definition() string {
	scope, conversion := "Namespaced", ""
	if k.ClusterScoped {
		scope = "Cluster"
	}
	const version = "{name: %s, served: true, storage: %t, subresources: {status: {}}, " +
		"schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}"
	versions := fmt.Sprintf(version, "v1", true)
	if k.Converts {
		versions += ", " + fmt.Sprintf(version, "v2", false)
		conversion = "\n  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], " +
			"clientConfig: {url: '${webhook}/convert', caBundle: '${ca}'}}}"
	}
	return fmt.Sprintf(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[1]s.%[2]s, RELEASE}
spec:
  group: %[2]s
  scope: %[3]s
  names: {plural: %[1]s, singular: %[4]s, kind: %[5]s}
  versions: [%[6]s]%[7]s`, k.Plural, k.Group, scope, strings.ToLower(k.Kind), k.Kind, versions, conversion)
}
