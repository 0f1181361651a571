package diagnosis_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// TestListDamaged lists what can't be read for want of conversion: the list names the command that helps, and
// where nothing else was asked for, that is the error. What is forbidden needs no such command.
func TestListDamaged(t *testing.T) {
	for _, c := range []struct {
		name   string
		denied bool
		ask    string
		fails  string // if nothing but the kind is asked for
	}{
		{
			name: "a conversion webhook is down", ask: "kubectl finalizers check --context test -n shop",
			fails: "databases.shop.example.com can't be listed: its conversion webhook failed.",
		},
		{name: "the kind may not be listed", denied: true, fails: "you are not allowed to list databases.shop.example.com"},
	} {
		t.Run(c.name, func(t *testing.T) {
			definition := converting("", "{url: 'https://x.example.com'}", "")
			memory := whyCase{objects: []string{configMap("x", ""), definition}}.memory(t)
			if c.denied {
				memory.Deny("databases")
			} else {
				memory.Break("databases", errors.New(storageError("databases.shop.example.com", "/registry/x",
					"conversion webhook for shop.example.com/v1, Kind=Database failed: no such host")))
			}
			options := diagnosis.ListOptions{Options: asking(t), Namespace: "shop"}
			list, err := diagnosis.List(t.Context(), memory, options)
			if err != nil || len(list.Unreadable) != 1 || list.Unreadable[0].Ask.String() != c.ask {
				t.Fatalf("%v: %+v", err, list)
			}
			servedKinds, err := memory.ServedKinds(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			options.Kinds = slices.DeleteFunc(slices.Clone(servedKinds.Resources), func(one cluster.Resource) bool {
				return one.Kind != "Database"
			})
			_, err = diagnosis.List(t.Context(), memory, options)
			var unread *session.UnreadError
			if err == nil || !strings.HasPrefix(err.Error(), c.fails) || errors.As(err, &unread) == c.denied {
				t.Errorf("alone: %v", err)
			}
		})
	}
}
