package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
)

// openRecorded returns the connection to a cluster in files. No kubeconfig is read and nothing is
// contacted. Arguments are resolved by the code that resolves them for a live cluster, over a transport
// that answers from the recording.
func openRecorded(ctx context.Context, names []string, flags *genericclioptions.ConfigFlags, streams ioStreams) (*connection, error) {
	recording, err := openRecording(ctx, names, streams)
	if err != nil {
		return nil, err
	}
	catalog, err := recording.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	config := &rest.Config{Host: "http://recording.invalid", QPS: -1, WarningHandlerWithContext: rest.NoWarnings{}}
	config.Transport = &recordedTransport{recording: recording, catalog: catalog}
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	head := recording.Header()
	return &connection{
		loader: recordedConfig{given: *flags.Namespace, own: cmp.Or(head.Namespace, metav1.NamespaceDefault)},
		reader: recording, catalog: catalog, config: config, discovery: memory.NewMemCacheClient(client),
		flags: repeatable(flags, head.Context), files: names,
	}, nil
}

// openRecording opens what --snapshot names.
func openRecording(ctx context.Context, names []string, streams ioStreams) (*snapshot.Recording, error) {
	recording, err := files.Open(ctx, names, streams.In)
	if err != nil {
		return nil, unusable(names, err)
	}
	introduce(streams.ErrOut, recording)
	return recording, nil
}

func unusable(names []string, err error) error {
	what := strings.Join(names, ", ")
	if what == "-" {
		what = "standard input"
	}
	return fmt.Errorf("%s can't be used: %w", what, err)
}

// introduce says what the answer will be from, and what of it could not be read.
func introduce(errOut io.Writer, recording *snapshot.Recording) {
	head := recording.Header()
	from := "a recording of " + cmp.Or(head.Scope, "a cluster")
	if recording.Source() == cluster.FromManifests {
		from = "manifests; what they don't show counts as not looked at"
	}
	for _, skipped := range recording.Skipped {
		warn(errOut, skipped.Error()+"; what it would have told is not known")
	}
	ages := fmt.Sprintf("Ages count from %s; commands without --snapshot are for the cluster itself.", head.RecordedAt.Format(time.RFC3339))
	for _, told := range []string{"From " + from + ".", ages} {
		_ = report.Paragraph(errOut, told, plainStyle(errOut)) // there is nowhere left to complain
	}
}

// recordedConfig stands for the kubeconfig where the cluster is a recording. All that it knows is the
// namespace.
type recordedConfig struct{ given, own string }

// Namespace implements clientcmd.ClientConfig.
func (c recordedConfig) Namespace() (string, bool, error) {
	return cmp.Or(c.given, c.own), c.given != "", nil
}

// RawConfig implements clientcmd.ClientConfig.
func (recordedConfig) RawConfig() (clientcmdapi.Config, error) { return clientcmdapi.Config{}, nil }

// ClientConfig implements clientcmd.ClientConfig.
func (recordedConfig) ClientConfig() (*rest.Config, error) {
	return nil, errors.New("a recording is no cluster to connect to")
}

// ConfigAccess implements clientcmd.ClientConfig.
func (recordedConfig) ConfigAccess() clientcmd.ConfigAccess { return clientcmd.NewDefaultPathOptions() }

// recordedTransport answers what resource.Builder asks for, discovery and lists of metadata, from a
// recording.
type recordedTransport struct {
	recording *snapshot.Recording
	catalog   *cluster.Catalog
}

// RoundTrip implements http.RoundTripper.
func (t *recordedTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	segments := strings.Split(strings.Trim(request.URL.Path, "/"), "/")
	var answer any
	var err error
	switch {
	case request.Method != http.MethodGet:
		err = apierrors.NewMethodNotSupported(cluster.Pods().GroupResource(), request.Method)
	case len(segments) == 1 && segments[0] == "api":
		answer = t.coreVersions()
	case len(segments) == 1 && segments[0] == "apis":
		answer = t.groups()
	case len(segments) == 2 && segments[0] == "api":
		answer, err = t.resources("", segments[1])
	case len(segments) == 3 && segments[0] == "apis":
		answer, err = t.resources(segments[1], segments[2])
	case len(segments) > 2 && segments[0] == "api":
		answer, err = t.list(request, "", segments[1], segments[2:])
	case len(segments) > 3 && segments[0] == "apis":
		answer, err = t.list(request, segments[1], segments[2], segments[3:])
	default:
		err = apierrors.NewNotFound(cluster.Pods().GroupResource(), request.URL.Path)
	}
	return respond(request, answer, err)
}

func respond(request *http.Request, answer any, err error) (*http.Response, error) {
	code := http.StatusOK
	if err != nil {
		var status apierrors.APIStatus
		said := metav1.Status{Status: metav1.StatusFailure, Code: http.StatusNotImplemented, Message: err.Error()}
		if errors.As(err, &status) {
			said = status.Status()
		}
		said.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
		answer, code = said, int(said.Code)
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: code, Status: http.StatusText(code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: request,
		Header: http.Header{"Content-Type": []string{"application/json"}}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}, nil
}

// versions returns the versions of each group, the preferred one first: the one in which most of its
// resources are known.
func (t *recordedTransport) versions() (groups []string, versions map[string][]string) {
	versions = map[string][]string{}
	add := func(group, version string) {
		if versions[group] == nil {
			groups = append(groups, group)
		}
		for _, known := range versions[group] {
			if known == version {
				return
			}
		}
		versions[group] = append(versions[group], version)
	}
	for _, resource := range t.catalog.Resources {
		add(resource.Group, resource.Version)
	}
	for kind := range t.catalog.Kinds {
		add(kind.Group, kind.Version)
	}
	for _, failed := range t.catalog.FailedVersions() {
		add(failed.Group, failed.Version)
	}
	return groups, versions
}

func (t *recordedTransport) coreVersions() *metav1.APIVersions {
	_, versions := t.versions()
	return &metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: versions[""]}
}

func (t *recordedTransport) groups() *metav1.APIGroupList {
	list := &metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}}
	groups, versions := t.versions()
	for _, name := range groups {
		if name == "" {
			continue
		}
		group := metav1.APIGroup{Name: name}
		for _, version := range versions[name] {
			group.Versions = append(group.Versions, metav1.GroupVersionForDiscovery{GroupVersion: name + "/" + version, Version: version})
		}
		group.PreferredVersion = group.Versions[0]
		list.Groups = append(list.Groups, group)
	}
	return list
}

// resources returns what a version of a group serves: its own resources, and those of which its kinds are
// known from another version.
func (t *recordedTransport) resources(group, version string) (*metav1.APIResourceList, error) {
	list := &metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: strings.TrimPrefix(group+"/"+version, "/")}
	for failed, err := range t.catalog.Failed {
		if failed.Group == group && failed.Version == version {
			return nil, apierrors.NewServiceUnavailable(err.Error())
		}
	}
	for _, resource := range t.catalog.Resources {
		kind := schema.GroupVersionKind{Group: group, Version: version, Kind: resource.Kind}
		if resource.Group != group || resource.Version != version && !t.catalog.Kinds[kind] {
			continue
		}
		list.APIResources = append(list.APIResources, metav1.APIResource{
			Name: resource.Resource, SingularName: resource.Singular, Namespaced: resource.Namespaced, Kind: resource.Kind,
			Verbs: resource.Verbs, ShortNames: resource.ShortNames, Categories: resource.Categories,
		})
	}
	return list, nil
}

// list answers a list of metadata: [namespaces NAMESPACE] RESOURCE.
func (t *recordedTransport) list(request *http.Request, group, version string, path []string) (*metav1.PartialObjectMetadataList, error) {
	namespace := ""
	if len(path) == 3 && path[0] == "namespaces" {
		namespace, path = path[1], path[2:]
	}
	for _, resource := range t.catalog.Resources {
		if len(path) != 1 || resource.Group != group || resource.Resource != path[0] {
			continue
		}
		resource.Version = version
		query := request.URL.Query()
		list := &metav1.PartialObjectMetadataList{TypeMeta: metav1.TypeMeta{Kind: "PartialObjectMetadataList", APIVersion: metav1.SchemeGroupVersion.String()}}
		err := t.recording.EachMetadata(request.Context(), resource, namespace, cluster.Selector{Fields: query.Get("fieldSelector"), Labels: query.Get("labelSelector")},
			func(meta *metav1.PartialObjectMetadata) {
				meta.TypeMeta = metav1.TypeMeta{Kind: "PartialObjectMetadata", APIVersion: metav1.SchemeGroupVersion.String()}
				list.Items = append(list.Items, *meta)
			})
		return list, err
	}
	return nil, apierrors.NewNotFound(cluster.Pods().GroupResource(), request.URL.Path)
}
