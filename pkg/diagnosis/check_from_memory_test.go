package diagnosis_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/audit"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// unconverted is a cluster in which a kind is read from storage in one namespace, and not out of the API server's
// memory: an object in another namespace can't be converted.
type unconverted struct{ *clustertest.Memory }

func (r unconverted) EachMetadata(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
	visit func(*metav1.PartialObjectMetadata),
) error {
	if resource.Resource == "databases" && selector.Labels != "" {
		return apierrors.NewInternalError(errors.New(storageError("databases.shop.example.com",
			"/registry/shop.example.com/databases/elsewhere/orders",
			`conversion webhook for shop.example.com/v0, Kind=Database failed: Post "https://converter.ext.svc:443/": `+
				`service "converter" not found`)))
	}
	return r.Memory.EachMetadata(ctx, resource, namespace, selector, visit)
}

// TestCheckFromMemory finds what keeps a namespace from being deleted although nothing in it is damaged.
func TestCheckFromMemory(t *testing.T) {
	memory, err := clustertest.New(now, strings.Join([]string{
		configMap("plain", ""), converting("", toConverter, ""), managerAlive(),
	}, "---\n"))
	if err != nil {
		t.Fatal(err)
	}
	result, err := audit.Check(t.Context(), unconverted{memory}, "shop", asking(t))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Warning ConversionWebhookUnavailable CustomResourceDefinition/databases.shop.example.com"}
	if got := findings(result); !slices.Equal(got, want) {
		t.Fatalf("findings: %q, want %q", got, want)
	}
	if said := result.Findings[0].Message; !strings.Contains(said, "can't list these objects in any namespace") {
		t.Errorf("the message: %s", said)
	}
}
