package statuses_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

func TestReports(t *testing.T) {
	cases := map[string]struct {
		status string
		words  string // of the first report; none if empty
		seen   bool
		before bool
		// written is when the conditions were last written, by managedFields
		written string
	}{
		"nothing": {status: `{}`},
		"good":    {status: `{conditions: [{type: Ready, status: "True", message: no errors}]}`},
		"not ready for being deleted": {status: `{conditions: [{type: Ready, status: "False", reason: Deleting, ` +
			`message: waiting}]}`},
		"failing": {status: `{conditions: [{type: Ready, status: "False", reason: CleanupFailed, ` +
			`message: not empty, observedGeneration: 2}]}`, words: "CleanupFailed: not empty", seen: true},
		"failed before the deletion": {status: `{observedGeneration: 1, conditions: [{type: Ready, status: "False", ` +
			`reason: Error}]}`, words: "Error", before: true},
		"failing, by its time": {status: `{conditions: [{type: Synced, status: "False", message: access denied, ` +
			`lastTransitionTime: "2026-01-02T12:00:00Z"}]}`, words: "access denied", seen: true},
		"failing, who knows when": {status: `{conditions: [{type: Synced, status: "False", ` +
			`message: connection refused, lastTransitionTime: "2026-01-01T12:00:00Z"}]}`, words: "connection refused"},
		"failed long before the deletion, by who wrote it": {status: `{conditions: [{type: Synced, status: "False", ` +
			`message: connection refused, lastTransitionTime: "2026-01-01T12:00:00Z"}]}`, words: "connection refused",
			written: "2026-01-01T12:00:00Z", before: true},
		"failing, by who wrote it right before the deletion": {status: `{conditions: [{type: Synced, status: "False", ` +
			`message: connection refused}]}`, words: "connection refused", written: "2026-01-02T10:59:50Z"},
		"failing, by who wrote it since": {status: `{conditions: [{type: Synced, status: "False", ` +
			`message: connection refused, lastTransitionTime: "2026-01-01T12:00:00Z"}]}`, words: "connection refused",
			written: "2026-01-02T11:30:00Z", seen: true},
		"a deletion that a person must approve": {status: `{conditions: [{type: DeletionApproved, status: "False", ` +
			`reason: ApprovalRequired, message: annotate it}]}`, words: "ApprovalRequired"},
		"what isn't known": {status: `{conditions: [{type: NodeHealthy, status: Unknown, ` +
			`reason: InternalError, message: look for errors in the log}]}`},
		"a write that came too late": {status: `{conditions: [{type: Ready, status: "False", reason: ReconcileError, ` +
			`message: "the object has been modified; please apply your changes to the latest version and try again"}]}`},
		"waiting": {status: `{conditions: [{type: Deleting, status: "True", reason: Waiting, ` +
			`message: still has 3 machines}]}`},
		"no errors, in a field for them": {status: `{lastError: "failover finished, 0 errors left", error: none, ` +
			`errorMessage: "<nil>"}`},
		"no errors, as a phase": {status: `{phase: FailoverCompleted, message: "failover finished, 0 errors left"}`},
		"good although it mentions ills": {status: `{conditions: [{type: NoErrors, status: "True", ` +
			`message: failover finished}]}`},
		"a condition that is bad": {status: `{conditions: [{type: DeletionError, status: "True", message: held}]}`,
			words: "held"},
		"a bad condition that isn't so": {status: `{conditions: [{type: Failed, status: "False", message: no error}]}`},
		"a deletion that is blocked": {status: `{conditions: [{type: Deleting, status: "True", ` +
			`reason: ObjectHasDependents, message: deletion is blocked by 3 pools}]}`, words: "deletion is blocked by 3 pools"},
		"conditions in a map": {status: `{conditions: {Ready: {status: "False", message: connection refused, ` +
			`observedGeneration: 2}}}`, words: "connection refused", seen: true},
		"conditions in a map, told by a truth value": {status: `{conditions: {Degraded: {status: true, message: held}}}`,
			words: "held"},
		"a map without ills": {status: `{conditions: {Degraded: {status: false, message: held}}}`},
		"a text field":       {status: `{lastError: "exit status 1"}`, words: "exit status 1"},
		"a phase":            {status: `{phase: DeleteFailed, message: quota}`, words: "DeleteFailed: quota"},
		"a state described": {
			status: `{lastOperation: {state: Error, type: Delete, description: no such pool}}`,
			words:  "Error: no such pool",
		},
		"a part's state": {status: `{stores: {blobs: {state: Error, message: bucket is locked}, tables: {state: Ready}}}`,
			words: "Error: bucket is locked"},
		"a part that was ill": {status: `{previousState: {blobs: {state: Error, message: bucket is locked}}}`},
		"a part's health": {status: `{health: {status: Degraded, message: the motor does not answer}}`,
			words: "Degraded: the motor does not answer"},
		"a part's health that is no trouble": {status: `{health: {status: Progressing, message: moving}}`},
		"a clean-up that failed, in a field named for it": {status: `{deprovision: failed, reason: zone has records}`,
			words: "failed: zone has records"},
		"something else that failed": {status: `{lastBackup: failed, releaseStatus: failed, reason: zone has records}`},
		"a clean-up that goes on":    {status: `{deprovision: running, reason: zone has records}`},
		"an error of gRPC": {status: `{observedGeneration: 2, lastAttempt: "rpc error: code = PermissionDenied"}`,
			words: "rpc error: code = PermissionDenied", seen: true},
		"an error of a step": {status: `{observedGeneration: 2, steps: {detach: {lastError: "dial tcp: i/o timeout"}}}`,
			words: "dial tcp: i/o timeout", seen: true},
		"an error of a step, from before": {
			status: `{observedGeneration: 1, steps: {detach: {lastError: "dial tcp: i/o timeout"}}}`,
		},
		"an error of a step that is over": {
			status: `{observedGeneration: 2, steps: {detach: {lastError: "no error since then"}}}`,
		},
		"an error of an earlier step": {
			status: `{observedGeneration: 2, history: {detach: {lastError: "dial tcp: i/o timeout"}}}`,
		},
		"an error in JSON": {
			status: `{observedGeneration: 2, result: '{"step": "empty", "error": "the bucket is locked by a policy"}'}`,
			words:  "the bucket is locked by a policy", seen: true,
		},
		"JSON without an error": {
			status: `{observedGeneration: 2, result: '{"step": "empty", "note": "the bucket has 12 objects"}'}`,
		},
		"a gRPC error in a condition that is well": {status: `{observedGeneration: 2, conditions: [{type: Ready, ` +
			`status: "True", observedGeneration: 2, message: "after rpc error: code = Unavailable"}]}`},
		"a gRPC error, long ago":            {status: `{observedGeneration: 1, lastAttempt: "rpc error: code = Unknown"}`},
		"a sentence in a field of any name": {status: `{observedGeneration: 2, lastAttempt: the storage was busy}`},
		"parts that are well":               {status: `{stores: {blobs: {state: Ready, message: no error}}}`},
		"a message":                         {status: `{message: could not reach the API}`, words: "could not reach the API"},
		"what has seen it comes first": {status: `{lastError: old, conditions: [{type: Ready, status: "False", ` +
			`reason: Failed, observedGeneration: 2}]}`, words: "Failed", seen: true},
		"conditions of another form":     {status: `{conditions: {ready: false}}`},
		"a phase that says nothing ill":  {status: `{phase: Terminating}`},
		"a condition with nothing in it": {status: `{conditions: [{}]}`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			object := &unstructured.Unstructured{}
			fields := ""
			if c.written != "" {
				fields = `, managedFields: [{manager: m, subresource: status, time: "` + c.written + `", ` +
					`fieldsV1: {"f:status": {"f:conditions": {}}}}]`
			}
			document := `{apiVersion: a/v1, kind: K, metadata: {name: x, generation: 2, ` +
				`deletionTimestamp: "2026-01-02T11:00:00Z"` + fields + `}, status: ` + c.status + `}`
			if err := yaml.Unmarshal([]byte(document), &object.Object); err != nil {
				t.Fatal(err)
			}
			reports := statuses.Reports(object)
			if c.words == "" {
				if len(reports) > 0 {
					t.Errorf("trouble where there is none: %+v", reports)
				}
				return
			}
			if len(reports) == 0 || !strings.Contains(reports[0].Words, c.words) || reports[0].Seen != c.seen ||
				reports[0].Before != c.before {
				t.Errorf("%+v, want %q (seen: %t, before: %t)", reports, c.words, c.seen, c.before)
			}
		})
	}
}

// TestTold wants the text of a field in which a controller reports errors, if it is an error, and not a past one.
func TestTold(t *testing.T) {
	for name, c := range map[string]struct {
		status, words string
		told, seen    bool
	}{
		"an error for the generation that the deletion made": {`{observedGeneration: 2, error: {message: access denied}}`,
			"access denied", true, true},
		"an error for the one before": {`{observedGeneration: 1, error: {message: access denied}}`,
			"access denied", true, false},
		"an error of unknown age": {`{error: {message: access denied}}`, "access denied", true,
			false},
		"what is no trouble": {`{observedGeneration: 2}`, "2 volumes are left", false, false},
		"a condition of the bad sort that doesn't hold": {`{observedGeneration: 2, conditions: [{type: DeletionError, ` +
			`status: "False", message: no errors}]}`, "no errors", false, false},
	} {
		object := &unstructured.Unstructured{}
		document := `{apiVersion: a/v1, kind: K, metadata: {name: x, generation: 2, ` +
			`deletionTimestamp: "2026-01-02T11:00:00Z"}, status: ` + c.status + `}`
		if err := yaml.Unmarshal([]byte(document), &object.Object); err != nil {
			t.Fatal(err)
		}
		if report, told := statuses.FieldReport(object, "status.error", c.words); told != c.told || report.Seen != c.seen {
			t.Errorf("%s: %t, %+v", name, told, report)
		}
	}
}

// TestReportsWhole wants trouble to be found wherever a status has it: in conditions without a status, in reasons
// alone, in lists; and names that sound ill to be no trouble.
func TestReportsWhole(t *testing.T) {
	for name, c := range map[string]struct{ status, where, words string }{
		"a condition without a status": {`{conditions: [{type: DeletionError, message: 3 pods are left, ` +
			`lastTransitionTime: "2026-01-02T11:00:00Z"}]}`, "condition DeletionError", "3 pods are left"},
		"a good condition without a status": {`{conditions: [{type: Synced, message: 3 pods are left}]}`, "", ""},
		"a condition's status in a field of another name": {
			`{conditions: [{type: Ready, state: "False", detail: teardown of load balancer failed}]}`,
			"condition Ready is False", "teardown of load balancer failed",
		},
		"a good condition's status in a field of another name": {
			`{conditions: [{type: Ready, state: "True", detail: 3 earlier attempts failed}]}`, "", "",
		},
		"conditions as texts": {
			`{conditions: ["Synced=True: done", "Ready=False: AccessDenied: cannot delete DNS zone"]}`,
			"condition Ready is False", "AccessDenied: cannot delete DNS zone",
		},
		"good conditions as texts": {`{conditions: ["Ready=True: no errors", "Deleting=True: 3 pods are left"]}`, "", ""},
		"a list of errors with words in any field": {`{errors: [{code: 42, text: the quota service rejected it}]}`,
			"status.errors", "the quota service rejected it"},
		"a list of errors that are none": {`{errors: [{code: 0, text: no errors were found}]}`, "", ""},
		"an ill word, and no status": {`{conditions: [{type: Sync, message: access denied}]}`, "condition Sync",
			"access denied"},
		"a condition of nothing but its type": {`{conditions: [{type: DeletionFailed}]}`, "condition DeletionFailed",
			"DeletionFailed"},
		"words in the reason alone": {`{conditions: [{type: Ready, status: "False", reason: "bucket is not empty"}]}`,
			"condition Ready is False", "bucket is not empty"},
		"what a step's program wrote": {
			`{steps: [{name: drain, result: {exitCode: 0}}, {name: unlink, result: {exitCode: 17, ` +
				`stderr: "cannot remove it: device or resource busy"}}]}`,
			"status.steps[1].result.stderr", "cannot remove it: device or resource busy",
		},
		"what a step's program wrote, which is well": {
			`{steps: [{name: unlink, result: {exitCode: 0, stderr: "3 links were removed"}}]}`, "", "",
		},
		"what a step came to, long ago": {`{history: [{name: unlink, outcome: failed to remove it}]}`, "", ""},
		"a pause is no trouble":         {`{conditions: [{type: Paused, status: "True", reason: Paused}]}`, "", ""},
		"a list of errors":              {`{errors: [bucket holds 12 objects]}`, "status.errors", "bucket holds 12 objects"},
		"a list of codes":               {`{errors: [AccessDenied]}`, "status.errors", "AccessDenied"},
		"an empty list of errors":       {`{errors: []}`, "", ""},
		"errors that are none":          {`{errors: [none, "no errors"]}`, "", ""},
		"errors with a reason": {`{errors: [{reason: Busy, message: two readers are left}]}`, "status.errors",
			"Busy: two readers are left"},
		"an error that is an object": {`{lastError: {code: 7, description: backend is gone}}`, "status.lastError",
			"backend is gone"},
		"a part of it": {`{volumes: [{name: a, message: detached}, {name: b, message: "detach failed, node is gone"}]}`,
			"status.volumes[1].message", "detach failed"},
		"what is past":          {`{history: [{message: "the upgrade failed once"}]}`, "", ""},
		"a reason, alone":       {`{reason: DeleteFailed, message: 12 objects}`, "status.reason", "DeleteFailed: 12 objects"},
		"its own name":          {`{message: topic errors has 3 partitions left}`, "", ""},
		"what it names":         {`{message: "3 partitions of failures are left"}`, "", ""},
		"what it does not name": {`{message: "the broker is broken"}`, "status.message", "broken"},
		"other names":           {`{message: "Deleting ConfigMap error-pages, then s3://failed/uploads"}`, "", ""},
	} {
		object := &unstructured.Unstructured{}
		document := `{apiVersion: a/v1, kind: K, metadata: {name: errors, generation: 2, ` +
			`deletionTimestamp: "2026-01-02T11:00:00Z"}, spec: {topicRef: {name: failures}}, status: ` + c.status + `}`
		if err := yaml.Unmarshal([]byte(document), &object.Object); err != nil {
			t.Fatal(err)
		}
		first := statuses.Report{}
		if reports := statuses.Reports(object); len(reports) > 0 {
			first = reports[0]
		}
		if first.Where != c.where || !strings.Contains(first.Words, c.words) {
			t.Errorf("%s: %q says %q, want %q: %q", name, first.Where, first.Words, c.where, c.words)
		}
	}
}
