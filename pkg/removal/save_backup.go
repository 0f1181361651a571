package removal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
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
	if err := keepable(r.Options.BackupDir); err != nil {
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
		err := writeNew(path, slices.Concat([]byte(header), content))
		if err == nil || !errors.Is(err, os.ErrExist) || number == most { // of an attempt within a second, or not ours
			return path, err
		}
	}
}

// keepable creates a folder, and reports whether it keeps what is put into it: where everybody may write, and no sticky
// bit keeps people to their own files, anybody could replace the object with another.
func keepable(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(folder) // through links
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o002 != 0 && info.Mode()&os.ModeSticky == 0 && runtime.GOOS != "windows" {
		return fmt.Errorf("anyone can write to the folder %s, and replace what is saved there: use another one", folder)
	}
	return nil
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
		part = strings.Map(plainForFiles, part)
		parts[i] = part[:min(len(part), longest)]
	}
	if number > 1 {
		parts = append(parts, strconv.Itoa(number))
	}
	if what != "" {
		parts = append(parts, what)
	}
	return strings.Join(parts, "-") + ".yaml"
}

// plainForFiles leaves nothing in a name that a file system, a shell or a terminal takes for more than a
// letter. Names of some kinds may have anything in them but a slash.
func plainForFiles(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-':
		return r
	}
	return '_'
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
	return comment(lines...)
}

// comment makes a YAML comment of lines.
func comment(lines ...string) string {
	var text strings.Builder
	for _, line := range lines {
		fmt.Fprintln(&text, "# "+escape.Text(line))
	}
	return text.String()
}

// writeNew writes a new file, through no link, and makes sure that it is on the disk.
func writeNew(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		err = errors.Join(err, os.Remove(file.Name())) // half an object is no backup
	}
	return err
}
