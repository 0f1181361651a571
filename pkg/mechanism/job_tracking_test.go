package mechanism

import (
	"testing"
	"time"
)

func TestJobTracking(t *testing.T) {
	pod := func(owner, spec string) string {
		meta := deleted(time.Hour, "batch.kubernetes.io/job-tracking")
		if owner != "" {
			meta += ", ownerReferences: [{controller: true, " + owner + "}]"
		}
		return manifest("v1", "Pod", "shop", "count-1", meta, "spec: {"+spec+"}\nstatus: {phase: Running}")
	}
	job := func(meta, spec, status string) string {
		return manifest("batch/v1", "Job", "shop", "count", meta, "spec: {"+spec+"}\nstatus: {"+status+"}")
	}
	const (
		ofJob     = "apiVersion: batch/v1, kind: Job, name: count, uid: job-count"
		elsewhere = "managedBy: queue.example.com/multi"

		ofDatabase = "apiVersion: shop.example.com/v1, kind: Database, name: db, uid: database-db"
	)
	manager := manifest("apps/v1", "Deployment", "queue", "m", "",
		"spec: {template: {spec: {containers: [{name: c, args: [queue.example.com/multi]}]}}}")
	going := pod(ofJob, "")
	down := managerDown()
	runCases(t, []mechanismCase{
		{name: "of no Job", objects: pod("", "") + down, told: managerIsDown()},
		{name: "of a Job that is gone", objects: going + down, told: managerIsDown()},
		{name: "of a Job that only has to count it", objects: going + job("", "", "") + down, told: managerIsDown()},
		{
			name: "of a Job that counts it when it has ended", objects: pod(ofJob, "nodeName: n1") +
				job("", "podReplacementPolicy: Failed", "") + nodeOf("Unknown", "", ""),
			told: []string{
				"wait Node n1", "  cause NodeNotReady NodeNotReady Node n1", "later CountedWhenEnded Pod shop/count-1",
			},
		},
		{
			name: "of a manager that isn't there", objects: going + job("", elsewhere, ""),
			told: []string{
				"cause ControllerMissing JobManagerMissing Pod shop/count-1 key JobManagerMissing,shop,queue.example.com/multi",
			},
		},
		{
			name: "of a manager that is", objects: going + job("", elsewhere, "") + manager,
			told: []string{"open JobManagerSilent Pod shop/count-1"},
		},
		{
			name: "of a ReplicaSet", objects: pod("apiVersion: apps/v1, kind: ReplicaSet, name: web-1, uid: r", ""),
			told: []string{"cause ControllerMissing TrackedByNobody Pod shop/count-1"},
		},
		{
			name:    "of somebody's kind",
			objects: pod(ofDatabase, "") + manifest("shop.example.com/v1", "Database", "shop", "db", "", ""),
			told:    []string{"open TrackedByOther Pod shop/count-1"},
		},
		{name: "of a Job that may not be read", objects: going + job("", "", ""), deny: "jobs"},
		{name: "of a manager that may not be looked for", objects: going + job("", elsewhere, ""), deny: "deployments"},
		{name: "of a kind that may not be read", objects: pod(ofDatabase, ""), deny: "databases"},
	})
}
