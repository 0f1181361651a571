// Package finalizers answers what the commands of kubectl-finalizers answer, for Go programs: why an object is stuck
// Terminating, what is Terminating, what will get stuck, and what deleting an object would do. It only reads.
//
// This package and the types of its answers, in pkg/result, only grow. All other packages below pkg may change.
package finalizers

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/client-go/rest"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/states"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Target is the object that is asked about. Find makes one of names.
type Target = session.Target

// Options say how a cluster is asked. The zero value is valid.
type Options struct {
	// Catalogs are folders with more entries for the catalogue of finalizers. Later entries replace earlier ones.
	Catalogs []string
	// Program is how the commands in answers call this program; empty is kubectl finalizers.
	Program string
	// Flags lead kubectl to the cluster, in the commands in answers: --context, prod.
	Flags []string
}

// Cluster is a cluster, or a recording of one, that can be asked. It may be asked several things at once.
type Cluster struct {
	reader  cluster.Reader
	live    *cluster.Live // nil if it is a recording
	options mechanism.Options
}

// New returns the cluster that a configuration leads to. When ctx has ended, nothing more is sent. Nothing is sent yet.
func New(ctx context.Context, config *rest.Config, options Options) (*Cluster, error) {
	tools, err := options.tools()
	if err != nil {
		return nil, err
	}
	live, err := cluster.NewLive(ctx, config, "")
	if err != nil {
		return nil, err
	}
	return &Cluster{reader: live, live: live, options: tools}, nil
}

// Open returns the cluster in a recording, or in manifests: one recording, or files, archives and folders that together
// are one cluster. It reads them now.
func Open(ctx context.Context, options Options, names ...string) (*Cluster, error) {
	tools, err := options.tools()
	if err != nil {
		return nil, err
	}
	recording, err := files.Open(ctx, names, strings.NewReader(""))
	if err != nil {
		return nil, fmt.Errorf("%s can't be used: %w", strings.Join(names, ", "), err)
	}
	tools.Files = names
	if context := recording.Header().Context; context != "" && len(tools.Flags) == 0 {
		tools.Flags = []string{"--context", context}
	}
	return &Cluster{reader: recording, options: tools}, nil
}

// Over returns the cluster that a Reader reads, asked with the engines' own options. The program's commands use it. The
// types of its parameters may change.
func Over(reader cluster.Reader, options mechanism.Options) *Cluster {
	return &Cluster{reader: reader, options: options}
}

// tools are the options as the engines take them.
func (o Options) tools() (mechanism.Options, error) {
	known, err := plugins.Embedded()
	if err != nil {
		return mechanism.Options{}, err
	}
	for _, folder := range o.Catalogs {
		problems, err := known.AddDir(folder)
		if err != nil {
			return mechanism.Options{}, err
		}
		if len(problems) > 0 {
			return mechanism.Options{}, problems[0]
		}
	}
	return mechanism.Options{Plugins: known, Program: finding.Program(o.Program), Flags: o.Flags}, nil
}

// Find returns the object that a type and names mean. The type is written as kubectl takes it: pvc, deployments.apps.
// The object is not read, so it need not exist. A cluster-scoped object has no namespace.
func (c *Cluster) Find(ctx context.Context, kind, namespace, name string) (Target, error) {
	if err := cluster.CheckName(namespace, name); err != nil {
		return Target{}, err
	}
	servedKinds, err := c.reader.ServedKinds(ctx)
	if err != nil {
		return Target{}, err
	}
	found := cluster.Meant(servedKinds.Resources, kind)
	if len(found) == 0 {
		return Target{}, fmt.Errorf("the cluster doesn't have a resource type %q", kind)
	}
	target := Target{Resource: cluster.Preferred(found), Namespace: namespace, Name: name}
	if !target.Resource.Namespaced {
		target.Namespace = ""
	}
	return target, nil
}

// tabler prints objects as kubectl get does: what an API server would say of them is worked out for a recording.
func (c *Cluster) tabler() cluster.Tabler {
	switch {
	case c.options.Tabler != nil:
		return c.options.Tabler
	case c.live != nil:
		return c.live
	}
	return states.Printer{Reader: c.reader}
}
