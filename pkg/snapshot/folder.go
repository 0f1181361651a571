package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

const (
	mostFiles   = 500_000
	mostFolders = 24 // below one another
)

// readFolder takes in all manifests below a folder. What can't be read is noted, and what it would have
// told is unknown. It returns when the newest file was written.
func (a *assembly) readFolder(ctx context.Context, root string) (written time.Time, err error) {
	files := 0
	err = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		inside, _ := filepath.Rel(root, name)
		inside = filepath.ToSlash(inside)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			a.skip(inside, err)
			return nil
		}
		if files++; files > mostFiles {
			return fmt.Errorf("it holds more than %d files", mostFiles)
		}
		if entry.IsDir() && strings.Count(inside, "/") > mostFolders {
			return fmt.Errorf("its folders are nested deeper than %d levels", mostFolders)
		}
		extension := path.Ext(inside)
		if !entry.Type().IsRegular() || extension != ".yaml" && extension != ".yml" && extension != ".json" {
			return nil // what is linked to lies elsewhere
		}
		if info, err := entry.Info(); err == nil && info.ModTime().After(written) {
			written = info.ModTime()
		}
		a.readFile(ctx, name, inside)
		return nil
	})
	return written, err
}

func (a *assembly) skip(file string, err error) {
	if len(a.Skipped) < mostSkipped {
		a.Skipped = append(a.Skipped, fmt.Errorf("%s: %w", file, err))
	}
}

// mostSkipped bounds how many broken files are told of.
const mostSkipped = 20

func (a *assembly) readFile(ctx context.Context, name, inside string) {
	file, err := os.Open(name) //nolint:gosec // the user names the folder
	if err != nil {
		a.skip(inside, err)
		return
	}
	defer func() { _ = file.Close() }()
	lists, err := a.read(interruptible{ctx, file})
	if err != nil {
		a.skip(inside, err)
		return
	}
	if len(lists) == 1 {
		a.placed(inside, lists[0])
	}
}

// placed notes that a list is complete, where the place of its file in the folder says so:
//
//	namespaces/NAMESPACE/GROUP/RESOURCE.yaml      oc adm inspect, must-gather
//	cluster-scoped-resources/GROUP/RESOURCE.yaml
//	NAMESPACE/RESOURCE.json, nodes.json           kubectl cluster-info dump
func (a *assembly) placed(inside string, list listSeen) {
	parts := strings.Split(strings.TrimSuffix(inside, path.Ext(inside)), "/")
	at := len(parts)
	switch {
	case at >= 4 && parts[at-4] == "namespaces":
		a.wholeList(a.known(parts[at-2], parts[at-1], list), parts[at-3])
	case at >= 3 && parts[at-3] == "cluster-scoped-resources":
		a.wholeList(a.known(parts[at-2], parts[at-1], list), "")
	case path.Ext(inside) == ".json" && parts[at-1] == "nodes" && list.kind == "NodeList":
		a.wholeList(cluster.Nodes(), "")
	case path.Ext(inside) == ".json" && at >= 2 && list.kind != "" && dumped()[parts[at-1]] == list.kind:
		a.wholeList(a.known("", parts[at-1], list), parts[at-2])
	}
}

func (a *assembly) wholeList(resource cluster.Resource, namespace string) {
	if resource.Resource != "" && (namespace == "" || resource.Namespaced) {
		a.listed(resource, namespace)
	}
}

// dumped are the files that kubectl cluster-info dump writes for a namespace (k8s v1.37
// staging/src/k8s.io/kubectl/pkg/cmd/clusterinfo/clusterinfo_dump.go:Run).
func dumped() map[string]string {
	return map[string]string{
		"events": "EventList", "replication-controllers": "ReplicationControllerList", "services": "ServiceList", "daemonsets": "DaemonSetList",
		"deployments": "DeploymentList", "replicasets": "ReplicaSetList", "pods": "PodList",
	}
}

// known returns the resource that a list is of, or nothing where that isn't clear.
func (a *assembly) known(group, name string, list listSeen) cluster.Resource {
	if group == "core" {
		group = ""
	}
	apiVersion, kind := list.apiVersion, strings.TrimSuffix(list.kind, "List")
	if kind == "" && list.first != nil {
		apiVersion, _ = list.first["apiVersion"].(string)
		kind, _ = list.first["kind"].(string)
	}
	if kind != "" {
		resource := a.kinds[schema.FromAPIVersionAndKind(apiVersion, kind)]
		if kind != "" && resource.Resource == "" && list.items == 0 {
			return cluster.Resource{} // a kind of which no object was ever seen
		}
		return resource
	}
	for _, resource := range a.kinds { // an empty list of anything
		if resource.Group == group && resource.Resource == name {
			return resource
		}
	}
	return cluster.Resource{}
}

// assemble makes a recording of files and folders of manifests.
func assemble(ctx context.Context, names []string) (*Recording, error) {
	a := newAssembly()
	var written time.Time
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		at := info.ModTime()
		if info.IsDir() {
			at, err = a.readFolder(ctx, name)
		} else {
			err = a.readNamed(ctx, name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if at.After(written) {
			written = at
		}
	}
	return a.finish(ctx, written)
}

func (a *assembly) readNamed(ctx context.Context, name string) error {
	file, err := os.Open(name) //nolint:gosec // the user names the file
	if err != nil {
		return err
	}
	_, err = a.read(interruptible{ctx, file})
	return errors.Join(err, file.Close())
}
