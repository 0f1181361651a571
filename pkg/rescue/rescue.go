// Package rescue says what can be kept of an object that was deleted by mistake, and how: what stops the loss now, what
// to save, and how everything comes back. What goes with the object is what pkg/preview and pkg/loss say.
//
// It reads only. With a folder, it writes manifests there, on the machine that it runs on.
//
// This package may change at any time.
package rescue

import (
	"cmp"
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/preview"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Options say what is saved, and where.
type Options struct {
	mechanism.Options
	Folder      string // for the manifests; empty writes none, and the plan names a folder
	WithSecrets bool   // saves the data of Secrets, too
}

// Plan says what can be kept of a target, and how. Errors of reading the target are returned, except that it is gone;
// what else can't be read is part of the plan. With a folder, it writes the manifests there, and returns the error of
// that.
func Plan(
	ctx context.Context, reader cluster.Reader, asked session.Target, options Options,
) (*result.RescuePlan, error) {
	tools := options.Scanning(reader)
	p := &planner{options: options, tools: tools,
		voice: finding.Voice{Now: tools.Session.AsOf(), Program: options.Program}}
	object, err := tools.ReadTarget(ctx, asked)
	switch {
	case err == nil:
		p.target = object
	case apierrors.IsNotFound(err):
		p.target, p.gone = session.Named(asked.Resource, asked.Namespace, asked.Name), true
	default:
		return nil, err
	}
	if !p.gone && !p.target.Terminating() {
		if namespace := namespaceGoes(ctx, tools.Session, p.target); namespace != nil {
			p.asked, p.target = &p.target.Ref, namespace
		}
	}
	p.plan = &result.RescuePlan{
		APIVersion: result.APIVersion, Kind: "RescuePlan", GeneratedAt: result.InSeconds(p.voice.Now), Target: p.target.Ref,
		Asked: p.asked, Gone: p.gone, Lost: []result.RescueFact{}, Stop: []result.RescueStep{}, Safe: []result.RescueFact{},
		Files: []result.RescueFile{}, Return: []result.RescueStep{},
	}
	if err := p.make(ctx); err != nil {
		return nil, err
	}
	if p.gone && p.nothingLeft(ctx) {
		return nil, err
	}
	p.plan.Unreadable = session.Unreadable(ctx, tools.Session.Reader)
	p.sumUp()
	return p.plan, nil
}

// planner makes the plan for one target.
type planner struct {
	options Options
	tools   *mechanism.Tools
	voice   finding.Voice
	target  *session.Object
	asked   *finding.Ref // about which was asked, if the target is its namespace, which takes it along
	gone    bool         // the target isn't there
	// released: the target is a volume that was not deleted itself, and is left over from a claim that is gone.
	released bool
	going    *preview.GoesOn
	volumes  []*volume
	outside  []*outside
	stays    []*session.Object // dependents that a step keeps
	claims   []*session.Object // those of a target that is a StatefulSet, as far as they are there
	isOfSet  func(namespace, claim string) bool
	files    []*file
	plan     *result.RescuePlan
}

// make finds everything out, and puts the plan together in the order of the answer.
func (p *planner) make(ctx context.Context) error {
	going, err := p.follow(ctx)
	if err != nil {
		return err
	}
	p.going = going
	(&volumeSearch{p}).findVolumes(ctx)
	if !p.gone && !p.target.Terminating() && len(p.volumes) == 0 {
		return nil
	}
	(&outsideSearch{p, map[string]attribution.Presence{}}).findOutside(ctx)
	p.findStaying()
	(&losing{p}).tellLost()
	(&stopping{p}).stopLoss(ctx)
	p.tellSafe()
	saving := &saving{p}
	saving.chooseFiles(ctx)
	if err := saving.save(ctx); err != nil {
		return err
	}
	(&returning{p: p}).comeBack(ctx)
	return ctx.Err()
}

// follow finds out what goes: nothing, if the target was not deleted.
func (p *planner) follow(ctx context.Context) (*preview.GoesOn, error) {
	if !p.gone && !p.target.Terminating() {
		return &preview.GoesOn{}, nil
	}
	if p.isAlone() {
		going := &preview.GoesOn{}
		if !p.gone {
			going.Deleted = []*session.Object{p.target}
			going.Taken = p.tools.Losses.Deleting(ctx, p.target)
		}
		return going, nil
	}
	return preview.Going(ctx, p.tools, preview.AreaOf(p.target), p.roots)
}

// namespaceGoes is the namespace of an object if it is being deleted; else nil, also if it can't be read.
func namespaceGoes(ctx context.Context, reads *session.Session, object *session.Object) *session.Object {
	if object.Ref.Namespace == "" {
		return nil
	}
	namespace, err := reads.Read(ctx, cluster.Namespaces(), "", object.Ref.Namespace)
	if err != nil || !namespace.Terminating() {
		return nil
	}
	return namespace
}

// isAlone reports whether nothing in the cluster goes because of the target's going that has to be looked for: in a
// namespace that is gone, nothing is left, and the dependents of volumes and nodes are made again with them.
func (p *planner) isAlone() bool {
	return p.target.Is("", "PersistentVolume") || p.target.Is("", "Node") || p.gone && p.target.Is("", "Namespace")
}

// roots are the objects from which the deletion continues: the target, or, if it is gone, what names it as its owner;
// and the claims of a StatefulSet that were deleted like it.
func (p *planner) roots(listed []*session.Object) []*session.Object {
	claims := &setSearch{p}
	claims.findClaims(listed)
	roots := claims.goingClaims()
	if !p.gone {
		return append([]*session.Object{p.target}, roots...)
	}
	for _, object := range listed {
		if names(object, p.target) && !slices.Contains(roots, object) {
			roots = append(roots, object)
		}
	}
	return roots
}

// names reports whether an object has an owner reference to another one, by kind and name.
func names(object, owner *session.Object) bool { return uidOf(object, owner) != "" }

// uidOf is the uid by which an object names an owner whose kind and name are known.
func uidOf(object, owner *session.Object) string {
	for _, reference := range object.Meta.OwnerReferences {
		as := finding.Ref{APIVersion: reference.APIVersion, Kind: reference.Kind, Name: reference.Name}
		if as.Group() == owner.Ref.Group() && as.Kind == owner.Ref.Kind && as.Name == owner.Ref.Name {
			return string(reference.UID)
		}
	}
	return ""
}

// nothingLeft reports whether nothing was found of what a target that is gone had.
func (p *planner) nothingLeft(ctx context.Context) bool {
	return p.untraced() && len(session.Unreadable(ctx, p.tools.Session.Reader)) == 0
}

// untraced reports whether nothing that could be read shows that a target which isn't there ever was.
func (p *planner) untraced() bool {
	return p.gone && len(p.volumes)+len(p.claims)+len(p.going.Deleted) == 0
}

// is reports whether an object is the target.
func (p *planner) is(object *session.Object) bool { return object.Ref.SameAs(p.target.Ref) }

// deleted are the objects of a kind that go.
func (p *planner) deleted(group, kind string) (objects []*session.Object) {
	for _, object := range p.going.Deleted {
		if object.Is(group, kind) {
			objects = append(objects, object)
		}
	}
	return objects
}

// goes reports whether an object is among what goes: the content of a snapshot, for instance, is deleted only by the
// controller of that.
func (p *planner) goes(object *session.Object) bool {
	return slices.ContainsFunc(p.going.Deleted, func(deleted *session.Object) bool {
		return deleted.Ref.SameAs(object.Ref)
	})
}

// kubectl writes commands for the cluster, also where the answer is from a recording.
func (p *planner) kubectl() session.Kubectl {
	kubectl := p.tools.Session.Kubectl
	kubectl.Files = nil
	return kubectl
}

// folder is where the manifests are, or will be.
func (p *planner) folder() string { return cmp.Or(p.options.Folder, p.suggestedFolder()) }
