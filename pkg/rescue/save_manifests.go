package rescue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/manifest"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// save writes the manifests, if there is a folder, or says by which command they are written.
func (s *saving) save(ctx context.Context) error {
	if len(s.p.files) == 0 {
		return nil
	}
	s.p.plan.Folder = s.p.folder()
	if s.p.options.Folder == "" {
		details := finding.RescueDetails{Folder: s.p.folder(), Count: len(s.p.files)}
		step := s.p.step(finding.Remedy{Step: "SaveManifests", Details: details},
			s.p.kubectl().Rescue(s.p.target, "--save", s.p.folder()))
		s.p.plan.Save = &step
		return nil
	}
	for _, saved := range s.p.files {
		if _, err := os.Lstat(saved.path); err == nil {
			return alreadyThere(saved.path)
		}
	}
	if err := manifest.Keepable(s.p.options.Folder); err != nil {
		return fmt.Errorf("the manifests can't be saved: %w", err)
	}
	return s.writeMarked(ctx)
}

// incomplete is the name of a file that is in the folder as long as not all manifests are: who interrupts the program
// would be left with a folder that looks whole.
const incomplete = "INCOMPLETE.txt"

// writeMarked writes the manifests, and marks the folder until all are there. What was written stays: the objects may
// be going.
func (s *saving) writeMarked(ctx context.Context) error {
	marker := filepath.Join(s.p.options.Folder, incomplete)
	all := len(s.p.files)
	text := fmt.Sprintf("Not all of the %d manifests are in this folder: rescue --save was ended before that.\n", all)
	switch err := manifest.WriteNew(marker, []byte(text)); {
	case errors.Is(err, os.ErrExist):
		return alreadyThere(marker)
	case err != nil:
		return fmt.Errorf("the manifests can't be saved: %w", err)
	}
	if err := s.write(ctx); err != nil {
		state := fmt.Sprintf("%d of %d manifests are in %s, which therefore contains the file %s; run this command again "+
			"with another folder", len(s.p.plan.Files), all, s.p.options.Folder, incomplete)
		if ctx.Err() != nil {
			return errors.New("interrupted: " + state)
		}
		return fmt.Errorf("%w; %s", err, state)
	}
	return os.Remove(marker)
}

func alreadyThere(path string) error {
	return fmt.Errorf("%s already exists, and rescue does not overwrite files: name another folder with --save", path)
}

// write reads the objects as they are now, and writes their manifests. What is gone by now is left out.
func (s *saving) write(ctx context.Context) error {
	var there []*session.Object
	for _, saved := range s.p.files {
		if saved.of == nil || !saved.of.gone {
			there = append(there, saved.object)
		}
	}
	s.p.tools.Session.Wholes(ctx, there)
	left := s.p.files[:0:0]
	s.p.plan.Files = []result.RescueFile{}
	for _, saved := range s.p.files {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		whole, err := s.manifestOf(ctx, saved)
		switch {
		case apierrors.IsNotFound(err):
			s.p.lost(finding.Finding{Situation: "GoneBeforeSaved", Object: saved.object.Ref, Details: rescueOf(saved.object)},
				finding.NoRisk, false)
			continue
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			continue // it is among what could not be read
		}
		if err := s.writeFile(saved, whole); err != nil {
			return err
		}
		left = append(left, saved)
		s.p.plan.Files = append(s.p.plan.Files, result.RescueFile{
			Object: saved.object.Ref, Path: saved.path, Rebuilt: saved.of != nil && saved.of.gone,
		})
	}
	s.p.files, s.p.plan.Saved = left, true
	return nil
}

func (s *saving) writeFile(saved *file, whole *unstructured.Unstructured) error {
	content, err := yaml.Marshal(s.creatable(saved, whole).Object)
	if err != nil {
		return fmt.Errorf("%s can't be written as YAML: %w", saved.object.Ref, err)
	}
	err = manifest.WriteNew(saved.path, slices.Concat([]byte(s.header(saved, whole)), content))
	switch {
	case errors.Is(err, os.ErrExist):
		return alreadyThere(saved.path)
	case err != nil:
		return fmt.Errorf("the manifests can't be saved: %w", err)
	}
	return nil
}

// manifestOf reads an object whole, or makes the manifest of a claim that is gone from its volume.
func (s *saving) manifestOf(ctx context.Context, saved *file) (*unstructured.Unstructured, error) {
	if saved.of != nil && saved.of.gone {
		return rebuilt(saved)
	}
	return s.p.tools.Session.Whole(ctx, saved.object)
}

// creatable is an object as it can be created again, with what its project needs to take over what exists.
func (s *saving) creatable(saved *file, whole *unstructured.Unstructured) *unstructured.Unstructured {
	object := manifest.Creatable(whole)
	if saved.of != nil { // which may have been bound by its controller alone
		_ = unstructured.SetNestedField(object.Object, saved.of.object.Ref.Name, "spec", "volumeName")
	}
	for _, found := range s.p.outside {
		found.takeOver(saved.object, whole, object)
	}
	return object
}

// header says what a manifest is, and what it leaves out that the object had.
func (s *saving) header(saved *file, whole *unstructured.Unstructured) string {
	if saved.copied != nil {
		return manifest.Comment(saved.creates().Ref.String() + ", to be created for the same as " +
			saved.object.Ref.String() + ": kubectl create -f.")
	}
	lines := []string{saved.object.Ref.String() + ", to create it again: kubectl create -f. It is then a new object."}
	if saved.of != nil && saved.of.gone {
		lines[0] = saved.object.Ref.String() + " is gone. This was made from its volume, " + saved.of.object.Ref.Name + ":"
		lines = append(lines, "its labels, annotations and the size that it asked for are not known any more.")
	}
	if uid := saved.object.Ref.UID; uid != "" {
		lines = append(lines, "Its uid was "+uid+".")
	}
	for _, owner := range whole.GetOwnerReferences() {
		lines = append(lines, fmt.Sprintf("It had an owner: %s %s (%s), uid %s.", owner.Kind, owner.Name, owner.APIVersion,
			owner.UID))
	}
	if finalizers := whole.GetFinalizers(); len(finalizers) > 0 {
		lines = append(lines, "It had the finalizers "+strings.Join(finalizers, ", ")+".")
	}
	return manifest.Comment(lines...)
}

// rebuilt is the manifest of a claim that is gone, as far as its volume tells.
func rebuilt(saved *file) (*unstructured.Unstructured, error) {
	volume := saved.of.typed
	class := volume.Spec.StorageClassName
	claim := &corev1.PersistentVolumeClaim{Spec: corev1.PersistentVolumeClaimSpec{
		AccessModes: volume.Spec.AccessModes, VolumeName: volume.Name, StorageClassName: &class,
		VolumeMode: volume.Spec.VolumeMode,
		Resources: corev1.VolumeResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceStorage: volume.Spec.Capacity[corev1.ResourceStorage]},
		},
	}}
	claim.APIVersion, claim.Kind = "v1", "PersistentVolumeClaim"
	claim.Namespace, claim.Name = saved.object.Ref.Namespace, saved.of.createdAs()
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(claim)
	return &unstructured.Unstructured{Object: fields}, err
}
