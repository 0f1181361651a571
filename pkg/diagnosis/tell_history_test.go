package diagnosis_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print/table"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// storied is a database whose operator was scaled to zero by hand.
func storied() whyCase {
	const phase = `{"f:status": {"f:phase": {}}}`
	fields := strings.Join([]string{
		managed("kubectl-create", 5*time.Hour, `{"f:spec": {}}`), managed("shop-operator", 4*time.Hour, setsFinalizer),
		managed("shop-operator", time.Hour, phase), managed("janitor", 8*time.Minute, `{"f:metadata": {"f:finalizers": {}}}`),
	}, ", ")
	ready := condition("Ready", "False", "the host is gone")
	status := "status: {conditions: [" + ready + `, {type: Idle, status: "True"}]}`
	meta := fmt.Sprintf("creationTimestamp: %q, managedFields: [%s]", at(5*time.Hour), fields)
	scaled := fmt.Sprintf("uid: deployment-shop-operator, managedFields: [%s, %s]",
		managed("kubectl-scale", 30*time.Minute, `{"f:spec": {"f:replicas": {}}}`),
		managed("kube-controller-manager", time.Second, phase))
	c := silentOperator()
	c.objects[0] = database(10*time.Minute, meta, status)
	c.objects[3] = strings.Replace(operator(0, ""), "uid: deployment-shop-operator", scaled, 1)
	return c
}

const failedDelete = `involvedObject: {uid: database-orders}
type: Warning
reason: FailedDelete
message: the host is gone
source: {component: shop-operator}`

func ages(answer *result.Diagnosis) (lines []string) {
	for _, one := range answer.History {
		lines = append(lines, fmt.Sprintf("%s %s %d %s", now.Sub(one.At), one.Situation, one.Count, one.Object.Kind))
	}
	return lines
}

func TestHistory(t *testing.T) {
	result := storied().ask(t)
	want := []string{
		"5h0m0s ObjectCreated 1 Database", "5h0m0s LastWritten 1 Database", "4h0m0s LastWritten 1 Database",
		"1h0m0s LastWritten 1 Database", "30m0s LastWritten 1 Deployment", "10m0s DeletionRequested 1 Database",
		"8m0s LastWritten 1 Database", "1m0s ConditionChanged 1 Database",
	}
	if diff := cmp.Diff(want, ages(result)); diff != "" {
		t.Errorf("the history (-want +got):\n%s", diff)
	}
	var wide, human bytes.Buffer
	if err := print.Result(t.Context(), &wide, result, print.FormatWide, print.Style{Table: table.Draw}); err != nil {
		t.Fatal(err)
	}
	if err := print.Result(t.Context(), &human, result, print.FormatHuman, print.Style{Table: table.Draw}); err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "history in wide output", wide.String())
	checkLines(t, wide.String())
	if strings.Contains(human.String(), "HISTORY") {
		t.Errorf("the history is told to those who haven't asked for it:\n%s", human.String())
	}
}

// TestHistoryOfCreation is in the order in which things happened: no write to an object is before it was created, as
// its time in managedFields is, by as long as the request took; what is older was written to an object that has been
// restored.
func TestHistoryOfCreation(t *testing.T) {
	for early, want := range map[time.Duration]string{
		time.Second:      "5h0m0s ObjectCreated 1 Database, 5h0m0s LastWritten 1 Database",
		20 * time.Second: "5h0m0s ObjectCreated 1 Database, 5h0m0s LastWritten 1 Database",
		2 * time.Hour:    "7h0m0s LastWritten 1 Database, 5h0m0s ObjectCreated 1 Database",
	} {
		c := silentOperator()
		write := managed("kubectl-create", 5*time.Hour+early, `{"f:spec": {}}`)
		meta := fmt.Sprintf("creationTimestamp: %q, managedFields: [%s]", at(5*time.Hour), write)
		c.objects[0] = database(10*time.Minute, meta, "")
		if got := strings.Join(ages(c.ask(t))[:2], ", "); got != want {
			t.Errorf("written %s before the creation: %s, want %s", early, got, want)
		}
	}
}

// TestHistoryIsBounded tells much that happened: the newest is kept, and the deletion; what is the same is told once.
func TestHistoryIsBounded(t *testing.T) {
	var conditions, events []string
	for number := range 20 {
		since := at(time.Duration(20-number) * time.Second)
		conditions = append(conditions, fmt.Sprintf(`{type: Part%d, status: "True", lastTransitionTime: %q}`, number, since))
	}
	for number := range 3 {
		event := fmt.Sprintf("%s\nlastTimestamp: %q", failedDelete, at(time.Duration(number)*time.Second))
		events = append(events, object("v1", "Event", "shop", fmt.Sprintf("e%d", number), "", event))
	}
	c := silentOperator(append(events, runningPod("shop-operator-a", runs))...)
	c.objects[0] = database(time.Hour, "", "status: {conditions: ["+strings.Join(conditions, ", ")+"]}")
	result := c.ask(t)
	got := ages(result)
	if len(got) != 12 || result.HistoryLeftOut != 10 {
		t.Errorf("%d lines, and %d left out, want 12 and 10: %q", len(got), result.HistoryLeftOut, got)
	}
	if got[0] != "1h0m0s DeletionRequested 1 Database" || got[11] != "0s EventReported 3 Database" {
		t.Errorf("the deletion is the first, and the events are one: %q", got)
	}
}

// TestHistoryWithEverythingDenied says what the target shows, and nothing if that can't be read.
func TestHistoryWithEverythingDenied(t *testing.T) {
	c := storied()
	full := c.memory(t)
	if _, err := c.why(t.Context(), t, full); err != nil {
		t.Fatal(err)
	}
	blind := c.memory(t)
	for _, read := range full.Reads {
		resource, _, _ := strings.Cut(read, " ")
		if resource, _, _ = strings.Cut(resource, "."); resource != "databases" {
			blind.Deny(resource)
		}
	}
	result, err := c.why(t.Context(), t, blind)
	if err != nil {
		t.Fatal(err)
	}
	of := func(line string) bool { return !strings.HasSuffix(line, "Database") }
	if got := ages(result); len(got) != 7 || slices.ContainsFunc(got, of) {
		t.Errorf("the history is %q, want that of the database alone", got)
	}
}
