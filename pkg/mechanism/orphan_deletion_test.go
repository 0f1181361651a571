package mechanism

import (
	"testing"
	"time"
)

func TestOrphanDeletion(t *testing.T) {
	owner, young := configMap("owner", deleted(time.Hour, "orphan")), configMap("owner", deleted(2*time.Second, "orphan"))
	child := configMap("child", ownedByMaps("owner"))
	const atRisk = "later OrphansAtRisk ConfigMap shop/owner"
	runCases(t, []mechanismCase{
		{
			name: "a dependent that still refers to it", objects: owner + child + managerRuns(),
			told: []string{"open DutyOverdue ConfigMap shop/owner", atRisk},
		},
		{name: "a moment ago", objects: young + child + managerRuns(), told: []string{"progress DutyDue", atRisk}},
		{
			name: "while the garbage collector is down", objects: owner + child + managerDown(),
			told: append(managerIsDown(), atRisk),
		},
		{name: "no dependent", objects: owner + managerRuns(), told: []string{"open DutyOverdue ConfigMap shop/owner"}},
		{
			name: "kinds that may not be read", objects: owner + child + managerRuns(), deny: "configmaps",
			told: []string{"open DependentKindsUnread ConfigMap shop/owner key DependentKindsUnread,configmaps"},
		},
	})
}
