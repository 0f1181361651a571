package finding_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestReasons compares the codes with the list of them. That docs/causes.md explains each is tested there
// (hack/reference).
func TestReasons(t *testing.T) {
	source, err := os.ReadFile("reason.go")
	if err != nil {
		t.Fatal(err)
	}
	var codes []finding.Reason
	for _, code := range regexp.MustCompile(`Reason = "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
		codes = append(codes, finding.Reason(code[1]))
	}
	if !slices.Equal(codes, finding.Reasons()) {
		t.Errorf("the codes are %v, and Reasons has %v", codes, finding.Reasons())
	}
}
