package zoo

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Etcd changes a key of etcd behind the API server's back: /registry/RESOURCE/NAMESPACE/NAME for most
// built-in kinds, /registry/GROUP/RESOURCE/NAMESPACE/NAME for custom ones. The key must exist.
type Etcd struct {
	Key string `json:"key"`
	// Value replaces the value there. Exactly one of Value and Delete is set.
	Value  string `json:"value,omitempty"`
	Delete bool   `json:"delete,omitempty"`
}

func (b *Breaker) etcd(ctx context.Context, etcd Etcd) error {
	if !strings.HasPrefix(etcd.Key, "/registry/") || (etcd.Value == "") != etcd.Delete {
		return fmt.Errorf("etcd needs a key below /registry/, and either a value or delete: true")
	}
	exists, err := b.plane.HasRaw(ctx, etcd.Key)
	if err != nil {
		return err
	}
	if !exists {
		return apierrors.NewNotFound(schema.GroupResource{Resource: "keys of etcd"}, etcd.Key)
	}
	if etcd.Delete {
		return b.plane.DeleteRaw(ctx, etcd.Key)
	}
	return b.plane.PutRaw(ctx, etcd.Key, []byte(etcd.Value))
}
