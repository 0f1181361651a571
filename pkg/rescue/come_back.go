package rescue

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// returning lists the steps by which everything comes back.
type returning struct {
	p       *planner
	stopped []finding.Ref // StatefulSets that are scaled to zero meanwhile
}

// comeBack lists the steps by which everything comes back, in order. In a namespace that is being deleted nothing can
// be created (k8s v1.37 apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go:Admit).
func (r *returning) comeBack(ctx context.Context) {
	if namespace := namespaceGoes(ctx, r.p.tools.Session, r.p.target); namespace != nil {
		r.p.back(finding.Remedy{Step: "RescueNamespaceToo",
			Details: finding.RescueDetails{Object: &r.p.target.Ref, Other: &namespace.Ref}},
			r.p.kubectl().Rescue(namespace))
		return
	}
	r.pauseAppliers()
	r.letGo(ctx)
	r.createNamespaces(ctx)
	r.create(finding.Remedy{Step: "RecreateFirst"}, definitions, namespaces)
	r.waitUntilServed()
	r.releaseVolumes()
	r.create(finding.Remedy{Step: "RecreateVolumes"}, volumes)
	r.create(finding.Remedy{Step: "RecreateClaims"}, claims)
	r.waitUntilBound()
	r.create(finding.Remedy{Step: "RecreateRest"}, settings, customs, workloads, pods, admissions)
	r.giveOwners()
	r.startControllers(ctx)
	r.restorePolicies()
}

// pauseAppliers keeps GitOps tools from creating first what has to come back in order.
func (r *returning) pauseAppliers() {
	var appliers []string
	for _, saved := range r.p.files {
		if saved.again {
			appliers = append(appliers, session.AppliersOf(saved.object)...)
		}
	}
	if len(appliers) > 0 {
		slices.Sort(appliers)
		r.p.back(finding.Remedy{Step: "PauseAppliers", Details: finding.RescueDetails{Appliers: slices.Compact(appliers)}})
	}
}

// createNamespaces creates the namespaces that are gone of claims that are gone, too.
func (r *returning) createNamespaces(ctx context.Context) {
	var created []string
	for _, saved := range r.p.files {
		name := saved.object.Ref.Namespace
		if !saved.again || saved.of == nil || !saved.of.gone || slices.Contains(created, name) {
			continue
		}
		if _, err := r.p.tools.Session.Read(ctx, cluster.Namespaces(), "", name); !apierrors.IsNotFound(err) {
			continue // in one that can't be read, creating the claim tells
		}
		created = append(created, name)
		r.p.back(finding.Remedy{Step: "RecreateNamespace",
			Details: rescueOf(session.Named(cluster.Namespaces(), "", name))},
			r.p.kubectl().Prefix(finding.Ref{}, "create", "namespace", name))
	}
}

// create creates the objects of some stages from their manifests.
func (r *returning) create(step finding.Remedy, stages ...stage) {
	var paths []string
	var objects []*session.Object
	for _, at := range stages {
		for _, saved := range r.p.files {
			if saved.stage == at && saved.again {
				paths, objects = append(paths, saved.path), append(objects, saved.creates())
			}
		}
	}
	if len(paths) == 0 {
		return
	}
	details := finding.RescueDetails{
		Names: named(objects), Count: len(objects), Folder: r.p.folder(), Bound: slices.ContainsFunc(objects, hasVolume),
		Renamed: stages[0] == claims && slices.ContainsFunc(r.p.volumes, (*volume).renamed),
	}
	for _, found := range r.p.outside {
		if text := found.comesBack(); text != "" && stages[0] == settings {
			details.Text, details.Unchecked = text, !found.known.Verified.Rescue.Done()
		}
	}
	var commands []finding.Command
	for part := range slices.Chunk(paths, session.MostTogether) {
		command := r.p.kubectl().Prefix(finding.Ref{}, "create")
		for _, path := range part {
			command = append(command, "-f", path)
		}
		commands = append(commands, command)
	}
	step.Details = details
	r.p.back(step, commands...)
}

// hasVolume reports whether a claim names its volume.
func hasVolume(claim *session.Object) bool {
	if claim.Whole == nil {
		return true
	}
	name, _, _ := unstructured.NestedString(claim.Whole.Object, "spec", "volumeName")
	return name != ""
}

// releaseVolumes reserves volumes that stay for the claims that are created again: one with the uid of a claim that is
// gone is released for good (k8s v1.37 pkg/controller/volume/persistentvolume/pv_controller.go:syncVolume).
func (r *returning) releaseVolumes() {
	var commands []finding.Command
	var objects []*session.Object
	for _, found := range r.bindable() {
		if found.object.Terminating() {
			continue // it is created again for its claim
		}
		claim := map[string]any{
			"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": found.claim.Ref.Namespace,
			"name": found.createdAs(),
		}
		var patch []session.Operation
		if uid := found.typed.Spec.ClaimRef.UID; uid != "" {
			patch = append(patch, session.Operation{Op: "test", Path: "/spec/claimRef/uid", Value: string(uid)})
		}
		patch = append(patch, session.Operation{Op: "add", Path: "/spec/claimRef", Value: claim})
		objects = append(objects, found.object)
		commands = append(commands, r.p.kubectl().Command(found.object, "patch", "--type", "json", "-p",
			session.EncodePatch(patch)))
	}
	if len(commands) > 0 {
		details := finding.RescueDetails{Names: named(objects), Count: len(objects)}
		r.p.back(finding.Remedy{Step: "ReleaseVolumes", Details: details}, commands...)
	}
}

// bindable are the volumes that are bound to a claim which is created again.
func (r *returning) bindable() (found []*volume) {
	for _, saved := range r.p.files {
		if saved.of != nil && saved.again && saved.of.typed.Spec.ClaimRef != nil {
			found = append(found, saved.of)
		}
	}
	return found
}

// waitUntilBound waits until the claims have their volumes.
func (r *returning) waitUntilBound() {
	var commands []finding.Command
	for _, found := range r.bindable() {
		claim := *found.claim
		claim.Ref.Name = found.createdAs()
		commands = append(commands,
			r.p.kubectl().Command(&claim, "wait", "--for=jsonpath={.status.phase}=Bound", "--timeout=2m"))
	}
	if len(commands) > 0 {
		r.p.back(finding.Remedy{Step: "WaitUntilBound", Details: finding.RescueDetails{Count: len(commands)}}, commands...)
	}
}

// waitUntilServed waits until the kinds of definitions are served: before, their objects can't be created.
func (r *returning) waitUntilServed() {
	var commands []finding.Command
	for _, saved := range r.p.files {
		if saved.stage == definitions && saved.again {
			commands = append(commands,
				r.p.kubectl().Command(saved.object, "wait", "--for=condition=Established", "--timeout=2m"))
		}
	}
	if len(commands) > 0 {
		r.p.back(finding.Remedy{Step: "WaitUntilServed", Details: finding.RescueDetails{Count: len(commands)}}, commands...)
	}
}

// restorePolicies sets the reclaim policies back that the first step has changed.
func (r *returning) restorePolicies() {
	for _, policy := range []corev1.PersistentVolumeReclaimPolicy{
		corev1.PersistentVolumeReclaimDelete, corev1.PersistentVolumeReclaimRecycle,
	} {
		var names []string
		var objects []*session.Object
		for _, found := range r.p.endangered() {
			if found.typed != nil && found.typed.Spec.PersistentVolumeReclaimPolicy == policy {
				names, objects = append(names, found.object.Ref.Name), append(objects, found.object)
			}
		}
		if len(names) > 0 {
			details := finding.RescueDetails{Names: names, Count: len(names), Policy: string(policy)}
			r.p.back(finding.Remedy{Step: "RestorePolicy", Details: details}, r.p.policyCommands(objects, string(policy))...)
		}
	}
}

// startControllers starts the controllers again that were stopped.
func (r *returning) startControllers(ctx context.Context) {
	for _, found := range r.p.controllers() {
		details := found.rescueDetails()
		details.Text = found.comesBack()
		details.Unchecked = details.Text != "" && !found.known.Verified.Rescue.Done()
		r.start(ctx, finding.Remedy{Step: "StartController", Details: details}, *found.presence.Controller)
	}
	for _, set := range r.stopped {
		details := finding.RescueDetails{Object: &set}
		r.start(ctx, finding.Remedy{Step: "StartSet", Details: details}, set)
	}
}

// start adds the step that starts a workload with as many pods as it has now. Where that can't be read, the step has
// no command.
func (r *returning) start(ctx context.Context, step finding.Remedy, workload finding.Ref) {
	replicas, known := r.p.replicas(ctx, workload)
	var commands []finding.Command
	if known {
		commands = append(commands, r.scale(workload, replicas))
	}
	r.p.back(step, commands...)
}
