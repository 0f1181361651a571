package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
)

// openSnapshots opens the files of --snapshot, once: standard input can't be read twice. No kubeconfig is read and
// nothing is contacted.
func openSnapshots(ctx context.Context, o *options) (files.Opened, error) {
	if o.opened != nil {
		return *o.opened, nil
	}
	opened, err := files.OpenAny(ctx, o.snapshots, o.out.In)
	if err != nil {
		return opened, cantBeUsed(o.snapshots, err)
	}
	o.opened = &opened
	return opened, nil
}

// connectOpened returns the connection to the cluster in files: of several clusters, to the one that --context names.
func connectOpened(ctx context.Context, o *options, opened files.Opened) (*connection, error) {
	if opened.Several == nil {
		return connectRecorded(ctx, opened.Recording, o.snapshots, o.config, o.out.ErrOut)
	}
	recording, err := chooseRecorded(opened.Several, *o.config.Context)
	if err != nil {
		return nil, cantBeUsed(o.snapshots, err)
	}
	c, err := connectRecorded(ctx, recording, o.snapshots, flagsOfRecorded(o.config), o.out.ErrOut)
	if err == nil {
		c.options.Member = *o.config.Context
	}
	return c, err
}

func cantBeUsed(names []string, err error) error {
	what := strings.Join(names, ", ")
	if what == "-" {
		what = "standard input"
	}
	advice := ""
	if errors.Is(err, files.ErrNothing) && !strings.Contains(err.Error(), "use ") {
		advice = "; use the output of kubectl get -o yaml or json, or of kubectl describe"
	}
	return fmt.Errorf("%s can't be used: %w%s", what, err, advice)
}

// connectRecorded returns the connection to a cluster that was read from files, and says what it is.
func connectRecorded(
	ctx context.Context, recording *snapshot.Recording, names []string, flags *genericclioptions.ConfigFlags,
	errOut io.Writer,
) (*connection, error) {
	introduce(errOut, recording)
	return recordedConnection(ctx, recording, names, flags)
}

func recordedConnection(
	ctx context.Context, recording *snapshot.Recording, names []string, flags *genericclioptions.ConfigFlags,
) (*connection, error) {
	servedKinds, err := recording.ServedKinds(ctx)
	if err != nil {
		return nil, err
	}
	config := &rest.Config{Host: "http://recording.invalid", QPS: -1, WarningHandlerWithContext: rest.NoWarnings{}}
	config.Transport = nothingToAsk{}
	head := recording.Header()
	return &connection{
		RESTClientGetter: flags, reader: recording, servedKinds: servedKinds, config: config,
		discovery: recordedDiscovery{servedKinds: servedKinds},
		namespace: cmp.Or(*flags.Namespace, head.Namespace, metav1.NamespaceDefault), enforce: *flags.Namespace != "",
		options: mechanism.Options{Flags: repeatable(flags, head.Context), Files: names},
	}, nil
}

// renamed says why no object of a redacted recording has the name that people know it by.
func renamed(c *connection) string {
	if recording, is := c.reader.(*snapshot.Recording); !is || !recording.Header().Redacted {
		return ""
	}
	return " in this recording, in which --redact has replaced names. To see which names it has, list it with -A"
}

func introduce(errOut io.Writer, recording *snapshot.Recording) {
	head := recording.Header()
	from := "a recording " + madeFor(head.Scope)
	if recording.Source().Manifests() {
		from = "manifests; what they don't contain counts as unreadable"
	}
	for _, skipped := range recording.Skipped {
		warn(errOut, skipped.Error()+"; what it contains is not known")
	}
	const live = "In the answer, commands without --snapshot are for the live cluster."
	ages := fmt.Sprintf("Ages are as of %s. %s", head.RecordedAt.Format(time.RFC3339), live)
	if recording.Source() == cluster.FromUndated {
		ages = fmt.Sprintf("It does not show exactly when it was written: ages are as of %s, and may be longer. %s",
			head.RecordedAt.Format(time.RFC3339), live)
	}
	told := []string{"From " + from + "."}
	for _, note := range recording.Notes {
		told = append(told, note+".")
	}
	for _, text := range append(told, ages) {
		_ = print.Paragraph(errOut, text, plainStyle(errOut)) // there is nowhere left to complain
	}
	_, _ = fmt.Fprintln(errOut) // on a terminal, the answer follows
}

// madeFor completes "a recording …" with what it holds. What it was made to explain is named in one wording, also of
// older recordings, whose scope names it in others.
func madeFor(scope string) string {
	objects := scope
	for _, words := range []string{"what is read to explain ", "what explains "} {
		objects = strings.TrimPrefix(objects, words)
	}
	for _, words := range []string{", and what explains its state", ", and what explains their state"} {
		objects = strings.TrimSuffix(objects, words)
	}
	if objects == scope {
		return "of " + cmp.Or(scope, "a cluster")
	}
	return "made to explain " + objects
}

// recordedDiscovery tells resource.Builder what a recorded cluster serves.
type recordedDiscovery struct {
	discovery.CachedDiscoveryInterface // nil: nothing else is asked
	servedKinds                        *cluster.ServedKinds
}

// Fresh implements discovery.CachedDiscoveryInterface.
func (recordedDiscovery) Fresh() bool { return true }

// Invalidate implements discovery.CachedDiscoveryInterface.
func (recordedDiscovery) Invalidate() {}

// ServerGroupsAndResources implements discovery.DiscoveryInterface. The preferred version of a group is the one of its
// first resource.
func (d recordedDiscovery) ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	groups, lists := []*metav1.APIGroup{}, []*metav1.APIResourceList{}
	for _, version := range d.versions() {
		if len(groups) == 0 || groups[len(groups)-1].Name != version.Group {
			groups = append(groups, &metav1.APIGroup{Name: version.Group})
		}
		group := groups[len(groups)-1]
		served := metav1.GroupVersionForDiscovery{GroupVersion: version.String(), Version: version.Version}
		group.Versions = append(group.Versions, served)
		group.PreferredVersion = group.Versions[0]
		if _, failed := d.servedKinds.Failed[version]; !failed {
			lists = append(lists, d.resources(version))
		}
	}
	if len(d.servedKinds.Failed) > 0 {
		return groups, lists, &discovery.ErrGroupDiscoveryFailed{Groups: d.servedKinds.Failed}
	}
	return groups, lists, nil
}

// versions returns the versions of each group, the preferred one first.
func (d recordedDiscovery) versions() (versions []schema.GroupVersion) {
	all := finding.Each(d.servedKinds.Resources,
		func(resource cluster.Resource) schema.GroupVersion { return resource.GroupVersion() })
	others := slices.Collect(maps.Keys(d.servedKinds.Failed))
	for kind := range d.servedKinds.Kinds {
		others = append(others, kind.GroupVersion())
	}
	slices.SortFunc(others, func(a, b schema.GroupVersion) int { return strings.Compare(a.String(), b.String()) })
	for _, version := range append(all, others...) {
		if !slices.Contains(versions, version) {
			versions = append(versions, version)
		}
	}
	slices.SortStableFunc(versions, func(a, b schema.GroupVersion) int { return strings.Compare(a.Group, b.Group) })
	return versions
}

// resources returns a version's own resources, and resources whose kinds are known from another version.
func (d recordedDiscovery) resources(version schema.GroupVersion) *metav1.APIResourceList {
	list := &metav1.APIResourceList{GroupVersion: version.String()}
	for _, resource := range d.servedKinds.Resources {
		if resource.GroupVersion() != version && !d.servedKinds.Kinds[version.WithKind(resource.Kind)] ||
			resource.Group != version.Group {
			continue
		}
		list.APIResources = append(list.APIResources, metav1.APIResource{
			Name: resource.Resource, SingularName: resource.Singular, Namespaced: resource.Namespaced,
			Kind:  resource.Kind,
			Verbs: resource.Verbs, ShortNames: resource.ShortNames, Categories: resource.Categories,
		})
	}
	return list
}

// nothingToAsk is the transport of a recording: kubectl's code makes a client for it, and sends nothing.
type nothingToAsk struct{}

// RoundTrip implements http.RoundTripper.
func (nothingToAsk) RoundTrip(request *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("a recording answers no requests: %s", request.URL.Path)
}
