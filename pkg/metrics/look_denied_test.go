package metrics

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestUnfinishedLook is none: neither without rights nor after the end of its context.
func TestUnfinishedLook(t *testing.T) {
	memory := cluster3am(t)
	memory.Deny("*")
	if n, err := Look(t.Context(), finalizers.Over(memory, asking(t)), ""); err == nil {
		t.Errorf("without any right, a look finds %+v", n)
	}
	memory = cluster3am(t)
	ctx, cancel := context.WithCancel(t.Context())
	memory.Before = func(what string) {
		if strings.HasPrefix(what, "configmaps") {
			cancel()
		}
	}
	if n, err := Look(ctx, finalizers.Over(memory, asking(t)), ""); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted, a look finds %+v, and says %v", n, err)
	}
}

// TestEachReadDenied takes away one kind after the other: each verdict is the same as before, or Undetermined, and the
// numbers say that something could not be read.
func TestEachReadDenied(t *testing.T) {
	memory := cluster3am(t)
	full := map[finding.Ref]object{}
	for _, one := range look(t, memory, "").objects {
		full[one.ref] = one
	}
	denied := map[string]bool{}
	for _, read := range memory.Reads {
		resource, _, _ := strings.Cut(strings.Fields(read)[0], ".")
		if denied[resource] {
			continue
		}
		denied[resource] = true
		memory := cluster3am(t)
		memory.Deny(resource)
		n := look(t, memory, "")
		for _, one := range n.objects {
			if was := full[one.ref]; one.verdict != was.verdict && one.verdict != result.Undetermined {
				t.Errorf("without %s, %s is %s, and else %s", resource, one.ref, one.verdict, was.verdict)
			}
		}
		if n.unreadable == 0 {
			t.Errorf("without %s, everything is readable", resource)
		}
	}
	if len(denied) < 40 {
		t.Errorf("%d kinds were denied: this test could not fail", len(denied))
	}
}
