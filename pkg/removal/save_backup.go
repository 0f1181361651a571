package removal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/manifest"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// errChanged says that an object was no longer in the state of the plan when it was to be saved.
var errChanged = errors.New("it has changed since the plan was made")

// save writes an object to a file of its own, readable by its owner alone.
func (r *Remover) save(ctx context.Context, one *item) (*result.Backup, error) {
	whole, err := complete(ctx, r.Reader, one)
	if err != nil {
		return nil, err
	}
	object := one.seen.object
	if string(whole.GetUID()) != object.Ref.UID || whole.GetResourceVersion() != object.Meta.ResourceVersion {
		return nil, errChanged
	}
	if err := manifest.Keepable(r.Options.BackupDir); err != nil {
		return nil, &keepError{err}
	}
	path, err := r.keep(one, "", r.header(one), whole)
	if err != nil {
		return nil, &keepError{err}
	}
	backup := &result.Backup{Path: path, MetadataOnly: secret(one)}
	if err := r.saveForCreation(ctx, one, whole, backup); err != nil {
		return nil, &keepError{err}
	}
	return backup, nil
}

// keepError is the error of writing to the disk, unlike one of reading what is to be written.
type keepError struct{ error }

// Unwrap returns the error itself.
func (e *keepError) Unwrap() error { return e.error }

// keep writes an object under the item's name, and what tells this file from others of it. It returns the path.
func (r *Remover) keep(one *item, what, header string, object *unstructured.Unstructured) (string, error) {
	content, err := yaml.Marshal(object.Object)
	if err != nil {
		return "", err
	}
	const most = 100
	for number := 1; ; number++ {
		path := filepath.Join(r.Options.BackupDir, fileName(r.Reader, one, what, number))
		err := manifest.WriteNew(path, slices.Concat([]byte(header), content))
		if err == nil || !errors.Is(err, os.ErrExist) || number == most { // of an attempt within a second, or not ours
			return path, err
		}
	}
}

// complete reads the object whole, but only the metadata of a Secret, without the annotation in which kubectl apply
// keeps a copy of the data.
func complete(ctx context.Context, reader cluster.Reader, one *item) (*unstructured.Unstructured, error) {
	object := one.seen.object
	if !secret(one) {
		return reader.Get(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
	}
	meta, err := reader.Metadata(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
	if err != nil {
		return nil, err
	}
	meta.APIVersion, meta.Kind = object.Ref.APIVersion, object.Ref.Kind
	delete(meta.Annotations, corev1.LastAppliedConfigAnnotation)
	fields, err := apiruntime.DefaultUnstructuredConverter.ToUnstructured(meta)
	return &unstructured.Unstructured{Object: fields}, err
}

func secret(one *item) bool { return one.seen.object.Is("", "Secret") }

// fileName tells the time, the kind, the object and its uid. Names are cut where a file's name would
// become too long; the uid keeps them apart, and a number where that is not enough.
func fileName(reader cluster.Reader, one *item, what string, number int) string {
	object := one.seen.object
	parts := []string{reader.Now().UTC().Format("20060102T150405Z"), object.Resource.QualifiedName()}
	if object.Ref.Namespace != "" {
		parts = append(parts, object.Ref.Namespace)
	}
	const longest = 60
	parts = append(parts, object.Ref.Name, object.Ref.UID)
	for i, part := range parts {
		parts[i] = manifest.Plain(part, longest)
	}
	if number > 1 {
		parts = append(parts, strconv.Itoa(number))
	}
	if what != "" {
		parts = append(parts, what)
	}
	return strings.Join(parts, "-") + ".yaml"
}

func (r *Remover) header(one *item) string {
	object := one.seen.object
	var names, lines []string
	for _, hold := range one.entries {
		names = append(names, hold.Name)
	}
	at := r.Reader.Now().UTC().Format("2006-01-02 15:04:05 MST")
	lines = append(lines, fmt.Sprintf("%s as it was at %s, saved before %s removed", object.Ref, at, r.Program),
		strings.Join(names, ", ")+" from it by force.")
	if secret(one) {
		lines = append(lines, "It is a Secret: only its metadata was read and saved, none of its data.")
	} else {
		lines = append(lines, "To create the object again, use the file beside this one that ends with -create.yaml.")
	}
	return manifest.Comment(lines...)
}
