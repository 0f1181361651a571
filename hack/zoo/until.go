package zoo

import (
	"bytes"
	"context"
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/util/jsonpath"
)

// Await waits for a state of an object.
func (b *Breaker) Await(ctx context.Context, until Until) error {
	var last string
	err := poll(ctx, func(ctx context.Context) (bool, error) {
		object, err := b.Get(ctx, until.Object)
		if apierrors.IsNotFound(err) || err != nil && until.Gone {
			last = "not found"
			return until.Gone, nil
		}
		if err != nil {
			return false, err
		}
		if until.LeaseStale {
			last = "renewed in time"
			return leaseStale(object)
		}
		if old := until.TerminatingFor.Duration; old > 0 {
			requested := object.GetDeletionTimestamp()
			last = fmt.Sprintf("deleted at %v", requested)
			return requested != nil && time.Since(requested.Time) > old, nil
		}
		path := jsonpath.New("until").AllowMissingKeys(true)
		if err := path.Parse(until.Path); err != nil {
			return false, err
		}
		var found bytes.Buffer
		if err := path.Execute(&found, object.Object); err != nil {
			last = err.Error() // a filter over a list that isn't there yet
			return false, nil
		}
		last = found.String()
		return !until.Gone && last != "" && (until.Is == "" || last == until.Is), nil
	})
	if err != nil {
		return fmt.Errorf("wait until %s of %s is %q (it is %q): %w", until.Path, until.Object.Object, until.Is, last,
			err)
	}
	return nil
}

func leaseStale(object *unstructured.Unstructured) (bool, error) {
	var lease coordinationv1.Lease
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &lease); err != nil {
		return false, err
	}
	duration := time.Duration(*lease.Spec.LeaseDurationSeconds) * time.Second
	return time.Since(lease.Spec.RenewTime.Time) > duration+time.Second, nil
}
