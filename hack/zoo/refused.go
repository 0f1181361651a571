package zoo

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
)

// Refused waits until the API server refuses a write: webhooks and policies take a moment to be in
// force. Exactly one field is set.
type Refused struct {
	Delete *Delete `json:"delete,omitempty"`
	Patch  *Patch  `json:"patch,omitempty"`
}

func (b *Breaker) refused(ctx context.Context, refused Refused) error {
	var last error
	err := poll(ctx, func(ctx context.Context) (bool, error) {
		last = b.tryOut(ctx, refused)
		// A selector whose namespace is gone refuses with 404, too, and names the namespace.
		status, isStatus := last.(apierrors.APIStatus)
		if isStatus && apierrors.IsNotFound(last) && status.Status().Details.Kind != "namespaces" {
			return false, last
		}
		return last != nil, nil
	})
	if err != nil {
		return fmt.Errorf("wait until a write is refused: %w", err)
	}
	return nil
}

// tryOut sends a write as a dry run.
func (b *Breaker) tryOut(ctx context.Context, refused Refused) error {
	dry := []string{metav1.DryRunAll}
	switch {
	case refused.Delete != nil:
		client, name, err := b.resource(ctx, refused.Delete.Object)
		if err != nil {
			return err
		}
		return client.Delete(ctx, name, metav1.DeleteOptions{DryRun: dry})
	case refused.Patch != nil:
		client, name, err := b.resource(ctx, refused.Patch.Object)
		if err != nil {
			return err
		}
		data, err := json.Marshal(refused.Patch.Merge)
		if err != nil {
			return err
		}
		_, err = client.Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{DryRun: dry})
		return err
	}
	return errors.New("the step says nothing to refuse")
}
