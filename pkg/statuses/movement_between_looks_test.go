package statuses_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

func statusOf(t *testing.T, status string) *unstructured.Unstructured {
	t.Helper()
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(`{apiVersion: a/v1, kind: K, metadata: {name: x}, status: `+status+`}`),
		&object.Object); err != nil {
		t.Fatal(err)
	}
	return object
}

// TestMoves wants what counts what is done or left to be movement, and what only shows that its writer lives to be
// none.
func TestMoves(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{`{remaining: 40}`, `{remaining: 37}`, "status.remaining went from 40 to 37"},
		{`{remaining: 40}`, `{remaining: 41}`, ""},
		{`{drain: {shards: 8}}`, `{drain: {shards: 7}}`, "status.drain.shards went from 8 to 7"},
		{`{openSessionsRemaining: 8}`, `{openSessionsRemaining: 7}`, "status.openSessionsRemaining went from 8 to 7"},
		{`{cleanup: {deletedObjects: 3}}`, `{cleanup: {deletedObjects: 5}}`,
			"status.cleanup.deletedObjects went from 3 to 5"},
		{`{percent: 10}`, `{percent: 12.5}`, "status.percent went from 10 to 12.5"},
		{`{parts: [{name: a, left: 3}, {name: b, left: 2}]}`, `{parts: [{name: b, left: 1}, {name: a, left: 3}]}`,
			"status.parts[b].left went from 2 to 1"},
		{`{message: "killed 226 of 9000 replicas as requested"}`, `{message: "killed 231 of 9000 replicas as requested"}`,
			`status.message went from "killed 226 of 9000 replicas as requested" to "killed 231 of 9000 replicas as requested"`},
		{`{message: "3 machines left"}`, `{message: "2 machines left"}`,
			`status.message went from "3 machines left" to "2 machines left"`},
		{`{message: "drained 17 tenants so far"}`, `{message: "drained 18 tenants so far"}`,
			`status.message went from "drained 17 tenants so far" to "drained 18 tenants so far"`},
		{`{message: "wiping, 7% done"}`, `{message: "wiping, 9% done"}`,
			`status.message went from "wiping, 7% done" to "wiping, 9% done"`},
		{`{conditions: [{type: Ready, status: "False", reason: Draining}]}`,
			`{conditions: [{type: Ready, status: "False", reason: Detaching}]}`,
			"condition Ready went from False: Draining to False: Detaching"},
		{`{conditions: [{type: Deleting, status: "True", message: "5 volumes remain"}]}`,
			`{conditions: [{type: Deleting, status: "True", message: "4 volumes remain"}]}`,
			`status.conditions[Deleting].message went from "5 volumes remain" to "4 volumes remain"`},
		{`{message: "waiting for 3 machines"}`, `{message: "waiting for 2 machines"}`,
			`status.message went from "waiting for 3 machines" to "waiting for 2 machines"`},
		{`{message: "draining 40 connections"}`, `{message: "draining 38 connections"}`,
			`status.message went from "draining 40 connections" to "draining 38 connections"`},
		// it serves, and that is no deletion
		{`{shards: 8}`, `{shards: 7}`, ""},
		{`{connections: 8}`, `{connections: 7}`, ""},
		{`{activeSessions: 8}`, `{activeSessions: 7}`, ""},
		{`{open: 8}`, `{open: 7}`, ""},
		{`{total: 8}`, `{total: 7}`, ""},
		{`{queueLength: 8}`, `{queueLength: 7}`, ""},
		{`{processed: 8}`, `{processed: 9}`, ""},
		{`{handledEvents: 8}`, `{handledEvents: 9}`, ""},
		{`{healthPercent: 97}`, `{healthPercent: 98}`, ""},
		{`{message: "serving 40 sessions"}`, `{message: "serving 38 sessions"}`, ""},
		{`{message: "3 of 9 clients online"}`, `{message: "4 of 9 clients online"}`, ""},
		{`{message: "processed 17 events"}`, `{message: "processed 18 events"}`, ""},
		// its writer lives, and no more
		{`{heartbeat: 17}`, `{heartbeat: 18}`, ""},
		{`{heartbeats: 18}`, `{heartbeats: 17}`, ""},
		{`{observedGeneration: 1}`, `{observedGeneration: 2}`, ""},
		{`{lastReconcileTime: "2026-01-02T03:04:05Z"}`, `{lastReconcileTime: "2026-01-02T03:04:09Z"}`, ""},
		{`{reconciledAt: 1767323045}`, `{reconciledAt: 1767323049}`, ""},
		{`{retries: 9}`, `{retries: 8}`, ""},
		{`{retryInSeconds: 9}`, `{retryInSeconds: 4}`, ""},
		{`{failedDeletes: 3}`, `{failedDeletes: 4}`, ""},
		{`{cpuMillicores: 230}`, `{cpuMillicores: 210}`, ""},
		{`{message: "attempt 17 of 40"}`, `{message: "attempt 18 of 40"}`, ""},
		{`{message: "retrying in 30 seconds"}`, `{message: "retrying in 10 seconds"}`, ""},
		{`{message: "hook answered rc=2 at 12:00:01"}`, `{message: "hook answered rc=2 at 12:00:05"}`, ""},
		{`{message: "failed 17 times"}`, `{message: "failed 18 times"}`, ""},
		{`{message: "skipped, loop 17"}`, `{message: "skipped, loop 18"}`, ""},
		{`{message: "deletion protection is on, skip"}`, `{message: "protected against deletion, skipping"}`, ""},
		{`{conditions: [{type: Ready, status: "False", reason: Waiting, lastTransitionTime: "2026-01-02T03:04:05Z"}]}`,
			`{conditions: [{type: Ready, status: "False", reason: Waiting, lastTransitionTime: "2026-01-02T03:04:09Z"}]}`, ""},
		{`{conditions: [{type: Ready, status: "False", reason: Deleting}]}`,
			`{conditions: [{type: Ready, status: "False", reason: DeleteFailed}]}`, ""},
		{`{remaining: 3}`, `{remaining: "2"}`, ""},
		{`{}`, `{remaining: 3}`, ""},
		{`{parts: [1, 2]}`, `{parts: {a: 1}}`, ""},
	} {
		moves, got := statuses.Moves(statusOf(t, c.before), statusOf(t, c.after)), ""
		if len(moves) > 0 {
			got = moves[0].String()
		}
		if got != c.want {
			t.Errorf("%s, and then %s: %q, want %q", c.before, c.after, got, c.want)
		}
	}
}
