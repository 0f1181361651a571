package uninstall

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// classUse is where objects of a kind name the class that they use.
type classUse struct {
	class, user schema.GroupKind
	field       []string
}

func classUses() []classUse {
	claim, volume := schema.GroupKind{Kind: "PersistentVolumeClaim"}, schema.GroupKind{Kind: "PersistentVolume"}
	storage := schema.GroupKind{Group: "storage.k8s.io", Kind: "StorageClass"}
	gateway := "gateway.networking.k8s.io"
	snapshots := "snapshot.storage.k8s.io"
	return []classUse{
		{storage, claim, []string{"spec", "storageClassName"}},
		{schema.GroupKind{Group: "storage.k8s.io", Kind: "CSIDriver"}, volume, []string{"spec", "csi", "driver"}},
		{
			schema.GroupKind{Group: "networking.k8s.io", Kind: "IngressClass"},
			schema.GroupKind{Group: "networking.k8s.io", Kind: "Ingress"}, []string{"spec", "ingressClassName"},
		},
		{
			schema.GroupKind{Group: gateway, Kind: "GatewayClass"}, schema.GroupKind{Group: gateway, Kind: "Gateway"},
			[]string{"spec", "gatewayClassName"},
		},
		{
			schema.GroupKind{Group: snapshots, Kind: "VolumeSnapshotClass"},
			schema.GroupKind{Group: snapshots, Kind: "VolumeSnapshot"}, []string{"spec", "volumeSnapshotClassName"},
		},
	}
}

// addStays adds what stays, and uses a class that goes or is left behind.
func (p *planner) addStays(ctx context.Context) {
	p.addKept()
	for _, class := range p.unkept(result.RoleClass) {
		for _, use := range classUses() {
			if use.class == class.Resource.GroupKind() {
				p.addUsers(ctx, class, use)
			}
		}
	}
	p.addLeftBehind()
}

func (p *planner) addUsers(ctx context.Context, class *session.Object, use classUse) {
	resource, served := p.tools.Session.ServedKinds(ctx).OfKind(use.user)
	if !served {
		return
	}
	objects, err := p.tools.Session.Reader.List(ctx, resource, "", cluster.Selector{})
	if err != nil {
		return // the session remembers it
	}
	var users []finding.Ref
	for i := range objects {
		name, _, _ := unstructured.NestedString(objects[i].Object, use.field...)
		object, err := session.FromWhole(resource, &objects[i])
		if name == class.Ref.Name && err == nil && !p.gone[object.Ref.UID] {
			users = append(users, object.Ref)
		}
	}
	if len(users) == 0 {
		return
	}
	p.plan.Stays = append(p.plan.Stays, result.UninstallStaying{
		Why: result.UsesClass, Objects: users, Uses: &class.Ref,
		Message: p.voice.Message(finding.Finding{
			Situation: "UninstallClassUsed", Object: class.Ref,
			Details: finding.UninstallDetails{Objects: users},
		}),
	})
}
