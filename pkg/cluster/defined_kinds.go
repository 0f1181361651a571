package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiversion "k8s.io/apimachinery/pkg/version"
)

// registered is what the cluster's own objects say that there is to serve, whatever discovery says.
type registered struct {
	definitions []schema.GroupResource // that have a CustomResourceDefinition
	services    []schema.GroupVersion  // that have an APIService which leads to another server
	unlisted    error                  // why the APIServices could not be listed
	failures    []Failure              // what could not be read, but for the right to read it
}

// registered reads the names of all CustomResourceDefinitions and APIServices, as tables of names: a definition as a
// whole has a hundred kilobytes.
func (l *Live) registered(ctx context.Context) (registered, error) {
	return l.names.Get(struct{}{}, func() (is registered, _ error) {
		var reading sync.WaitGroup
		var definitions, services []Row
		var undefined error
		reading.Go(func() { definitions, undefined = l.tableOf(ctx, CustomResourceDefinitions()) })
		reading.Go(func() { services, is.unlisted = l.tableOf(ctx, APIServices()) })
		reading.Wait()
		is.failed(CustomResourceDefinitions(), undefined)
		is.failed(APIServices(), is.unlisted)
		if apierrors.IsNotFound(is.unlisted) {
			is.unlisted = nil // a server may do without
		}
		for _, row := range definitions {
			is.definitions = append(is.definitions, schema.ParseGroupResource(row.Cells["NAME"]))
		}
		for _, row := range services {
			if service := row.Cells["SERVICE"]; service != "" && service != localService {
				version, group, _ := strings.Cut(row.Cells["NAME"], ".")
				is.services = append(is.services, schema.GroupVersion{Group: group, Version: version})
			}
		}
		return is, nil
	})
}

// localService is printed for an APIService of the API server's own (k8s v1.37
// kube-aggregator/pkg/registry/apiservice/etcd/etcd.go:ConvertToTable).
const localService = "Local"

// failed remembers a list that could not be read. That many users may not read it, and that some servers have nothing
// of the kind, is no news.
func (r *registered) failed(resource Resource, err error) {
	usual := apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) || apierrors.IsNotAcceptable(err)
	if failure, failed := FailureOf(resource, "", "", err); failed && !usual {
		r.failures = append(r.failures, failure)
	}
}

// tableOf lists the objects of a resource in one answer, as the server prints them, without the objects themselves.
func (l *Live) tableOf(ctx context.Context, resource Resource) (rows []Row, err error) {
	asks, err := l.request(http.MethodGet, resource.list(""))
	if err != nil {
		return nil, err
	}
	data, err := bounded(ctx, asks.SetHeader("Accept", table).Param("includeObject", string(metav1.IncludeNone)))
	if err != nil {
		return nil, l.failed(ctx, resource, err)
	}
	var page metav1.Table
	if err := json.Unmarshal(data, &page); err != nil || page.Kind != "Table" {
		return nil, notPrinted(resource, data)
	}
	if page.Continue != "" {
		return nil, &WrongAnswer{Got: "a part of the list"}
	}
	for _, printed := range page.Rows {
		rows = append(rows, newRow(page.ColumnDefinitions, printed))
	}
	return rows, nil
}

// lately is a question whose answer is good for a moment: a scan asks it for many objects, and whoever waits asks anew.
type lately[K comparable] struct {
	about K
	when  int64
}

// moment is the number of a stretch of two seconds.
func moment() int64 { return time.Now().Unix() / 2 }

// definition is what of a CustomResourceDefinition says what is served of it (k8s v1.37
// apiextensions-apiserver/pkg/apiserver/customresource_discovery_controller.go:sync).
type definition struct {
	Spec struct {
		Group    string `json:"group"`
		Scope    string `json:"scope"`
		Versions []struct {
			Name   string `json:"name"`
			Served bool   `json:"served"`
		} `json:"versions"`
	} `json:"spec"`
	Status struct {
		AcceptedNames struct {
			Plural     string   `json:"plural"`
			Singular   string   `json:"singular"`
			Kind       string   `json:"kind"`
			ShortNames []string `json:"shortNames"`
			Categories []string `json:"categories"`
		} `json:"acceptedNames"`
		Conditions []metav1.Condition `json:"conditions"`
	} `json:"status"`
}

// definedKind is a kind that a CustomResourceDefinition has an API server serve.
type definedKind struct {
	Resource          // in the version that discovery prefers
	versions []string // that are served
}

// defined returns what the CustomResourceDefinition of a resource has an API server serve: no versions where there is
// none, or one that isn't established.
func (l *Live) defined(ctx context.Context, resource schema.GroupResource) (definedKind, error) {
	return l.kinds.Get(lately[schema.GroupResource]{resource, moment()}, func() (definedKind, error) {
		return l.readDefinition(ctx, resource)
	})
}

func (l *Live) readDefinition(ctx context.Context, resource schema.GroupResource) (definedKind, error) {
	object, err := l.Get(ctx, CustomResourceDefinitions(), "", resource.String())
	if apierrors.IsNotFound(err) && Names(err, resource.String()) {
		return definedKind{}, nil
	}
	if err != nil {
		return definedKind{}, err
	}
	var is definition
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &is); err != nil {
		return definedKind{}, unreadable(CustomResourceDefinitions(), "", resource.String(), err)
	}
	return is.kind(), nil
}

func (d *definition) kind() (kind definedKind) {
	established := func(is metav1.Condition) bool {
		return is.Type == "Established" && is.Status == metav1.ConditionTrue
	}
	if !slices.ContainsFunc(d.Status.Conditions, established) {
		return definedKind{}
	}
	for _, version := range d.Spec.Versions {
		if version.Served {
			kind.versions = append(kind.versions, version.Name)
		}
	}
	if len(kind.versions) == 0 {
		return definedKind{}
	}
	newest := func(a, b string) int { return apiversion.CompareKubeAwareVersionStrings(a, b) }
	names := d.Status.AcceptedNames
	preferred := schema.GroupVersion{Group: d.Spec.Group, Version: slices.MaxFunc(kind.versions, newest)}
	kind.Resource = Resource{
		GroupVersionResource: preferred.WithResource(names.Plural), Kind: names.Kind,
		Namespaced: d.Spec.Scope == "Namespaced", Singular: names.Singular, ShortNames: names.ShortNames,
		Categories: names.Categories, Verbs: definedVerbs(),
	}
	return kind
}

// definedVerbs are what can be done to the instances of every CustomResourceDefinition.
func definedVerbs() []string {
	return []string{"delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"}
}

// gone returns the "not found" of a kind that discovery doesn't name, if that is so: a server that starts serves kinds
// of definitions, and of other servers, some time after it answers. So only its definition shows whether one is gone.
func (l *Live) gone(ctx context.Context, resource Resource, code int, notFound error) error {
	if ServedByKubernetes(resource.Group) {
		return notFound
	}
	kind, err := l.defined(ctx, resource.GroupResource())
	if err == nil && len(kind.versions) == 0 {
		var behind bool
		if behind, err = l.behindService(ctx, resource.GroupVersion()); err == nil && !behind {
			return notFound
		}
	}
	switch {
	case err != nil:
		const unclear = "%d, and whether this kind is still defined could not be read"
		return &WrongAnswer{Got: fmt.Sprintf(unclear, code), said: err.Error()}
	case len(kind.versions) > 0 && !slices.Contains(kind.versions, resource.Version):
		return notFound
	}
	return &WrongAnswer{Got: fmt.Sprintf("%d, although this kind is defined", code)}
}

// behindService reports whether a group version has an APIService that leads to another server.
func (l *Live) behindService(ctx context.Context, version schema.GroupVersion) (bool, error) {
	return l.behind.Get(lately[schema.GroupVersion]{version, moment()}, func() (bool, error) {
		name := version.Version + "." + version.Group
		object, err := l.Get(ctx, APIServices(), "", name)
		if apierrors.IsNotFound(err) && Names(err, name) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		spec, _ := object.Object["spec"].(map[string]any)
		return spec["service"] != nil, nil
	})
}
