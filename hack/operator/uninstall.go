package operator

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/metadata"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

//go:embed uninstalls/*.yaml
var uninstalls embed.FS

// Uninstall is how an operator is uninstalled that people use.
type Uninstall struct {
	// Operator is the one that is uninstalled: the name of its file.
	Operator string `json:"operator"`
	// Operators are installed before, if it needs others besides itself.
	Operators []string `json:"operators,omitempty"`
	// Steps are what people did with it.
	Steps []Step `json:"steps"`
	// Deletes are the objects that people delete with it: what they have created, and not what goes with that.
	Deletes []zoo.Object `json:"deletes"`
	// Finalizers are the ones that only it removes, as globs.
	Finalizers []string `json:"finalizers"`
	// Asks are arguments of uninstall. The plan of the first ones is carried out, and each other one has to be ready.
	// MANIFESTS is a file with what was installed.
	Asks [][]string `json:"asks"`
	// Unclear says that the plan can't be sure: the operator reports trouble with an object, which it deletes all the
	// same.
	Unclear bool `json:"unclear,omitempty"`
	// Says is text of the plan.
	Says []string `json:"says,omitempty"`
}

// Uninstalls returns all of them, by operator.
func Uninstalls() (all []Uninstall, err error) {
	files, err := fs.Glob(uninstalls, "uninstalls/*.yaml")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		data, err := uninstalls.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var uninstall Uninstall
		if err := yaml.UnmarshalStrict(data, &uninstall); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		incomplete := len(uninstall.Deletes) == 0 || len(uninstall.Finalizers) == 0 || len(uninstall.Asks) == 0
		if uninstall.Operator != strings.TrimSuffix(path.Base(file), ".yaml") || incomplete {
			return nil, fmt.Errorf("%s: it has the operator of its file, deletes, finalizers, and asks", file)
		}
		all = append(all, uninstall)
	}
	return all, nil
}

// Scenario is the situation before the operator is uninstalled.
func (u Uninstall) Scenario() Scenario {
	operators := u.Operators
	if operators == nil {
		operators = []string{u.Operator}
	}
	return Scenario{ID: "uninstall-" + u.Operator, Operators: operators, Steps: u.Steps}
}

// Manifests is the text of what an operator is installed from.
func (h *Harness) Manifests(name string) (string, error) {
	all, err := h.manifests(name, false)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, one := range all {
		texts = append(texts, one.text)
	}
	return strings.Join(texts, "\n---\n"), nil
}

// DeleteOperatorFirst uninstalls as people do who keep their objects until the operator is gone: the operator, then its
// objects, then its definitions.
func (h *Harness) DeleteOperatorFirst(ctx context.Context, u Uninstall) error {
	if err := h.uninstall(ctx, u.Operator); err != nil {
		return err
	}
	if err := h.deleteObjects(ctx, u.Deletes); err != nil {
		return err
	}
	return h.deleteManifests(ctx, u.Operator, func(kind string) bool { return kind == "CustomResourceDefinition" })
}

// DeleteAtOnce uninstalls as people do who delete all that they have applied, in the order of the file: their own
// objects are in another file, which comes after it.
func (h *Harness) DeleteAtOnce(ctx context.Context, u Uninstall) error {
	if err := h.deleteManifests(ctx, u.Operator, func(string) bool { return true }); err != nil {
		return err
	}
	if err := h.deleteObjects(ctx, u.Deletes); err != nil {
		return err
	}
	return h.awaitEnd(ctx, u.Operator)
}

// Delete deletes what people have, as far as it is there.
func (h *Harness) Delete(ctx context.Context, u Uninstall) error {
	return h.deleteObjects(ctx, u.Deletes)
}

func (h *Harness) deleteManifests(ctx context.Context, name string, of func(kind string) bool) error {
	all, err := h.manifests(name, false)
	if err != nil {
		return err
	}
	var objects []zoo.Object
	for _, one := range all {
		if of(one.GetKind()) {
			objects = append(objects, zoo.Object{
				Object: typed(one.GroupVersionKind(), one.GetName()), Namespace: orElse(one.GetNamespace(), "default"),
			})
		}
	}
	return h.deleteObjects(ctx, objects)
}

// deleteObjects deletes objects. What isn't there, or is of a kind that is not served any more, is deleted.
func (h *Harness) deleteObjects(ctx context.Context, objects []zoo.Object) error {
	for _, object := range objects {
		err := h.steps(ctx, zoo.Step{Delete: &zoo.Delete{Object: object}})
		if err != nil && !apierrors.IsNotFound(err) && !isUnserved(err) {
			return err
		}
	}
	return nil
}

func isUnserved(err error) bool {
	var noKind *meta.NoKindMatchError
	var noResource *meta.NoResourceMatchError
	return errors.As(err, &noKind) || errors.As(err, &noResource)
}

// Left are the objects that are being deleted, and the ones with finalizers of an operator, both as KIND
// NAMESPACE/NAME.
type Left struct{ Terminating, Held []string }

// Look looks at everything in the cluster.
func (h *Harness) Look(ctx context.Context, u Uninstall) (left Left, err error) {
	config, err := h.plane.AdminConfig()
	if err != nil {
		return left, err
	}
	config.QPS, config.Burst = 200, 200
	served, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return left, err
	}
	client, err := metadata.NewForConfig(config)
	if err != nil {
		return left, err
	}
	// A group without any served kind is no error here: it has no objects.
	lists, err := served.ServerPreferredResources()
	if err != nil && !discovery.IsGroupDiscoveryFailedError(err) {
		return left, err
	}
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return left, err
		}
		for _, resource := range list.APIResources {
			if !slices.Contains(resource.Verbs, "list") || resource.Name == "events" {
				continue
			}
			found, err := client.Resource(version.WithResource(resource.Name)).List(ctx, metav1.ListOptions{})
			if apierrors.IsNotFound(err) || apierrors.IsMethodNotSupported(err) {
				continue // its definition has just gone
			}
			if err != nil {
				return left, fmt.Errorf("list %s: %w", resource.Name, err)
			}
			for _, object := range found.Items {
				left.add(u, resource.Kind+" "+object.Namespace+"/"+object.Name, object.ObjectMeta)
			}
		}
	}
	return left, nil
}

func (l *Left) add(u Uninstall, name string, object metav1.ObjectMeta) {
	if object.DeletionTimestamp != nil {
		l.Terminating = append(l.Terminating, name)
	}
	if slices.ContainsFunc(object.Finalizers, u.isIts) {
		l.Held = append(l.Held, name)
	}
}

// isIts reports whether only the operator removes a finalizer.
func (u Uninstall) isIts(finalizer string) bool {
	return slices.ContainsFunc(u.Finalizers, func(glob string) bool {
		matched, _ := path.Match(glob, finalizer)
		return matched
	})
}

// Settled looks until what is left has not changed for some looks.
func (h *Harness) Settled(ctx context.Context, u Uninstall) (left Left, err error) {
	const looks = 14 // which is longer than the API server waits between its looks at a definition
	same := 0
	for same < looks {
		now, err := h.Look(ctx, u)
		if err != nil {
			return left, err
		}
		if same++; !slices.Equal(now.Terminating, left.Terminating) || !slices.Equal(now.Held, left.Held) {
			same = 0
		}
		left = now
		select {
		case <-ctx.Done():
			return left, ctx.Err()
		case <-time.After(500 * time.Millisecond):
		}
	}
	return left, nil
}

// AwaitNothingLeft waits until nothing is being deleted any more and nothing has a finalizer of the operator. It is an
// error, with what is left, if that doesn't happen.
func (h *Harness) AwaitNothingLeft(ctx context.Context, u Uninstall) error {
	var left Left
	err := await(ctx, func(ctx context.Context) (done bool, err error) {
		left, err = h.Look(ctx, u)
		return len(left.Terminating)+len(left.Held) == 0, err
	})
	if err != nil {
		return fmt.Errorf("being deleted: %v; with its finalizers: %v (%w)", left.Terminating, left.Held, err)
	}
	return nil
}
