package finalizers

import (
	"context"
	"errors"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/audit"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/preview"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rescue"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func errRecording() error {
	return errors.New("only a live cluster can be asked that, and no recording")
}

// WhyOptions say how far Why goes.
type WhyOptions struct {
	Deep  bool // reads every kind of object if nothing else is conclusive
	Probe bool // sends the write that the deletion waits for as a dry run, which changes nothing
	Logs  bool // reads the logs of the responsible controllers
}

// Why explains what blocks the deletion of an object, or, if it was not deleted, what would block it. If ctx ends, the
// answer is what is known by then. Errors are those of reading the object.
func (c *Cluster) Why(ctx context.Context, target Target, options WhyOptions) (*result.Diagnosis, error) {
	with := c.options
	with.Deep = with.Deep || options.Deep
	if (options.Probe || options.Logs) && c.live == nil {
		return nil, errRecording()
	}
	if options.Probe {
		with.Prober, with.Reviewer = c.live, c.live
	}
	if options.Logs {
		with.LogReader = c.live
	}
	return diagnosis.Why(ctx, c.reader, target, with)
}

// ListOptions say what is listed.
type ListOptions struct {
	Namespace string             // empty is all namespaces, and what is cluster-scoped
	Labels    string             // a selector, as kubectl takes it
	Kinds     []cluster.Resource // only objects of these; none is all kinds
	OlderThan time.Duration      // leaves out what was deleted since
	Bare      bool               // lists without asking why
}

// List lists everything that is Terminating, grouped by root cause. It is an error if nothing could be listed.
func (c *Cluster) List(ctx context.Context, options ListOptions) (*result.List, error) {
	return diagnosis.List(ctx, c.reader, c.listing(options))
}

func (c *Cluster) listing(options ListOptions) diagnosis.ListOptions {
	return diagnosis.ListOptions{
		Options: c.options, Namespace: options.Namespace, Labels: options.Labels, Kinds: options.Kinds,
		OlderThan: options.OlderThan, Bare: options.Bare,
	}
}

// TreeOptions say what a tree has.
type TreeOptions struct {
	Everywhere bool     // looks for dependents in all namespaces
	Depth      int      // levels of owners and dependents; 0 is all of them
	Labels     []string // to show of each object
}

// Tree returns an object with its owners and dependents, and what waits for what among them.
func (c *Cluster) Tree(ctx context.Context, target Target, options TreeOptions) (*result.Tree, error) {
	return diagnosis.Tree(ctx, c.reader, target, c.drawing(options))
}

// Forest returns everything that is Terminating in a namespace, or with an empty one in the cluster, and what waits for
// what.
func (c *Cluster) Forest(ctx context.Context, namespace string, options TreeOptions) (*result.Tree, error) {
	return diagnosis.Forest(ctx, c.reader, namespace, c.drawing(options))
}

func (c *Cluster) drawing(options TreeOptions) diagnosis.TreeOptions {
	with := diagnosis.TreeOptions{
		Options: c.options, Everywhere: options.Everywhere, Depth: options.Depth, Labels: options.Labels,
	}
	with.Tabler = c.tabler()
	return with
}

// CheckOptions say what is checked.
type CheckOptions struct {
	Namespace string // empty is the whole cluster
}

// Check finds what will get stuck when it is deleted. It is an error if nothing could be listed.
func (c *Cluster) Check(ctx context.Context, options CheckOptions) (*result.Check, error) {
	return audit.Check(ctx, c.reader, options.Namespace, c.options)
}

// PreviewOptions say how a deletion is asked for.
type PreviewOptions struct {
	Cascade metav1.DeletionPropagation // empty is Background, as with kubectl
	Probe   bool                       // sends the deletion as a dry run, which changes nothing
	// Together is what is deleted at the same time, and Gone what is gone by then, by uid.
	Together []Target
	Gone     map[string]bool
}

// Preview says what deleting an object would do. Errors are those of reading the object.
func (c *Cluster) Preview(ctx context.Context, target Target, options PreviewOptions) (*result.Preview, error) {
	with := preview.Options{
		Options: c.options, Cascade: options.Cascade, Together: options.Together, Gone: options.Gone,
	}
	if options.Probe && c.live == nil {
		return nil, errRecording()
	}
	if options.Probe {
		with.Prober = c.live
	}
	if len(with.Together) == 0 {
		with.Together = []Target{target}
	}
	return preview.Preview(ctx, c.reader, target, with)
}

// RescueOptions say what is saved of what was deleted by mistake.
type RescueOptions struct {
	// Save is a folder on this machine into which manifests are written, if it is not empty. Files that are there already
	// are an error.
	Save        string
	WithSecrets bool // saves the data of Secrets, too
}

// Rescue says what can be kept of an object that was deleted by mistake, what stops the loss now, and how it comes
// back.
// An object that is gone is answered with what it has left. Errors are those of reading the object, and of saving.
func (c *Cluster) Rescue(ctx context.Context, target Target, options RescueOptions) (*result.RescuePlan, error) {
	if options.Save != "" && c.live == nil && c.reader.Source() != cluster.FromServer {
		return nil, errRecording()
	}
	return rescue.Plan(ctx, c.reader, target, rescue.Options{
		Options: c.options, Folder: options.Save, WithSecrets: options.WithSecrets,
	})
}
