package session_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// child is an object with an owner; its uid is KIND-NAME.
func child(apiVersion, kind, name, ownerVersion, owner, ownerName string) string {
	return fmt.Sprintf("---\napiVersion: %s\nkind: %s\nmetadata: {name: %s, namespace: shop, uid: %s-%s, "+
		"ownerReferences: [{apiVersion: %s, kind: %s, name: %s, uid: %s-%s}]}\n", apiVersion, kind, name, kind, name,
		ownerVersion, owner, ownerName, owner, ownerName)
}

// TestLineage climbs from Secrets to their owners, by few reads, and says what it could not read.
func TestLineage(t *testing.T) {
	const custom = "shop.example.com/v1"
	many := child("v1", "ConfigMap", "next", "v1", "ConfigMap", "top")
	for i := range 10 {
		name := fmt.Sprintf("d%d", i)
		many += child("v1", "Secret", name, custom, "Database", name) +
			child(custom, "Database", name, "v1", "ConfigMap", "next")
	}
	chain := child("v1", "Secret", "last", "v1", "ConfigMap", "c0")
	for i := range 40 {
		chain += child("v1", "ConfigMap", fmt.Sprintf("c%d", i), "v1", "ConfigMap", fmt.Sprintf("c%d", i+1))
	}
	for _, c := range []struct {
		name, objects, deny string
		reads, below        int
		unread              string
		cut                 bool
	}{
		{name: "many owners of a kind", objects: many, reads: 4, below: 1}, // the lists of two kinds, two ConfigMaps
		{name: "owners that may not be read", objects: many, deny: "databases", reads: 2, unread: "databases"},
		{name: "Secrets that may not be read", objects: many, deny: "secrets", reads: 1, unread: "secrets"},
		{name: "a chain that is too long", objects: chain, reads: 33, cut: true},
	} {
		memory, err := clustertest.New(time.Now(), c.objects)
		if err != nil {
			t.Fatal(err)
		}
		if c.deny != "" {
			memory.Deny(c.deny)
		}
		reads := session.New(memory, session.Kubectl{})
		kind, _ := reads.ServedKinds(t.Context()).Find(schema.GroupResource{Resource: "secrets"})
		line := reads.Owners.Lineage(t.Context(), []cluster.Resource{kind}, "shop")
		reads.Owners.Lineage(t.Context(), []cluster.Resource{kind}, "shop") // which is read once
		top := &session.Object{Ref: finding.Ref{UID: "ConfigMap-top"}}
		unread := strings.Join(session.NamesOf(line.Unread), ", ")
		if len(memory.Reads) != c.reads || len(line.Below(top)) != c.below || !strings.HasPrefix(unread, c.unread) ||
			c.unread == "" && unread != "" || line.Cut != c.cut {
			t.Errorf("%s: %d reads, %d below, unread %q, cut %t: %q", c.name, len(memory.Reads), len(line.Below(top)),
				unread, line.Cut, memory.Reads)
		}
	}
}
