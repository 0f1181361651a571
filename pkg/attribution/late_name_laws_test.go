package attribution

import (
	"fmt"
	"strings"
)

// lateNameLaws are about programs that have another name than their account, and are no Deployments.
func lateNameLaws() (laws []law) {
	const account = "ops/reef"
	exporter := strings.ReplaceAll(runs("ops", "reef-exporter"),
		"serviceAccountName: reef-exporter", "serviceAccountName: reef")
	brain := fmt.Sprintf(otherWorkload, "apps/v1", "StatefulSet", "reef-brain", "replicas: 0", reefTemplate)
	pod := strings.ReplaceAll(readyPod("ops", "reef-brain"), "serviceAccountName: reef-brain", "serviceAccountName: reef")
	ready := strings.Replace(brain, "replicas: 0", "replicas: 1", 1) + "\n---\n" + strings.ReplaceAll(
		pod, "app: reef-brain}", "app: brain}, ownerReferences: "+
			"[{apiVersion: apps/v1, kind: StatefulSet, name: reef-brain, uid: other-workload, controller: true}]")
	replicaSet := fmt.Sprintf(otherWorkload, "apps/v1", "ReplicaSet", "reef-brain", "replicas: 0", reefTemplate)
	cron := fmt.Sprintf(otherWorkload, "batch/v1", "CronJob", "reef-brain", "suspend: true",
		"jobTemplate: {spec: {"+reefTemplate+"}}")
	for _, c := range []struct {
		name, state string
		manager     string
		down        string
	}{
		{"a StatefulSet at 0 that set the finalizer, beside an exporter", exporter + "\n---\n" + brain, "reef-brain",
			"StatefulSet ops/reef-brain"},
		{"a StatefulSet at 0 that did not set the finalizer, beside a program", strings.ReplaceAll(
			exporter, "reef-exporter", "reef-worker") + "\n---\n" + brain, "reef-worker", ""},
		{"a StatefulSet at 0 beside an exporter, and no one set the finalizer", exporter + "\n---\n" + brain, "",
			"StatefulSet ops/reef-brain"},
		{"a StatefulSet that runs beside an exporter", exporter + "\n---\n" + ready, "reef-brain", ""},
		{"a ReplicaSet that set the finalizer", replicaSet, "reef-brain", "ReplicaSet ops/reef-brain"},
		{"a ReplicaSet, and another program set the finalizer", replicaSet + "\n---\n" + databases("ops/other"),
			"tide-keeper", ""},
		{"a CronJob that set the finalizer, suspended", cron, "reef-brain", "CronJob ops/reef-brain"},
		{"a CronJob that set the finalizer, and will run again", strings.Replace(cron, "suspend: true", "suspend: false", 1),
			"reef-brain", ""},
		{"a pod that set the finalizer, and failed", failedPod, "reef-brain", "Pod ops/reef-brain"},
		{"a pod that failed, and another program set the finalizer", failedPod + "\n---\n" + databases("ops/other"),
			"tide-keeper", ""},
	} {
		held := database()
		if c.manager != "" {
			held = database(c.manager)
		}
		l := law{name: c.name, held: held, state: []string{accountIn("ops", "reef"), databases(account), c.state}}
		if c.down != "" {
			l.want = []string{isDownSaid + " " + c.down}
		} else {
			l.want, l.not = []string{isUnknownSaid}, []string{isDownSaid}
		}
		laws = append(laws, l)
	}
	return laws
}

const (
	reefTemplate = "template: {metadata: {labels: {app: brain}}, spec: {serviceAccountName: reef, " +
		"containers: [{name: main, image: registry.local/reef}]}}"
	otherWorkload = `
apiVersion: %s
kind: %s
metadata: {namespace: ops, name: %s, uid: other-workload}
spec: {selector: {matchLabels: {app: brain}}, schedule: "0 * * * *", %s, %s}
`
	failedPod = `
apiVersion: v1
kind: Pod
metadata: {namespace: ops, name: reef-brain, uid: pod-brain, labels: {app: brain}}
spec: {serviceAccountName: reef, containers: [{name: main, image: registry.local/reef}]}
status: {phase: Failed, reason: Evicted, message: "The node was low on resource: memory."}
`
)
