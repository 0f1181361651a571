package attribution

import "fmt"

// admissionLaws are about webhooks of the finalizer's project, whose program is at 0 and has no rights.
func admissionLaws() (laws []law) {
	const sets = "may set the finalizer when objects are created"
	for _, c := range []struct {
		name, kind, operations string
		managers               []string
		down                   bool
	}{
		{"only sets it on creation", "Mutating", "CREATE", nil, false},
		{"answers for updates, too", "Mutating", "CREATE, UPDATE", nil, true},
		{"only looks at new objects", "Validating", "CREATE", nil, true},
		{"changes new objects, and a program set it", "Mutating", "CREATE", []string{"stamper"}, true},
	} {
		l := law{
			name: "a webhook of the project " + c.name,
			held: stuck{
				kind: "ConfigMap", namespace: "shop", name: "orders", finalizer: "stamp.acme.dev/keep", managers: c.managers,
			},
			state: []string{accountIn("stamps", "stamper"), fmt.Sprintf(stampingHook, c.kind, c.operations)},
			want:  []string{isDownSaid, "stamps/stamper"}, not: []string{sets},
		}
		if !c.down {
			l.want, l.not = []string{isUnknownSaid, sets}, []string{isDownSaid}
		}
		laws = append(laws, l)
	}
	return laws
}

const stampingHook = `
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: stamps, name: stamper, uid: deployment-stamper}
spec:
  replicas: 0
  selector: {matchLabels: {app: stamper}}
  template: {metadata: {labels: {app: stamper}}, spec: {serviceAccountName: stamper}}
---
apiVersion: v1
kind: Service
metadata: {namespace: stamps, name: stamper, uid: service-stamper}
spec: {selector: {app: stamper}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: %sWebhookConfiguration
metadata: {name: stamper, uid: hook-stamper}
webhooks:
- name: set.stamp.acme.dev
  clientConfig: {service: {namespace: stamps, name: stamper}}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [%s], resources: [configmaps]}]
`
