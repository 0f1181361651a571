// Package snapshot keeps a cluster in a file: what diagnoses read of it, without its secrets. A Recorder is a
// cluster.Reader that writes down what it reads, and a Recording is one that answers from it (docs/architecture.md).
//
// What was not recorded is unreadable, never absent: a Recording answers "not found" only where the
// cluster did, or where a list that was recorded in full lacks the object.
//
// This package may change at any time.
package snapshot

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

const (
	// Format is the first thing that a recording says of itself.
	Format = "kubectl-finalizers-snapshot"
	// Version is that of the format, for one cluster. Readers refuse newer ones: something new may keep absent and
	// unreadable apart.
	Version = 1
)

// form is how much of an object was read.
type form string

const (
	whole    form = "whole"
	metadata form = "metadata"
)

// Header is what a recording says of itself, in its first line.
type Header struct {
	Format     string    `json:"format"`
	Version    int       `json:"version"`
	RecordedAt time.Time `json:"recordedAt"`          // by the cluster's clock; ages count from it
	By         string    `json:"by,omitempty"`        // the version of the program that wrote it
	Server     string    `json:"server,omitempty"`    // the version of the API server
	Context    string    `json:"context,omitempty"`   // the kubeconfig's name for the cluster, which commands repeat
	Namespace  string    `json:"namespace,omitempty"` // that names without a namespace are looked for in
	Scope      string    `json:"scope,omitempty"`     // what was recorded, in words
	Redacted   bool      `json:"redacted,omitempty"`  // names were replaced
	// Clusters are those of a recording of several, with what became of each. Not all were recorded.
	Clusters []result.Cluster `json:"clusters,omitempty"`
}

var errNoRecording = errors.New("it is not a recording; to make one, use the command snapshot")

// readHeader reads the first line of a recording. The error says why what follows can't be read by it.
func readHeader(line []byte) (head Header, err error) {
	switch {
	case json.Unmarshal(line, &head) != nil || head.Format != Format:
		err = errNoRecording
	case head.Version < 1:
		err = fmt.Errorf("it is damaged: version %d of the format does not exist", head.Version)
	case head.Version > versionOfSeveral:
		err = fmt.Errorf("it is of version %d of the format, and this program knows version %d: "+
			"use a newer kubectl-finalizers", head.Version, versionOfSeveral)
	case head.RecordedAt.IsZero():
		err = errors.New("it doesn't say when it was recorded")
	}
	return head, err
}

// line is one line of a recording after the first. Exactly one field is set, but for object and body,
// which come together and in this order.
type line struct {
	Catalog *catalogLine    `json:"catalog,omitempty"`
	Object  *objectLine     `json:"object,omitempty"`
	Body    json.RawMessage `json:"body,omitempty"`
	Read    *readLine       `json:"read,omitempty"`
	End     *endLine        `json:"end,omitempty"`
}

// place is where objects are served: a resource in a version.
type place struct {
	Group    string `json:"group,omitempty"`
	Version  string `json:"version"`
	Resource string `json:"resource"`
}

// objectLine says whose body follows.
type objectLine struct {
	place
	Form      form   `json:"form"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// readLine says that a list was read in full, whose objects are on lines of their own, or, with an error, that a list
// or an object could not be read.
type readLine struct {
	place
	Form      form         `json:"form"`
	Namespace string       `json:"namespace,omitempty"`
	Name      string       `json:"name,omitempty"` // of a single object
	Fields    string       `json:"fields,omitempty"`
	Labels    string       `json:"labels,omitempty"`
	Keep      cluster.Keep `json:"keep,omitempty"` // which of the objects were kept; zero is all of them
	// Last is the last object that could be read of a list that was narrowed down (cluster.Selector.Narrow).
	Last  *lastRead `json:"last,omitempty"`
	Error *Error    `json:"error,omitempty"`
}

// lastRead names an object; it is empty where there was none.
type lastRead struct {
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
}

// endLine is the last line: a recording without it was cut off.
type endLine struct {
	Objects int `json:"objects"`
	Reads   int `json:"reads"`
}

// catalogLine is what the cluster serves.
type catalogLine struct {
	Resources []resourceLine `json:"resources"`
	Kinds     []kindLine     `json:"kinds"`             // in all versions that are served
	Failed    []failedLine   `json:"failed,omitempty"`  // group versions that could not be discovered
	Partial   string         `json:"partial,omitempty"` // why these aren't all, where they aren't
}

type resourceLine struct {
	place
	Kind       string   `json:"kind"`
	Namespaced bool     `json:"namespaced,omitempty"`
	Singular   string   `json:"singular,omitempty"`
	ShortNames []string `json:"shortNames,omitempty"`
	Categories []string `json:"categories,omitempty"`
	Verbs      []string `json:"verbs,omitempty"`
	Scales     bool     `json:"scales,omitempty"`
}

type kindLine struct {
	Group   string `json:"group,omitempty"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

type failedLine struct {
	Group   string `json:"group,omitempty"`
	Version string `json:"version"`
	Error   *Error `json:"error"`
}

// Error is a failure as it was: the API server's status, or the text of what went wrong on the way.
type Error struct {
	Status   *metav1.Status `json:"status,omitempty"`
	Message  string         `json:"message,omitempty"`
	TimedOut bool           `json:"timeout,omitempty"`
}

func catalogToLine(servedKinds *cluster.ServedKinds) *catalogLine {
	kept := &catalogLine{}
	for _, r := range servedKinds.Resources {
		kept.Resources = append(kept.Resources, resourceLine{
			place: placeOf(r), Kind: r.Kind, Namespaced: r.Namespaced,
			Singular: r.Singular, ShortNames: r.ShortNames, Categories: r.Categories, Verbs: r.Verbs, Scales: r.Scales,
		})
	}
	for kind, served := range servedKinds.Kinds {
		if served {
			kept.Kinds = append(kept.Kinds, kindLine(kind))
		}
	}
	slices.SortFunc(kept.Kinds, func(a, b kindLine) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Kind, b.Kind))
	})
	for _, version := range servedKinds.FailedVersions() {
		kept.Failed = append(kept.Failed, failedLine{version.Group, version.Version, record(servedKinds.Failed[version])})
	}
	if servedKinds.Partial != nil {
		kept.Partial = servedKinds.Partial.Error()
	}
	return kept
}

func catalogFromLine(kept *catalogLine) *cluster.ServedKinds {
	servedKinds := &cluster.ServedKinds{Kinds: map[schema.GroupVersionKind]bool{}, Failed: map[schema.GroupVersion]error{}}
	if kept.Partial != "" {
		servedKinds.Partial = &NotRecordedError{What: "what the cluster serves", Why: &Error{Message: kept.Partial}}
	}
	for _, r := range kept.Resources {
		servedKinds.Resources = append(servedKinds.Resources, cluster.Resource{
			GroupVersionResource: schema.GroupVersionResource(r.place), Kind: r.Kind, Namespaced: r.Namespaced,
			Singular: r.Singular, ShortNames: r.ShortNames, Categories: r.Categories, Verbs: r.Verbs, Scales: r.Scales,
		})
	}
	for _, kind := range kept.Kinds {
		servedKinds.Kinds[schema.GroupVersionKind(kind)] = true
	}
	for _, failed := range kept.Failed {
		version := schema.GroupVersion{Group: failed.Group, Version: failed.Version}
		servedKinds.Failed[version] = cmp.Or(failed.Error, &Error{Message: "its discovery failed"}).err()
	}
	return servedKinds
}
