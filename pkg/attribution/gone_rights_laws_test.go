package attribution

import (
	"fmt"
	"strings"
)

// goneRightsLaws are about accounts that are gone, and finalizers on a kind of Kubernetes' own: who could never have
// changed the kind was not the controller, unless it set the finalizer.
func goneRightsLaws() (laws []law) {
	const claims = "persistentvolumeclaims"
	writes, elsewhere := may(writesKind, "", claims, "acme/mq"), may(writesKind, "", "services", "acme/mq")
	hook := strings.NewReplacer("stamps", "acme", "set.stamp.acme.dev", "check.mq.acme.io", "stamper", "mq").Replace(
		fmt.Sprintf(stampingHook[strings.Index(stampingHook, "---")+len("---"):], "Validating", "UPDATE",
			"apiGroups: [mq.acme.io], resources: [queues]"))
	for _, c := range []struct {
		name, group, finalizer string
		managers               []string
		more                   []string
		missing                bool
	}{
		{"operates another group of the owner", "mq.acme.io", "acme.io/x", nil, nil, false},
		{"operates another group, that is served", "mq.acme.io", "acme.io/x", nil, []string{queuesServed}, false},
		{"operates another group, and may change Services", "mq.acme.io", "acme.io/x", nil, []string{elsewhere}, false},
		{"operates another group, and may change the kind", "mq.acme.io", "acme.io/x", nil, []string{writes}, true},
		{"operates another group, and set the finalizer", "mq.acme.io", "acme.io/x", []string{"mq"}, nil, true},
		{"operates the finalizer's group", "mq.acme.io", "mq.acme.io/x", nil, nil, true},
	} {
		l := law{
			name: "on a claim, a gone account " + c.name,
			held: stuck{
				kind: "PersistentVolumeClaim", namespace: "shop", name: "data", finalizer: c.finalizer, managers: c.managers,
			},
			state: append([]string{rightsOn(c.group, "acme", "mq"), hook}, c.more...),
			want:  []string{isUnknownSaid}, not: []string{isMissingSaid, "probably"},
		}
		if c.missing {
			l.want, l.not = []string{isMissingSaid, "acme/mq", "Likely"}, []string{isUnknownSaid}
		}
		laws = append(laws, l)
	}
	return laws
}

const queuesServed = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: queues.mq.acme.io, uid: queues}
spec:
  group: mq.acme.io
  names: {kind: Queue, plural: queues}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true}]
`
