package cli

import (
	"cmp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

func served(group, version, name, singular, kind string, short ...string) cluster.Resource {
	return cluster.Resource{
		GroupVersionResource: schema.GroupVersionResource{Group: group, Version: version, Resource: name},
		Kind:                 kind, Singular: singular, ShortNames: short,
	}
}

func where(near []string) string {
	return "did you mean " + strings.Join(near, " or ") + "? See kubectl api-resources"
}

func TestResolveTypes(t *testing.T) {
	servedKinds := &cluster.ServedKinds{Resources: []cluster.Resource{
		served("", "v1", "pods", "pod", "Pod", "po"),
		served("", "v1", "events", "event", "Event", "ev"),
		served("events.k8s.io", "v1", "events", "event", "Event", "ev"),
		served("", "v1", "persistentvolumeclaims", "persistentvolumeclaim", "PersistentVolumeClaim", "pvc"),
		served("apps", "v1", "deployments", "deployment", "Deployment", "deploy"),
		served("shop.example.com", "v1", "databases", "database", "Database", "db"),
		served("bank.example.com", "v1", "debits", "debit", "Debit", "db"),
		served("networking.istio.io", "v1", "virtualservices", "virtualservice", "VirtualService", "vs"),
		served("snapshot.storage.k8s.io", "v1", "volumesnapshots", "volumesnapshot", "VolumeSnapshot", "vs"),
		served("storage.k8s.io", "v1", "storageclasses", "storageclass", "StorageClass", "sc"),
		served("shop.example.com", "v1", "schemas", "schema", "Schema", "sc"),
	}}
	cases := []struct {
		args    string
		err     string // part of it; empty for none
		warning string
		want    string // the arguments afterwards, if they change
	}{
		{args: "pods/web"},
		{args: "po web db-1"},
		{args: "Pod/web pod/db"},
		{args: "deploy.apps/web"},
		{args: "deployments.v1.apps/web"},
		{args: "databases.shop/x"}, // the beginning of a group is enough for kubectl
		{args: "pods,deploy web"},
		{args: "podz/web", err: `did you mean pods?`},
		{args: "deploymnet/web", err: `did you mean deployments.apps?`},
		{args: "persistentvolumclaim/x", err: "persistentvolumeclaims"},
		{args: "quux/web", err: "kubectl api-resources"},
		{args: "pods/web dbs/x", err: `"dbs"`},
		{args: "db/orders", err: "short for databases.shop.example.com and for debits.bank.example.com"},
		{args: "db.shop.example.com/orders"},
		{
			args: "vs/web", err: "short for virtualservices.networking.istio.io and for volumesnapshots.snapshot.storage.k8s.io",
		},
		{
			args: "sc/fast", warning: "using storageclasses.storage.k8s.io, which Kubernetes itself serves",
			want: "storageclasses.storage.k8s.io/fast",
		},
		{args: "ev/x", warning: "using events", want: "events/x"},
		{args: "pods,ev x", warning: "events.events.k8s.io", want: "pods,events x"},
		{args: "events/x"},
	}
	for _, c := range cases {
		resolved, warnings, err := resolveTypes(servedKinds, strings.Fields(c.args), where)
		switch {
		case c.err == "" && err != nil, c.err != "" && err == nil:
			t.Errorf("%s: error %v, want %q", c.args, err, c.err)
		case err != nil && !strings.Contains(err.Error(), c.err):
			t.Errorf("%s: error %v, want %q", c.args, err, c.err)
		}
		if want := cmp.Or(c.want, c.args); err == nil && strings.Join(resolved, " ") != want {
			t.Errorf("%s: becomes %q, want %q", c.args, resolved, want)
		}
		if said := strings.Join(warnings, "; "); !strings.Contains(said, c.warning) || c.warning == "" && said != "" {
			t.Errorf("%s: warnings %q, want %q", c.args, said, c.warning)
		}
	}
}

func TestUnknownTypeNamesFailedGroups(t *testing.T) {
	failed := map[schema.GroupVersion]error{{Group: "metrics.k8s.io", Version: "v1beta1"}: nil}
	servedKinds := &cluster.ServedKinds{Failed: failed}
	if _, _, err := resolveTypes(servedKinds, []string{"nodemetrics/x"}, where); err == nil ||
		!strings.Contains(err.Error(), "metrics.k8s.io/v1beta1, which may serve it") {
		t.Errorf("the error doesn't say that the type may be served by a group that can't be discovered: %v", err)
	}
}
