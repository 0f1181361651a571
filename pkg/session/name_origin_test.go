package session_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// TestNamedWhere says of a name that no object can have where it is from, whatever field it is in, and nothing where
// the object that has it was not read.
func TestNamedWhere(t *testing.T) {
	const astray = "../../kube-system/secrets/precious"
	for _, c := range []struct{ kind, resource, fields, want string }{
		{"v1 PersistentVolumeClaim", "persistentvolumeclaims", "spec: {volumeName: NAME}", "spec.volumeName of "},
		{"v1 Pod", "pods", "spec: {volumes: [{name: a}, {name: b, persistentVolumeClaim: {claimName: NAME}}]}",
			"spec.volumes.persistentVolumeClaim.claimName of "},
		{"shop.example.com/v1 Database", "databases.shop.example.com", "status: {ref: {kind: Secret, name: NAME}}",
			"status.ref.name of "},
		{"coordination.k8s.io/v1 Lease", "leases.coordination.k8s.io", "spec: {holderIdentity: NAME}",
			"spec.holderIdentity of "},
		{"v1 Pod", "pods", "spec: {a: NAME, b: NAME}", "spec.a of Pod shop/one, spec.b of Pod shop/one: "},
		{"v1 Pod", "pods", "spec: {a: another}", ""},
	} {
		version, kind, _ := strings.Cut(c.kind, " ")
		memory, err := clustertest.New(time.Now(), "apiVersion: "+version+"\nkind: "+kind+
			"\nmetadata: {name: one, namespace: shop, uid: u}\n"+strings.ReplaceAll(c.fields, "NAME", "'"+astray+"'"))
		if err != nil {
			t.Fatal(err)
		}
		for _, read := range []bool{true, false} {
			reader := cluster.NewCachedReader(memory)
			servedKinds, _ := reader.ServedKinds(t.Context())
			for _, resource := range servedKinds.Resources {
				if read && resource.QualifiedName() == c.resource {
					_, _ = reader.List(t.Context(), resource, "shop", cluster.Selector{})
				}
			}
			reader.Failed(cluster.PersistentVolumes(), "", astray, cluster.CheckName("", astray))
			told := session.Unreadable(t.Context(), reader)
			if len(told) != 1 || !strings.Contains(told[0].Error, "is not valid") {
				t.Fatalf("%s: %+v", c.want, told)
			}
			if named := !strings.HasPrefix(told[0].Error, "the name"); named != (read && c.want != "") ||
				named && !strings.HasPrefix(told[0].Error, c.want) {
				t.Errorf("read %t: %q, want %q", read, told[0].Error, c.want)
			}
		}
	}
}
