package plugins_test

import (
	"strings"
	"testing"
)

// TestAdderIsNotRemover holds the finalizers that one program adds and another one removes: the writer of the entry
// then leads to the wrong program.
func TestAdderIsNotRemover(t *testing.T) {
	set := embedded(t)
	for _, c := range []struct{ finalizer, kind, added, removed string }{
		{"kubernetes.io/pvc-protection", "PersistentVolumeClaim", "admission plugin", "kube-controller-manager"},
		{"kubernetes.io/pv-protection", "PersistentVolume", "admission plugin", "kube-controller-manager"},
		{"resource.kubernetes.io/delete-protection", "ResourceClaim.resource.k8s.io", "kube-scheduler",
			"kube-controller-manager"},
		{"dra.k8s.io/delete-protection", "ResourceClaim.resource.k8s.io", "kube-scheduler", "kube-controller-manager"},
		{"kubevirt.io/foregroundDeleteVirtualMachine", "VirtualMachineInstance.kubevirt.io", "webhook", "virt-controller"},
		{"longhorn.io", "Volume.longhorn.io", "webhook", "longhorn-manager"},
		{"actions.github.com/cleanup-protection", "ServiceAccount", "Helm chart", "gha-runner-scale-set-controller"},
		{"resources-finalizer.argocd.argoproj.io", "Application.argoproj.io", "a person", "Argo CD"},
		{"percona.com/delete-pxc-pvc", "PerconaXtraDBCluster.pxc.percona.com", "a person", "percona-xtradb-cluster-operator"},
		{"percona.com/delete-psmdb-pvc", "PerconaServerMongoDB.psmdb.percona.com", "a person",
			"percona-server-mongodb-operator"},
	} {
		known, found := set.Find(c.finalizer, c.kind)
		if !found || !strings.Contains(known.AddedBy, c.added) || known.RemovedBy != c.removed {
			t.Errorf("%s on %s is added by %q and removed by %q; want %q, %q", c.finalizer, c.kind, known.AddedBy,
				known.RemovedBy, c.added, c.removed)
		}
	}
}

// TestRemoverTakesMore holds the removers that remove more than their own finalizer, or that of another controller.
func TestRemoverTakesMore(t *testing.T) {
	set := embedded(t)
	for _, c := range []struct{ finalizer, kind, says string }{
		{"chaos-mesh/records", "PodChaos.chaos-mesh.org", "empties the whole list"},
		{"finalizer.elasticsearch.k8s.elastic.co/secure-settings-secret", "Elasticsearch.elasticsearch.k8s.elastic.co",
			"current releases simply remove the finalizer"},
		{"svccontroller.k3s.cattle.io/daemonset", "Service", "remove this old name when they start"},
		{"hypershift.openshift.io/control-plane-operator-finalizer", "AWSEndpointService.hypershift.openshift.io",
			"the hypershift operator removes the finalizer"},
	} {
		known, found := set.Find(c.finalizer, c.kind)
		if !found || !strings.Contains(known.Notes+known.WaitsFor, c.says) {
			t.Errorf("%s on %s doesn't say %q: %s %s", c.finalizer, c.kind, c.says, known.WaitsFor, known.Notes)
		}
	}
}

// TestOperatorOfItsKind wants no one product's workloads where the kind decides whose the finalizer is.
func TestOperatorOfItsKind(t *testing.T) {
	set := embedded(t)
	for kind, workload := range map[string]string{
		"PerconaXtraDBCluster.pxc.percona.com": "Deployment/percona-xtradb-cluster-operator",
		"PerconaPGCluster.pgv2.percona.com":    "Deployment/percona-postgresql-operator",
		"PerconaServerMySQL.ps.percona.com":    "Deployment/percona-server-mysql-operator",
	} {
		known, _ := set.Find("percona.com/delete-ssl", kind)
		if !strings.Contains(strings.Join(known.Workloads, " "), workload) {
			t.Errorf("percona.com/delete-ssl on %s is removed by %v, want %s among them", kind, known.Workloads, workload)
		}
	}
}
