package uninstall

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// parts are the objects that an operator consists of.
type parts struct {
	objects []*session.Object
	known   map[string]bool
}

func newParts() *parts { return &parts{known: map[string]bool{}} }

// add adds an object, and reports whether it is new.
func (p *parts) add(object *session.Object) bool {
	key := keyOf(object)
	if p.known[key] {
		return false
	}
	p.known[key] = true
	p.objects = append(p.objects, object)
	return true
}

func (p *parts) has(object *session.Object) bool { return p.known[keyOf(object)] }

// of returns the parts with one of some roles, sorted.
func (p *parts) of(roles ...result.UninstallRole) (found []*session.Object) {
	for _, object := range p.objects {
		if slices.Contains(roles, roleOf(object)) {
			found = append(found, object)
		}
	}
	slices.SortFunc(found, func(a, b *session.Object) int { return finding.Compare(a.Ref, b.Ref) })
	return found
}

// roleOf says what an object of an operator is for, by its kind.
func roleOf(object *session.Object) result.UninstallRole {
	switch kind := object.Resource.Kind; object.Resource.Group {
	case "apps", "batch", "operators.coreos.com":
		return result.RoleWorkload
	case "admissionregistration.k8s.io":
		if strings.HasSuffix(kind, "WebhookConfiguration") {
			return result.RoleHook
		}
		return result.RolePolicy
	case "apiregistration.k8s.io":
		return result.RoleAPI
	case "apiextensions.k8s.io":
		return result.RoleDefinition
	case "":
		return roleOfCore(kind)
	default:
		if isClass(object) {
			return result.RoleClass
		}
		if object.Resource.Scales {
			return result.RoleWorkload
		}
		if !cluster.ServedByKubernetes(object.Resource.Group) {
			return result.RoleInstance
		}
	}
	return result.RoleOther
}

func roleOfCore(kind string) result.UninstallRole {
	switch kind {
	case "Namespace":
		return result.RoleNamespace
	case "Pod", "ReplicationController":
		return result.RoleWorkload
	}
	return result.RoleOther
}

// isClass reports whether other objects choose an implementation by the object: a class of Kubernetes' own groups, or
// of the Gateway API.
func isClass(object *session.Object) bool {
	switch object.Resource.GroupKind().String() {
	case "StorageClass.storage.k8s.io", "CSIDriver.storage.k8s.io", "IngressClass.networking.k8s.io",
		"GatewayClass.gateway.networking.k8s.io", "VolumeSnapshotClass.snapshot.storage.k8s.io",
		"RuntimeClass.node.k8s.io", "DeviceClass.resource.k8s.io", "VolumeAttributesClass.storage.k8s.io":
		return true
	}
	return false
}
