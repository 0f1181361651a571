package mechanism

import (
	"testing"
	"time"
)

func TestUserOfNamespace(t *testing.T) {
	objects := deletedVolume("kubernetes.io/pv-protection", boundTo, "Bound") +
		manifest("v1", "PersistentVolumeClaim", "shop", "data", "", "")
	inUse := []string{
		"wait PersistentVolumeClaim shop/data", "  cause StillInUse ClaimOfVolume PersistentVolumeClaim shop/data",
	}
	going := manifest("v1", "Namespace", "", "shop", deleted(time.Hour), "")
	for name, c := range map[string]struct {
		objects string
		deny    []string
		told    []string
	}{
		"that is being deleted": {
			objects: objects + going, told: []string{"wait PersistentVolumeClaim shop/data", "  wait Namespace shop"},
		},
		"that stays": {objects: objects + manifest("v1", "Namespace", "", "shop", "", ""), told: inUse},
		"that may not be read": {objects: objects + going, deny: []string{"namespaces"},
			told: []string{"wait PersistentVolumeClaim shop/data", "  open NotRead"}},
	} {
		t.Run(name, func(t *testing.T) {
			tools := toolsFor(t, c.objects, c.deny...)
			volume := firstOf(t, tools, c.objects)
			checkTold(t, c.told, Explain(t.Context(), tools, volume, volume.Holds()[0]))
		})
	}
}

func TestUserInNamespaceOfHeld(t *testing.T) {
	meta := deleted(time.Hour, "kubernetes.io/pvc-protection")
	spec := "spec: {nodeName: a, volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]}"
	objects := manifest("v1", "PersistentVolumeClaim", "shop", "data", meta, "") +
		manifest("v1", "Pod", "shop", "db", "", spec+"\nstatus: {phase: Running}") +
		manifest("v1", "Namespace", "", "shop", deleted(time.Hour), "")
	tools := toolsFor(t, objects)
	held := firstOf(t, tools, objects)
	checkTold(t, []string{
		"wait Pod shop/db", "  cause StillInUse RunningPodUsesClaim Pod shop/db key RunningPodUsesClaim,shop,Running",
	}, Explain(t.Context(), tools, held, held.Holds()[0]))
}
