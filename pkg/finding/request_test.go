package finding_test

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestRequest names requests so that a reader sees why a deletion needs them.
func TestRequest(t *testing.T) {
	owner := finding.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "owner", UID: "1"}
	child := finding.Ref{APIVersion: "v1", Kind: "Secret", Namespace: "shop", Name: "child", UID: "2"}
	update := finding.Request{Operation: "UPDATE", Resource: "secrets", Object: &child}
	removes, disowns := update, update
	removes.Removes, disowns.Disowns = "example.com/x", &owner
	for _, c := range []struct {
		request finding.Request
		subject finding.Ref
		want    string
	}{
		{update, owner, "the update of Secret shop/child"},
		{update, child, "its update"},
		{removes, owner, "the removal of the finalizer example.com/x from Secret shop/child"},
		{removes, child, "the removal of the finalizer example.com/x"},
		{disowns, owner, "the removal of the owner reference to it from Secret shop/child"},
		{disowns, child, "the removal of the owner reference to ConfigMap shop/owner from it"},
		{disowns, finding.Ref{}, "the removal of the owner reference to ConfigMap shop/owner from Secret shop/child"},
		{finding.Request{Operation: "UPDATE", Resource: "secrets", Disowns: &owner}, owner,
			"the removal of owner references from secrets"},
	} {
		voice := finding.Voice{}.About(c.subject)
		if got := voice.Request(c.request); got != c.want {
			t.Errorf("it says %q, want %q", got, c.want)
		}
	}
}
