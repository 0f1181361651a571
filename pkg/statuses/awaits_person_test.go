package statuses_test

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// TestAwaitsPerson tells words of a controller that waits for a person from those of one in trouble, or at work.
func TestAwaitsPerson(t *testing.T) {
	for words, want := range map[string]bool{
		"needs approval by the data owner":                                 true,
		"DeletionBlocked: needs approval by the data owner":                true,
		"WaitingForApproval":                                               true,
		"AwaitingConsent: deletion of 3 tables awaits consent of the team": true,
		"manual approval required":                                         true,
		"deletion requires approval of change CHG-123":                     true,
		"deletion is not approved yet":                                     true,
		"waits until approved by two members":                              true,
		"must be approved by an owner":                                     true,
		"waiting for a human to confirm":                                   true,
		"the DBA on duty must sign off first":                              true,
		"an administrator must unseal the vault":                           true,
		"manual intervention required":                                     true,

		"approval by the data owner was rejected":                    false,
		"needs approval: the approval service returned HTTP 503":     false,
		"cannot reach the service for approvals":                     false,
		"needs approval, but no such approver group":                 false,
		"deletion was approved by the data owner, dropping 3 tables": false,
		"no approval needed":                                         false,
		"does not require approval":                                  false,
		"waiting for the node to confirm the detachment":             false,
		"waiting for confirmation of the queue manager":              false,
		"volume is in use by someone, waiting":                       false,
		"needs credentials of the cloud":                             false,
		"requires a snapshot first":                                  false,
		"denied the request: deletion requires approval":             false,
		"deleting approval":                                          false,
		"approved changes need a restart":                            false,
		"":                                                           false,
	} {
		if got := statuses.AwaitsPerson(words); got != want {
			t.Errorf("%q waits for a person: %t, want %t", words, got, want)
		}
	}
	if statuses.AwaitsPerson("waiting for Bucket approval to go", "approval") {
		t.Error("the name of an object was taken for an approval")
	}
}
