package zoo

import (
	"context"
	"errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// log has the kubelet that kwok plays answer for what a container has written.
func (b *Breaker) log(ctx context.Context, written Log) error {
	pod, err := b.Get(ctx, written.Object)
	if err != nil {
		return describe(err, "find", written.Object.Object)
	}
	text, failed := b.fill(ctx, []byte(written.Text), written.Namespace)
	previous, err := b.fill(ctx, []byte(written.Previous), written.Namespace)
	if err = errors.Join(failed, err); err != nil {
		return err
	}
	return describe(b.plane.SetLog(ctx, controlplane.ContainerLog{
		Namespace: written.Namespace, Pod: pod.GetName(), Container: written.Container,
		Text: string(text), Previous: string(previous),
	}), "set the log of", written.Object.Object)
}
