package diagnosis_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// TestLogsWithEverythingDenied asks for logs where nothing else can be read: it is not known whose they would be.
func TestLogsWithEverythingDenied(t *testing.T) {
	operator := silentOperator(runningPod("shop-operator-a", runs))
	asked := operator.memory(t)
	if _, err := operator.why(t.Context(), t, asked); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, read := range asked.Reads {
		resource, _, _ := strings.Cut(read, " ")
		if resource, _, _ = strings.Cut(resource, "."); resource != "databases" {
			all = append(all, resource)
		}
	}
	logs := &containerLogs{lines: map[string][]string{"shop-operator-a/main": {logged(time.Minute, "shop/orders")}}}
	answer := askLogs(t, operator, logs, all...)
	if answer.Verdict != result.Undetermined || len(logs.reads) > 0 || len(told(answer)) > 0 {
		t.Errorf("%s after reading %q, want Undetermined and no logs", answer.Verdict, logs.reads)
	}
}

// TestLogsChangeNothingElse asks every question with logs that name everything, and with logs that can't be read:
// evidence, remedies and what is unreadable apart, the answers are the same.

// TestLogsChangeNothingElse asks every question with logs that name everything, and with logs that can't be read:
// evidence, remedies and what is unreadable apart, the answers are the same.
func TestLogsChangeNothingElse(t *testing.T) {
	read, forbidden := map[string]bool{}, apierrors.NewForbidden(schema.GroupResource{}, "", nil)
	for _, c := range whyCases() {
		if c.probe != nil || c.meanwhile != nil {
			continue
		}
		c.objects = slices.Clone(c.objects)
		for i, text := range c.objects {
			c.objects[i] = strings.ReplaceAll(text, podIsReady, podIsReady+", containerStatuses: ["+runs+"]")
		}
		without := c.ask(t)
		for _, logs := range []*containerLogs{{every: logged(time.Second, "shop/orders shop/data failed")},
			{err: forbidden}} {
			c.logs = logs
			with := c.ask(t)
			for _, cause := range with.RootCauses {
				read[cause.Situation] = read[cause.Situation] || len(logs.reads) > 0
			}
			if with.Verdict != without.Verdict || with.Summary != without.Summary {
				t.Errorf("%s: %s with logs, and %s without", c.name, with.Summary, without.Summary)
			}
			if diff := cmp.Diff(causesOf(without), causesOf(with)); diff != "" {
				t.Errorf("%s: the causes differ with logs:\n%s", c.name, diff)
			}
			if diff := cmp.Diff(without.History, with.History); diff != "" {
				t.Errorf("%s: the history differs with logs:\n%s", c.name, diff)
			}
		}
	}
	for _, situation := range []string{
		"ControllerNotRunning", "ControllerReports", "ControllerMayNotUpdate", "ControllerSilent", "StorageDriverFails",
	} {
		if !read[situation] {
			t.Errorf("no logs are read where an answer is %s", situation)
		}
	}
}
