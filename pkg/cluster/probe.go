package cluster

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Prober asks the server what would become of a write, as a dry run: admission and validation run, and
// nothing is stored. The error is the server's.
type Prober interface {
	// ProbePatch sends a JSON patch of an object, or of its subresource, and returns what the object would be.
	ProbePatch(
		ctx context.Context, resource Resource, namespace, name, subresource string, patch []byte,
	) (*metav1.PartialObjectMetadata, error)
	// ProbeDelete sends a DELETE with background propagation.
	ProbeDelete(ctx context.Context, resource Resource, namespace, name string) error
}

// ProbeError is a dry run that told nothing: the server's error is about the user, or about dry runs.
type ProbeError struct{ Err error }

// Error implements error.
func (e *ProbeError) Error() string { return "dry run: " + e.Err.Error() }

// Unwrap returns the server's error.
func (e *ProbeError) Unwrap() error { return e.Err }

// ProbePatch implements Prober.
func (l *Live) ProbePatch(
	ctx context.Context, resource Resource, namespace, name, subresource string, patch []byte,
) (*metav1.PartialObjectMetadata, error) {
	var subresources []string
	if subresource != "" {
		subresources = []string{subresource}
	}
	// Metadata alone comes back, and the options are part of the address, where audit logs show them.
	options := metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}, FieldManager: fieldManager}
	return l.metadata.Resource(resource.GroupVersionResource).Namespace(namespace).
		Patch(ctx, name, types.JSONPatchType, patch, options, subresources...)
}

// ProbeDelete implements Prober.
func (l *Live) ProbeDelete(ctx context.Context, resource Resource, namespace, name string) error {
	// Without a body, the options are read from the address, where audit logs show them.
	return l.discovery.RESTClient().Delete().AbsPath(append(resource.path(namespace), name)...).
		Param("dryRun", metav1.DryRunAll).Param("propagationPolicy", string(metav1.DeletePropagationBackground)).
		Do(ctx).Error()
}
