package mechanism

import (
	"context"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// oddPrefixes are the resources that are stored under another name than they are served under (k8s
// v1.37 pkg/kubeapiserver/default_storage_factory_builder.go:SpecialDefaultResourcePrefixes).
func oddPrefixes() map[string]string {
	return map[string]string{
		"minions": "nodes", "controllers": "replicationcontrollers", "ingress": "ingresses",
		"services/specs": "services", "services/endpoints": "endpoints",
	}
}

// objectAt resolves a storage key: /registry/GROUP/RESOURCE/NAMESPACE/NAME, without the group for most
// kinds that come with Kubernetes, and without the prefix where the server leaves it out.
func objectAt(ctx context.Context, reads *session.Session, key string) (*Object, bool) {
	for odd, plain := range oddPrefixes() {
		key = strings.Replace(key, "/"+odd+"/", "/"+plain+"/", 1)
	}
	segments, servedKinds := strings.Split(strings.Trim(key, "/"), "/"), reads.ServedKinds(ctx)
	servedKinds.AskAll()
	for at := range segments {
		for _, resource := range servedKinds.Resources {
			rest, matches := restOf(segments[at:], resource)
			switch {
			case matches && resource.Namespaced && len(rest) == 2:
				return session.Named(resource, rest[0], rest[1]), true
			case matches && !resource.Namespaced && len(rest) == 1:
				return session.Named(resource, "", rest[0]), true
			}
		}
	}
	return nil, false
}

func restOf(segments []string, resource cluster.Resource) ([]string, bool) {
	switch {
	case len(segments) > 2 && segments[0] == resource.Group && segments[1] == resource.Resource:
		return segments[2:], true
	case len(segments) > 1 && segments[0] == resource.Resource && cluster.ServedByKubernetes(resource.Group):
		return segments[1:], true
	}
	return nil, false
}

// storageAnswer answers for what in storage keeps an object from going, if the text names something of storage. Texts
// of conditions may be old: unless the text is of a read of now, each is confirmed by a read.
func storageAnswer(
	ctx context.Context, reads *session.Session, checker *health.Checker, held *Object, text string, now bool,
	said ...Evidence,
) (answer Answer, is bool) {
	found := session.Damages(text)
	for _, damage := range found {
		over := (*Answer)(nil)
		if !now {
			damage, over = confirm(ctx, reads, checker, held, damage, said)
		}
		switch {
		case over != nil:
			answer.Add(*over)
		case damage.Conversion():
			answer.Add(conversionFails(ctx, reads, checker, held, damage, said))
		default:
			answer.Add(undecodable(ctx, reads, checker, held, damage, said))
		}
	}
	answer.Waits = joinUndecodable(answer.Waits)
	return answer, len(found) > 0
}

// confirm reads again what a condition names. over is the answer where nothing follows from the damage any more.
func confirm(
	ctx context.Context, reads *session.Session, checker *health.Checker, held *Object, damage session.Damage,
	said []Evidence,
) (now session.Damage, over *Answer) {
	object, found, err := readDamaged(ctx, reads, held, damage)
	if object == nil {
		return damage, nil // the key says too little
	}
	if err == nil {
		if found {
			if fail, is := writesFail(ctx, reads, checker, held, damage, object.Resource, said); is {
				return damage, &fail
			}
		}
		details := finding.TaskDetails{Object: object.Ref}
		answer := retried(ctx, checker, held, finding.Phrase{Situation: "ObjectReadAgain", Details: details})
		return damage, &answer
	}
	current := session.Damages(err.Error())
	if len(current) == 0 {
		if cluster.NotRecorded(err) {
			if reported, is := reportedOnly(ctx, reads, held, damage, said); is {
				return damage, &reported
			}
		}
		what := finding.Unread{Object: &object.Ref}
		if object.Ref.Name == "" {
			what = unreadKind(object.Resource.QualifiedName(), object.Ref.Namespace)
		}
		answer := session.Unread(what, err, said...)
		return damage, &answer
	}
	if now = current[0]; len(now.Key) <= len(damage.Key) {
		now.Key = damage.Key // the fuller of its two forms
	}
	return now, nil
}

// retried answers for a failure that is over: who met it tries again by itself. A namespace's controller waits for a
// minute at most (docs/deletion.md#the-order-of-a-namespace-deletion); kube-apiserver, which answers us, cleans up
// after definitions itself.
func retried(ctx context.Context, checker *health.Checker, held *Object, over finding.Phrase) Answer {
	who := "kube-apiserver"
	if held.Is("", "Namespace") {
		who = session.ControllerManager
		if answer, alive := checker.ControlPlane.ControllerManagerAlive(ctx, held); !alive {
			return answer
		}
	}
	return session.Progress(Finding{
		Situation: "FailureOver", Object: held.Ref, Details: finding.RetryDetails{Controller: who, Over: over},
		Key: finding.KeyOf("FailureOver", who, over),
	})
}

// readDamaged reads what a key names, or lists the kind of a conversion, and reports whether any of that is there.
func readDamaged(
	ctx context.Context, reads *session.Session, held *Object, damage session.Damage,
) (read *Object, found bool, err error) {
	if object, known := objectAt(ctx, reads, damage.Key); known {
		_, err := reads.Reader.Metadata(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
		return object, err == nil, ignoreNotFound(err)
	}
	servedKinds, err := reads.Reader.ServedKinds(ctx)
	if err != nil {
		return nil, false, err
	}
	resource, served := servedKinds.OfKind(damage.Kind)
	if !served {
		return nil, false, nil
	}
	namespace := held.Ref.Namespace
	if held.Is("", "Namespace") {
		namespace = held.Ref.Name
	}
	each := func(*metav1.PartialObjectMetadata) { found = true }
	err = reads.Reader.EachMetadata(ctx, resource, namespace, cluster.Selector{}, each)
	return session.Named(resource, namespace, ""), found, ignoreNotFound(err)
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
