package attribution

import "fmt"

// admissionLaws are about webhooks of the finalizer's project, whose program is at 0 and has no rights.
func admissionLaws() (laws []law) {
	const sets, configMaps = "may set the finalizer when objects are created", `apiGroups: [""], resources: [configmaps]`
	const all = `apiGroups: ["*"], resources: ["*/*"]`
	configMap := stuckOn("ConfigMap", "stamp.acme.dev/keep")
	for _, c := range []struct {
		name, kind, operations, rule string
		held                         stuck
		down                         bool
	}{
		{"only sets it on creation", "Mutating", "CREATE", configMaps, configMap, false},
		{"answers for updates, too", "Mutating", "CREATE, UPDATE", configMaps, configMap, true},
		{"only looks at new objects", "Validating", "CREATE", configMaps, configMap, true},
		{
			"changes new objects, and a program set it", "Mutating", "CREATE", configMaps,
			stuckOn("ConfigMap", "stamp.acme.dev/keep", "stamper"), true,
		},
		{"only sets it on any new object", "Mutating", "CREATE", all, configMap, false},
		{"answers for any new and changed object", "Mutating", "CREATE, UPDATE", all, configMap, true},
		{"changes new objects of another kind", "Mutating", "CREATE", parcelRule, configMap, true},
	} {
		l := law{
			name: "a webhook of the project " + c.name, held: c.held,
			state: []string{accountIn("stamps", "stamper"), fmt.Sprintf(stampingHook, c.kind, c.operations, c.rule)},
			want:  []string{isDownSaid, "stamps/stamper"}, not: []string{sets},
		}
		if !c.down {
			l.want, l.not = []string{sets}, []string{isDownSaid}
		}
		laws = append(laws, l)
	}
	return append(laws, customAdmissionLaws()...)
}

const parcelRule = "apiGroups: [post.acme.dev], resources: [parcels]"

// customAdmissionLaws are about webhooks for a custom kind. The program of one is at 0, and another with equal rights
// runs.
func customAdmissionLaws() (laws []law) {
	parcel := stuckOn("Parcel", "post.acme.dev/keep")
	for _, c := range []struct {
		name, operations, rule string
		held                   stuck
		down                   bool
	}{
		{"only sets it on new custom objects", "CREATE", parcelRule, parcel, false},
		{"answers for changed custom objects", "CREATE, UPDATE", parcelRule, parcel, true},
		{
			"changes new custom objects of another kind", "CREATE", "apiGroups: [post.acme.dev], resources: [stamps]", parcel,
			true,
		},
		{
			"only sets it on all new custom objects", "CREATE", `apiGroups: [post.acme.dev], resources: ["*"]`, parcel, false,
		},
		{"sets it on new ones that a program tracks", "CREATE", parcelRule, writtenBy(parcel, "tracker"), false},
	} {
		l := law{
			name: "a webhook of the project " + c.name, held: c.held,
			state: []string{
				accountIn("stamps", "stamper"), fmt.Sprintf(stampingHook, "Mutating", c.operations, c.rule),
				runs("ops", "keeper"), may(writesKind, "post.acme.dev", "parcels", "stamps/stamper", "ops/keeper"),
			},
			want: []string{isDownSaid, "stamps/stamper"},
		}
		if !c.down {
			l.want, l.not = []string{isUnknownSaid, "ops/keeper"}, []string{isDownSaid}
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
  rules: [{apiVersions: [v1], operations: [%s], %s}]
`
