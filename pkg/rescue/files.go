package rescue

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/manifest"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// file is the manifest of an object that can be created again.
type file struct {
	object *session.Object
	path   string
	stage  stage
	of     *volume  // of a claim: the volume that it had
	copied *outside // of an object that stays, and is created beside itself
	again  bool     // the object has to be created again, as far as is known
}

// creates is the object as which it is created.
func (f *file) creates() *session.Object {
	switch {
	case f.copied != nil:
		return session.Named(f.object.Resource, f.object.Ref.Namespace, f.copied.copyName())
	case f.of != nil && f.of.gone:
		return session.Named(f.object.Resource, f.object.Ref.Namespace, f.of.createdAs())
	}
	return f.object
}

// place tells objects that are saved apart. Several claims of one name may be gone.
func (f *file) place() finding.Ref {
	if f.copied != nil {
		return f.object.Ref.Place()
	}
	return f.creates().Ref.Place()
}

// stage is when an object is created again: what others need comes first.
type stage int

// The stages.
const (
	definitions stage = 10 * (iota + 1)
	namespaces
	volumes
	claims
	settings
	customs
	workloads
	pods
	admissions
)

func stageOf(object *session.Object) stage {
	switch group := object.Resource.Group; {
	case object.Is("apiextensions.k8s.io", "CustomResourceDefinition"):
		return definitions
	case object.Is("", "Namespace"):
		return namespaces
	case object.Is("", "PersistentVolume"):
		return volumes
	case object.Is("", "PersistentVolumeClaim"):
		return claims
	case object.Is("", "Pod"):
		return pods
	case group == "apps" || group == "batch":
		return workloads
	case group == "admissionregistration.k8s.io":
		return admissions
	case !cluster.ServedByKubernetes(group):
		return customs
	}
	return settings
}

// saving chooses what is saved, and saves it.
type saving struct{ p *planner }

// chooseFiles chooses the objects whose manifests are saved.
func (s *saving) chooseFiles(ctx context.Context) {
	stays := map[string]bool{}
	for _, object := range s.p.stays {
		stays[object.Ref.UID] = true
	}
	for _, found := range s.p.volumes {
		if found.typed != nil {
			s.addFile(&file{object: found.object, again: found.object.Terminating()})
		}
		if found.claim != nil && found.typed != nil {
			s.addFile(&file{object: found.claim, of: found, again: !stays[found.claim.Ref.UID]})
		}
	}
	for _, object := range s.p.going.Deleted {
		if !s.isMade(object) && (s.p.options.WithSecrets || !object.Is("", "Secret")) {
			s.addFile(&file{object: object, again: !stays[object.Ref.UID]})
		}
	}
	for _, found := range s.p.outside { // what is kept of what an object's controller deletes, too
		added := &file{object: found.object}
		if found.isCopied() {
			added.copied, added.again = found, true
		}
		s.addFile(added)
	}
	s.addDefinitions(ctx)
	slices.SortStableFunc(s.p.files, func(a, b *file) int {
		return cmp.Or(cmp.Compare(a.stage, b.stage), cmp.Compare(a.path, b.path))
	})
	for _, saved := range s.p.files {
		s.p.plan.Files = append(s.p.plan.Files, result.RescueFile{
			Object: saved.object.Ref, Path: saved.path, Rebuilt: saved.of != nil && saved.of.gone,
		})
	}
}

// addDefinitions adds the definitions that are being deleted with what is created again: until one is gone and created
// again itself, no object of its kind can be created (k8s v1.37
// apiextensions-apiserver/pkg/apiserver/customresource_handler.go:forbidCreateAdmission.Admit).
func (s *saving) addDefinitions(ctx context.Context) {
	asked := map[string]bool{}
	for _, saved := range s.p.files {
		name := saved.object.Resource.QualifiedName()
		if saved.stage != customs || !saved.again || asked[name] {
			continue
		}
		asked[name] = true
		definition, err := s.p.tools.Session.Read(ctx, cluster.CustomResourceDefinitions(), "", name)
		if err == nil && definition.Terminating() {
			s.addFile(&file{object: definition, again: true})
		}
	}
}

// addFile adds an object, once.
func (s *saving) addFile(added *file) {
	same := func(known *file) bool { return known.place() == added.place() }
	if slices.ContainsFunc(s.p.files, same) {
		return
	}
	added.stage = stageOf(added.object)
	added.path = s.pathOf(added.creates(), added.stage, "")
	if slices.ContainsFunc(s.p.files, func(known *file) bool { return known.path == added.path }) {
		added.path = s.pathOf(added.creates(), added.stage, fmt.Sprintf("-%d", len(s.p.files)))
	}
	s.p.files = append(s.p.files, added)
}

// pathOf is a file's path: the names in it can't leave the folder, and sort as the objects are created.
func (s *saving) pathOf(object *session.Object, at stage, apart string) string {
	const longest = 60
	name := fmt.Sprintf("%02d-%s", at, manifest.Plain(object.Resource.QualifiedName(), longest))
	if object.Ref.Namespace != "" {
		name += "-" + manifest.Plain(object.Ref.Namespace, longest)
	}
	return filepath.Join(s.p.folder(), name+"-"+manifest.Plain(object.Ref.Name, longest)+apart+".yaml")
}

// suggestedFolder is where a plan without a folder has its manifests: beside where it is read.
func (p *planner) suggestedFolder() string {
	const longest = 60
	name := "rescue-"
	if namespace := p.target.Ref.Namespace; namespace != "" {
		name += manifest.Plain(namespace, longest) + "-"
	}
	return name + manifest.Plain(p.target.Ref.Name, longest)
}

// isMade reports whether a program of Kubernetes makes an object again by itself: for a workload, or in each namespace.
func (s *saving) isMade(object *session.Object) bool {
	if object.Is("", "PersistentVolumeClaim") {
		return false
	}
	if owner := metav1.GetControllerOfNoCopy(object.Meta); owner != nil &&
		cluster.ServedByKubernetes(finding.Ref{APIVersion: owner.APIVersion}.Group()) {
		return true
	}
	return session.IsInEachNamespace(object) || object.Ref.Kind == "Event" || object.Is("", "Endpoints") ||
		object.Is("coordination.k8s.io", "Lease")
}

// unsavedSecrets are the Secrets that go and whose data are not saved.
func (p *planner) unsavedSecrets() []*session.Object {
	if p.options.WithSecrets {
		return nil
	}
	return p.deleted("", "Secret")
}
