package diagnosis_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/audit"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print/table"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

func (c checkCase) check(t *testing.T, deny string) *result.Check {
	t.Helper()
	answer, err := c.ask(t, deny)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func (c checkCase) ask(t *testing.T, deny string) (*result.Check, error) {
	t.Helper()
	answer, _, err := c.askMemory(t, deny)
	return answer, err
}

// reads are what a check of the cluster reads.
func (c checkCase) reads(t *testing.T) []string {
	t.Helper()
	_, memory, err := c.askMemory(t, "")
	if err != nil {
		t.Fatal(err)
	}
	return memory.Reads
}

func (c checkCase) askMemory(t *testing.T, deny string) (*result.Check, *clustertest.Memory, error) {
	t.Helper()
	memory, err := clustertest.New(now, strings.Join(c.objects, "---\n"))
	if err != nil {
		t.Fatal(err)
	}
	if deny != "" {
		memory.Deny(deny)
	}
	if c.failed != "" {
		version, _ := schema.ParseGroupVersion(c.failed)
		memory.Failed = map[schema.GroupVersion]error{version: errors.New("stale")}
	}
	options := asking(t)
	options.Pause = func(context.Context, time.Duration) error {
		if c.meanwhile != nil {
			c.meanwhile(memory)
		}
		return nil
	}
	answer, err := audit.Check(t.Context(), memory, c.namespace, options)
	return answer, memory, err
}

func allCheckCases() []checkCase {
	return slices.Concat(checkCases(), checkControllerCases(), checkDriverCases(), checkClaimCases(),
		checkSilenceCases(), checkMisspeltCases(), checkSwitchCases())
}

func findings(check *result.Check) []string {
	var found []string
	for _, finding := range check.Findings {
		text := strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s/%s", finding.Severity, finding.Reason,
			finding.Reference, finding.Object.Kind, finding.Object.Path())), " ")
		if finding.Count > 1 {
			text += fmt.Sprintf(" × %d", finding.Count)
		}
		found = append(found, text)
	}
	return found
}

func TestCheck(t *testing.T) {
	for _, c := range allCheckCases() {
		t.Run(c.name, func(t *testing.T) {
			result := c.check(t, c.deny)
			if diff := cmp.Diff(c.want, findings(result)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			name := fmt.Sprintf("%+v", result)
			if slices.ContainsFunc(c.says, func(text string) bool { return !strings.Contains(name, text) }) {
				t.Errorf("%q is not said: %s", c.says, name)
			}
			if slices.ContainsFunc(c.notSays, func(text string) bool { return strings.Contains(name, text) }) {
				t.Errorf("one of %q is said: %s", c.notSays, name)
			}
			var human, colored bytes.Buffer
			for out, style := range map[*bytes.Buffer]print.Style{
				&human: {Table: table.Draw}, &colored: {Color: true, Table: table.Draw},
			} {
				if err := print.Result(t.Context(), out, result, print.FormatHuman, style); err != nil {
					t.Fatal(err)
				}
			}
			compareGolden(t, "check "+c.name, human.String())
			checkLines(t, human.String())
			if diff := cmp.Diff(human.String(), withoutEscapes(colored.String())); diff != "" {
				t.Errorf("colour says something that the words don't (-plain +colored):\n%s", diff)
			}
		})
	}
}

// TestCheckWithEachReadDenied checks every cluster again as a user who may not read one kind: fewer findings, and never
// another one.
func TestCheckWithEachReadDenied(t *testing.T) {
	sample := newSample()
	defer sample.check(t)
	for _, c := range allCheckCases() {
		if c.deny != "" {
			continue // it is a lesser one
		}
		if _, err := c.ask(t, "*"); err == nil {
			t.Errorf("%s: that nothing may be listed is no error", c.name)
		}
		for _, denied := range []string{
			"configmaps", "nodes", "pods", "events", "leases", "databases", "persistentvolumeclaims", "deployments",
			"serviceaccounts", "namespaces",
			"clusterroles", "rolebindings", "customresourcedefinitions", "validatingwebhookconfigurations", "services",
			"apiservices", "endpointslices",
		} {
			if !sample.tries(c.name, denied) {
				continue
			}
			lesser := c.check(t, denied)
			for _, finding := range lesser.Findings {
				if !slices.ContainsFunc(c.want,
					func(full string) bool {
						return strings.Contains(full, string(finding.Reason)+" "+string(finding.Reference))
					}) {
					t.Errorf("%s, without %s: %s of %s is concluded from less", c.name, denied, finding.Reason, finding.Object)
				}
			}
			if len(lesser.Unreadable) == 0 && c.namespace == "" && len(lesser.Findings) < len(c.want) {
				t.Errorf("%s: that %s can't be read is not said", c.name, denied)
			}
		}
	}
}

// TestCheckNamesUndiscovered makes sure that a check says which API groups it knows nothing about, although no owner
// reference uses them.
func TestCheckNamesUndiscovered(t *testing.T) {
	for _, namespace := range []string{"", "shop"} {
		c := checkCase{namespace: namespace, failed: "metrics.example.com/v1", objects: []string{configMap("notes", "")}}
		if unread := c.check(t, "").Unreadable; len(unread) != 1 || unread[0].Resource != "*.metrics.example.com/v1" {
			t.Errorf("namespace %q: unreadable is %+v", namespace, unread)
		}
	}
}
