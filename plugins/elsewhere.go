package plugins

import (
	"slices"
	"strings"

	"k8s.io/client-go/util/jsonpath"
)

// Elsewhere says that what a finalizer waits for is in another cluster: which fields name that cluster, and what is
// waited for there.
type Elsewhere struct {
	// Clusters are the ways in which the cluster is named: the first that names one counts. If none does, it is the
	// cluster of the held object.
	Clusters []NamedCluster `json:"clusters"`
	// Objects are what is waited for there.
	Objects []There `json:"objects,omitempty"`
}

// NamedCluster is how fields name a cluster. No credentials are read: a Secret is only named.
type NamedCluster struct {
	// Of is the kind, as KIND.GROUP, of the object that has the fields. Without one, the held object has them.
	Of string `json:"of,omitempty"`
	// Named is the name of that object: a JSONPath in the held object. Several values name several clusters.
	Named string `json:"named,omitempty"`
	// Form is what the name looks like, in which * stands for the name of the object: *-kubeconfig. Other names name none.
	Form string `json:"form,omitempty"`
	// In is the namespace of that object: a JSONPath in the held object, or a name. Without one, it is that of the held
	// object.
	In string `json:"in,omitempty"`
	// Server is the address of the API server: a JSONPath, or a text with several of them.
	Server string `json:"server,omitempty"`
	// Authority is a JSONPath of its certificate authority, in base64.
	Authority string `json:"authority,omitempty"`
	// Name is a JSONPath of the name by which a person knows the cluster. A context has to have it, if there is no server.
	Name string `json:"name,omitempty"`
	// Secret is a JSONPath of the name of the Secret or ConfigMap that leads there, if nothing else names the cluster.
	Secret string `json:"secret,omitempty"`
	// Here are servers and names that stand for the cluster of the held object.
	Here []string `json:"here,omitempty"`
}

// There is what is waited for in the other cluster. Each of its forms is one of: Each, IDs, Resource with Where, Kind
// with Name, and Drained.
type There struct {
	// Each is a JSONPath of what names objects by the fields group (or apiVersion), kind, namespace and name.
	Each string `json:"each,omitempty"`
	// IDs is a JSONPath of texts of the form NAMESPACE_NAME_GROUP_KIND.
	IDs string `json:"ids,omitempty"`
	// Resource is PLURAL or PLURAL.GROUP of objects that are listed there.
	Resource string `json:"resource,omitempty"`
	// Where is a CEL expression that is true for the objects that are waited for. In it, self is the held object.
	Where string `json:"where,omitempty"`
	// Kind is that of one object, as KIND.GROUP.
	Kind string `json:"kind,omitempty"`
	// Name and Namespace are JSONPaths of its name and namespace in the held object; Name may also be a name.
	Name      string `json:"name,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	// Drained says that the Node of "drains" is one of that cluster.
	Drained bool `json:"drained,omitempty"`
	// Agent says that the controller of the held object's finalizer runs there, and has to delete these objects: if they
	// are not being deleted yet, it is asked how the controller of their own finalizers fares.
	Agent bool `json:"agent,omitempty"`
}

// Filled returns a text with the values of the JSONPaths in it, or nothing if the object lacks one of them.
func Filled(text string, object map[string]any) string {
	path := jsonpath.New("text")
	if err := path.Parse(text); err != nil {
		return ""
	}
	var out strings.Builder
	if err := path.Execute(&out, object); err != nil {
		return ""
	}
	return strings.TrimSpace(out.String())
}

// Maps returns what a JSONPath finds in an object, as far as these are objects themselves.
func Maps(text string, object map[string]any) (found []map[string]any) {
	path := jsonpath.New("items").AllowMissingKeys(true)
	if err := path.Parse(text); err != nil {
		return nil
	}
	results, err := path.FindResults(object)
	if err != nil {
		return nil
	}
	for _, result := range results {
		for _, value := range result {
			if one, is := value.Interface().(map[string]any); is {
				found = append(found, one)
			}
		}
	}
	return found
}

// InForm returns what stands for the * in a name of a form, or false if the name isn't of that form.
func (n NamedCluster) InForm(name string) (string, bool) {
	if n.Form == "" {
		return name, name != ""
	}
	before, after, _ := strings.Cut(n.Form, "*")
	middle, begins := strings.CutPrefix(name, before)
	middle, ends := strings.CutSuffix(middle, after)
	return middle, begins && ends && middle != ""
}

// bearer are the fields of the object that names the cluster.
func (n NamedCluster) bearer() []string { return []string{n.Server, n.Authority, n.Name, n.Secret} }

// own are the fields of the held object that lead to that object.
func (n NamedCluster) own() []string {
	if isPath(n.In) {
		return []string{n.Named, n.In}
	}
	return []string{n.Named}
}

// items are the fields of items by which objects are named.
func (t There) items() (paths []string) {
	if t.Each == "" {
		return nil
	}
	for _, field := range []string{
		"group", "apiVersion", "kind", "namespace", "name", "metadata.namespace", "metadata.name",
	} {
		paths = append(paths, strings.TrimSuffix(t.Each, "}")+"."+field+"}")
	}
	return paths
}

// readElsewhere returns what is read of whole objects to find out what is in another cluster.
func (f Finalizer) readElsewhere(expression func(text, objects string)) (all []Reads) {
	if f.Elsewhere == nil {
		return nil
	}
	read := func(kinds []string, texts ...string) {
		for _, text := range texts {
			for _, path := range PathsIn(text) {
				if len(path) > 0 {
					all = append(all, Reads{Kinds: kinds, Path: path})
				}
			}
		}
	}
	for _, cluster := range f.Elsewhere.Clusters {
		read(f.Kinds, cluster.own()...)
		if cluster.Of != "" {
			read([]string{cluster.Of}, cluster.bearer()...)
		} else {
			read(f.Kinds, cluster.bearer()...)
		}
	}
	for _, object := range f.Elsewhere.Objects {
		read(f.Kinds, slices.Concat([]string{object.IDs, object.Namespace}, object.items())...)
		if strings.HasPrefix(object.Name, "{") {
			read(f.Kinds, object.Name)
		}
		if object.Where != "" {
			expression(object.Where, object.Resource)
		}
	}
	return all
}

func (v *validator) elsewhere(field string, elsewhere *Elsewhere, drains *Drain) {
	if elsewhere == nil {
		return
	}
	v.check(field+".clusters", len(elsewhere.Clusters) > 0, "there is none")
	for i, cluster := range elsewhere.Clusters {
		v.namedCluster(item(field+".clusters", i), cluster)
	}
	for i, object := range elsewhere.Objects {
		v.there(item(field+".objects", i), object, drains)
	}
}

func (v *validator) namedCluster(field string, one NamedCluster) {
	v.check(field, one.Server != "" || one.Name != "" || one.Secret != "", "it has no server, name or secret")
	v.check(field+".named", (one.Of == "") == (one.Named == ""), "\"of\" and \"named\" belong together")
	v.check(field+".in", one.In == "" || one.Of != "" && (isPath(one.In) || !strings.ContainsAny(one.In, "{}/ ")),
		"%q is neither a name nor a JSONPath, or there is no kind in \"of\"", one.In)
	v.check(field+".form", one.Form == "" || one.Named != "" && strings.Count(one.Form, "*") == 1,
		"%q is not of the form *-kubeconfig, or \"named\" is missing", one.Form)
	v.check(field+".authority", one.Authority == "" || one.Server != "", "\"server\" is missing")
	if one.Of != "" {
		v.forms(field+".of", []string{one.Of}, kindForm, "KIND.GROUP")
	}
	for name, text := range map[string]string{
		"named": one.Named, "authority": one.Authority, "name": one.Name, "secret": one.Secret,
	} {
		v.check(field+"."+name, text == "" || isPath(text), "%q is no JSONPath of the form {.spec.name}", text)
	}
	v.check(field+".server", one.Server == "" || len(PathsIn(one.Server)) > 0,
		"%q has no JSONPath of the form {.spec.server}",
		one.Server)
}

func (v *validator) there(field string, one There, drains *Drain) {
	forms := 0
	for _, given := range []bool{one.Each != "", one.IDs != "", one.Resource != "", one.Kind != "", one.Drained} {
		if given {
			forms++
		}
	}
	v.check(field, forms == 1, "it has to have one of each, ids, resource, kind and drained")
	for name, text := range map[string]string{"each": one.Each, "ids": one.IDs, "namespace": one.Namespace} {
		v.check(field+"."+name, text == "" || isPath(text), "%q is no JSONPath of the form {.spec.name}", text)
	}
	v.check(field+".name", (one.Kind == "") == (one.Name == ""), "\"kind\" and \"name\" belong together")
	v.check(field+".drained", !one.Drained || drains != nil && drains.Node != "", "\"drains\" with a node is missing")
	v.check(field+".where", (one.Resource == "") == (one.Where == ""), "\"resource\" and \"where\" belong together")
	if one.Where != "" {
		v.wait(field, Wait{Resource: one.Resource, Scope: ScopeCluster, Where: one.Where, Says: "is there"})
	}
}

func isPath(text string) bool {
	return strings.HasPrefix(text, "{.") && jsonpath.New("path").Parse(text) == nil
}
