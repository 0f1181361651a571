package mechanism

import (
	"testing"
	"time"
)

func TestResourceClaimProtection(t *testing.T) {
	reserved := func(consumers string) string {
		held := deleted(time.Hour, "resource.kubernetes.io/delete-protection")
		return manifest("resource.k8s.io/v1", "ResourceClaim", "shop", "gpu", held, "status: {reservedFor: ["+consumers+"]}")
	}
	const (
		aPod      = "{resource: pods, name: web, uid: pod-web}"
		aGroup    = "{apiGroup: scheduling.k8s.io, resource: podgroups, name: g, uid: podgroup-g}"
		aDatabase = "{apiGroup: shop.example.com, resource: databases, name: db, uid: database-db}"
	)
	pod := manifest("v1", "Pod", "shop", "web", "", "spec: {nodeName: n1}\nstatus: {phase: Running}")
	group := manifest("scheduling.k8s.io/v1beta1", "PodGroup", "shop", "g", "", "")
	ofDatabase := []string{"wait Database shop/db", "  cause StillInUse ReservedForUnknown Database shop/db"}
	runCases(t, []mechanismCase{
		{
			name: "a pod that runs", objects: reserved(aPod) + pod,
			told: []string{
				"wait Pod shop/web",
				"  cause StillInUse RunningPod Pod shop/web key RunningPod,shop,ReservesClaim,Running",
			},
		},
		{
			name: "a group", objects: reserved(aGroup) + group,
			told: []string{"wait PodGroup shop/g", "  cause StillInUse PodGroupReservesClaim PodGroup shop/g"},
		},
		{
			name:    "something else",
			objects: reserved(aDatabase) + manifest("shop.example.com/v1", "Database", "shop", "db", "", ""),
			told:    ofDatabase,
		},
		{name: "something else that is gone", objects: reserved(aDatabase), told: ofDatabase},
		{name: "a pod and a group that are gone", objects: reserved(aPod+", "+aGroup) + managerDown(), told: managerIsDown()},
		{name: "a pod that may not be read", objects: reserved(aPod) + pod, deny: "pods"},
		{name: "a group that may not be read", objects: reserved(aGroup) + group, deny: "podgroups"},
	})
}
