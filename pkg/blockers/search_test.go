package blockers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/blockers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

var now = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

const kind = "shop.example.com/v1"

// going are the metadata of an object that is being deleted.
func going(more string) string {
	return fmt.Sprintf("finalizers: [shop.example.com/hold], deletionTimestamp: %q, %s",
		now.Add(-time.Hour).Format(time.RFC3339), more)
}

func item(name, meta, rest string) string {
	return clustertest.Object("store.example.com/v1", "Item", name, meta, rest)
}

// owned is an object that Database shop/orders owns, by its name.
func owned(name, meta string) string {
	return item(name, meta+
		", ownerReferences: [{apiVersion: "+kind+", kind: Database, name: orders, uid: database-orders}]", "")
}

// TestSearch asks what Database shop/orders waits for, whose controller runs and has said nothing, or what it says.
func TestSearch(t *testing.T) {
	for _, c := range []struct {
		name    string
		objects []string
		rest    string // of the Database
		second  bool   // the Database has another finalizer, too
		said    string // by its controller
		deny    []string
		waits   string // for objects by name, with the bond
		silent  bool   // the answer remains that its controller says nothing, where nothing is waited for
		unread  bool   // and says that not all could be searched
	}{
		{name: "nothing below", silent: true},
		{name: "a live dependent", objects: []string{owned("a", "labels: {}")}, silent: true},
		{
			name: "dependents that are being deleted", waits: "a b",
			objects: []string{owned("a", going("labels: {}")), owned("b", going("labels: {}")), owned("c", "labels: {}")},
		},
		{
			name: "its uid in a label", waits: "x",
			objects: []string{item("x", going("labels: {database: database-orders}"), "")},
		},
		{
			name: "its name in a label", silent: true,
			objects: []string{item("x", going("labels: {database: orders}"), "")},
		},
		{
			name: "named in its status", waits: "x", rest: "status: {itemRef: {kind: Item, name: x}}",
			objects: []string{item("x", going("labels: {}"), "")},
		},
		{
			name: "named in its status, and live", silent: true, rest: "status: {itemRef: {kind: Item, name: x}}",
			objects: []string{item("x", "labels: {}", "")},
		},
		{
			name: "users that the controller names", said: "still referenced by Item x", waits: "x",
			objects: []string{item("x", "labels: {}", "")},
		},
		{name: "another finalizer", second: true, said: "waiting for finalizer b.example.com/keep"},
		{name: "a finalizer that it hasn't", said: "waiting for finalizer b.example.com/keep", silent: true},
		{
			name: "another finalizer that waits for this one", said: "waiting for finalizer b.example.com/keep", silent: true,
			second: true, rest: "status: {conditions: [{type: Kept, message: waiting for finalizer shop.example.com/hold}]}",
		},
		{
			name: "users that the controller waits for to leave", said: "waiting for Item x to leave", waits: "x",
			objects: []string{item("x", "labels: {}", "")},
		},
		{
			name: "objects that the controller waits for to be deleted", said: "waiting for Item x to be deleted", silent: true,
			objects: []string{item("x", "labels: {}", "")},
		},
		{name: "users that don't exist", said: "still referenced by Item x", silent: true},
		{
			name: "kinds that can't be listed", deny: []string{"items"}, silent: true, unread: true,
			objects: []string{owned("a", going("labels: {}"))},
		},
		{
			name: "everything denied", silent: true, unread: true,
			deny:    []string{"*"},
			objects: []string{owned("a", going("labels: {}"))},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			meta := going("labels: {}")
			if c.second {
				meta = strings.Replace(meta, "/hold]", "/hold, b.example.com/keep]", 1)
			}
			objects := append([]string{
				clustertest.Object(kind, "Database", "orders", meta, c.rest),
				item("other", "labels: {}", ""),
			}, c.objects...)
			memory, err := clustertest.New(now, strings.Join(objects, "\n---\n"))
			if err != nil {
				t.Fatal(err)
			}
			check(t, memory, c.deny, c.said, c.waits, c.silent, c.unread)
		})
	}
}

// orders returns Database shop/orders, and what finds its controller.
func orders(t *testing.T, memory *clustertest.Memory) (*attribution.Finder, *session.Object) {
	t.Helper()
	reads := session.New(memory, session.Kubectl{})
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	finder := attribution.NewFinder(reads, health.NewChecker(reads), known)
	databases := schema.GroupResource{Group: "shop.example.com", Resource: "databases"}
	resource, _ := reads.ServedKinds(t.Context()).Find(databases)
	object, err := reads.Read(t.Context(), resource, "shop", "orders")
	if err != nil {
		t.Fatal(err)
	}
	return finder, object
}

func check(t *testing.T, memory *clustertest.Memory, deny []string, said, waits string, silent, unread bool) {
	t.Helper()
	finder, object := orders(t, memory)
	for _, denied := range deny {
		memory.Deny(denied)
	}
	controller := finding.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop-system", Name: "operator"}
	quiet := session.Cause(finding.Finding{
		Reason: finding.ControllerUnknown, Situation: "ControllerSilent", Object: object.Ref,
		Details: finding.ControllerUnknownDetails{Controller: &controller, Said: said},
	})
	answer := blockers.Search(t.Context(), finder, object, object.Holds()[0], quiet)
	found := answer.Waits
	if answer.Guessed != nil {
		found = append(found, answer.Guessed.Waits...)
	}
	var names []string
	for _, wait := range found {
		names = append(names, wait.Blocker.Ref.Name)
	}
	if got := strings.Join(names, " "); got != waits {
		t.Errorf("waits for %q, want %q", got, waits)
	}
	if remains := len(answer.Causes) == 1; remains != silent {
		t.Errorf("its controller's silence remains the answer: %t", remains)
	}
	saysUnread := len(answer.Causes) == 1 && len(answer.Causes[0].Evidence) > 0
	if saysUnread != unread {
		t.Errorf("says that not all was searched: %t, want %t", saysUnread, unread)
	}
}
