package preview_test

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"testing"
)

// TestWithEachReadDenied asks again without each resource in turn: with fewer rights, an answer may say less, and never
// says that the deletion would finish.
func TestWithEachReadDenied(t *testing.T) {
	for _, c := range allCases() {
		if c.deny != "" || c.outcome == result.AlreadyDeleted {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			memory := c.memory(t)
			full, err := c.ask(t, memory)
			if err != nil {
				t.Fatal(err)
			}
			target, _, _ := strings.Cut(strings.ReplaceAll(c.target, "/", "."), ".")
			tried := map[string]bool{target: true}
			for _, read := range memory.Reads {
				resource, _, _ := strings.Cut(read, " ")
				resource, _, _ = strings.Cut(resource, ".")
				if tried[resource] {
					continue
				}
				tried[resource] = true
				blind := c.memory(t)
				blind.Deny(resource)
				lesser, err := c.ask(t, blind)
				if err != nil {
					t.Errorf("without %s: %v", resource, err)
					continue
				}
				if strings.HasPrefix(resource, "clusterrole") || strings.HasPrefix(resource, "role") {
					continue // who releases what stays: that is about no object of this deletion
				}
				if lesser.Outcome == result.WouldGo || len(lesser.Unreadable) == 0 {
					t.Errorf("without %s: %s (%v)", resource, lesser.Summary, lesser.Unreadable)
				}
				if full.Outcome == result.WouldGo && lesser.Outcome != result.MayHang {
					t.Errorf("without %s it is %s: %s", resource, lesser.Outcome, lesser.Summary)
				}
			}
		})
	}
}

// TestNothingReadable can't list anything but the target: that isn't taken for nothing there.
func TestNothingReadable(t *testing.T) {
	c := previewCase{objects: []string{configMap("top", "")}, target: "configmaps/top"}
	memory := c.memory(t)
	first := true
	memory.Before = func(what string) {
		if !first {
			memory.Deny("*")
		}
		first = false
	}
	preview, err := c.ask(t, memory)
	if err != nil {
		t.Fatal(err)
	}
	says := strings.Contains(preview.Summary, "could not be read")
	if preview.Outcome != result.MayHang || len(preview.Unreadable) == 0 || !says {
		t.Errorf("%s: %s (%v)", preview.Outcome, preview.Summary, preview.Unreadable)
	}
}
