package rescue_test

import "github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"

func set(name, meta string) string {
	return object("apps/v1", "StatefulSet", name, meta, "spec: {replicas: 1, selector: {matchLabels: {app: db}}, "+
		"volumeClaimTemplates: [{metadata: {name: data}}], template: {metadata: {labels: {app: db}}}}")
}

// setCases are StatefulSets with claims, which have no owner: only names tie them together.
func setCases() []rescueCase {
	shop := object("v1", "Namespace", "/shop", "", "")
	const target = "statefulsets.apps/db"
	const bound = "ReleaseVolumes RecreateClaims WaitUntilBound"
	onlyOther := []string{shop, set("other-db", ""), claimGoing("data-other-db-0"),
		volume("data-other-db-0", "Delete", "Bound")}
	return []rescueCase{
		{
			name: "set and its claims that go", target: target, objects: []string{shop, set("db", going("foregroundDeletion")),
				claimGoing("data-db-0"), volume("data-db-0", "Delete", "Bound")},
			outcome: result.CanBeKept, lost: "DeletionStands", stops: "RetainVolumesNow",
			returns: "WaitUntilGone " + bound + " RecreateRest RestorePolicy",
			says:    []string{"persistentvolumes/disk-data-db-0"},
		},
		{
			name: "set that goes and whose claims stay", target: target,
			objects: []string{shop, set("db", going("foregroundDeletion")), claimOwned("data-db-0", "ConfigMap/none"),
				volume("data-db-0", "Delete", "Bound")},
			outcome: result.CanBeKept, lost: "DeletionStands", safe: "ClaimsOfSetStay",
			returns: "WaitUntilGone RecreateRest", says: []string{"Its data can be kept: nothing deletes it.",
				"PersistentVolumeClaim shop/data-db-0, with its data: it is not deleted with StatefulSet shop/db."},
			never: []string{"STOP THE LOSS", "No data"},
		},
		{
			name: "set that is gone and whose claims go", target: target, objects: []string{shop, claimGoing("data-db-0"),
				volume("data-db-0", "Delete", "Bound"), claimGoing("data-db-1"), volume("data-db-1", "Delete", "Bound")},
			outcome: result.CanBeKept, lost: "ObjectIsGone", stops: "RetainVolumesNow",
			returns: "WaitUntilGone " + bound + " RestorePolicy",
			says:    []string{"persistentvolumes/disk-data-db-0 persistentvolumes/disk-data-db-1"},
		},
		{
			name: "set that is gone and whose claims stay", target: target,
			objects: []string{shop, claimOwned("data-db-0", "ConfigMap/none"), claimOwned("data-db-1", "ConfigMap/none")},
			outcome: result.CanBeKept, lost: "ObjectIsGone", safe: "ClaimsOfSetStay",
			says: []string{"2 PersistentVolumeClaims", "they are not deleted with StatefulSet shop/db"},
		},
		{
			name: "claims of another set", target: target, objects: onlyOther, fails: true,
		},
		{
			name: "claims of another set beside the own", target: target,
			objects: append([]string{set("db", going("foregroundDeletion"))}, onlyOther...),
			outcome: result.NoData, lost: "DeletionStands", returns: "WaitUntilGone RecreateRest",
			never: []string{"other"},
		},
		{
			name: "volumes that another set has left", target: target,
			objects: []string{shop, set("other-db", ""), volume("data-other-db-0", "Delete", "Released"),
				set("db", going("foregroundDeletion"))},
			outcome: result.NoData, lost: "DeletionStands", returns: "WaitUntilGone RecreateRest",
			never: []string{"other"},
		},
	}
}
