package plugins_test

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestFind holds the cases in which a name alone leads astray: one name on many kinds, of several
// products, with one prefix of several owners, and names that look like something else.
func TestFind(t *testing.T) {
	set := embedded(t)
	for _, c := range []struct{ finalizer, kind, project, removedBy string }{
		// One name, many kinds.
		{"longhorn.io", "Volume.longhorn.io", "Longhorn", "longhorn-manager"},
		{"longhorn.io", "Engine.longhorn.io", "Longhorn", "longhorn-manager"},
		{"longhorn.io", "Database.shop.example.com", "", ""},
		{"finalizers.fluxcd.io", "HelmRelease.helm.toolkit.fluxcd.io", "Flux", ""},
		{"trident.netapp.io", "TridentBackend.trident.netapp.io", "NetApp Trident", ""},
		{"gardener", "Shoot.core.gardener.cloud", "Gardener", ""},
		{"gardener", "ConfigMap", "", ""},
		{"dataprotection.kubeblocks.io/finalizer", "PersistentVolumeClaim", "KubeBlocks", ""},
		{"kueue.x-k8s.io/resource-in-use", "Topology.kueue.x-k8s.io", "Kueue", ""},
		// A name that sounds like a switch of a person, and is its controller's own.
		{"apps.kruise.io/deletion-protection", "ImagePullJob.apps.kruise.io", "OpenKruise", "kruise-controller-manager"},
		{"apps.kruise.io/deletion-protection", "CloneSet.apps.kruise.io", "", ""},
		{"rollouts.kruise.io/rollout", "Rollout.rollouts.kruise.io", "OpenKruise Rollouts",
			"kruise-rollout-controller-manager"},
		// One name, several products.
		{"percona.com/delete-ssl", "PerconaPGCluster.pgv2.percona.com", "Percona Operator for PostgreSQL",
			"percona-postgresql-operator"},
		{"percona.com/delete-ssl", "PerconaXtraDBCluster.pxc.percona.com", "Percona Operator for MySQL (XtraDB Cluster)",
			"percona-xtradb-cluster-operator"},
		{"percona.com/delete-backup", "PerconaServerMongoDBBackup.psmdb.percona.com", "Percona Operator for MongoDB",
			"percona-server-mongodb-operator"},
		{"percona.com/delete-backup", "PerconaXtraDBClusterBackup.pxc.percona.com",
			"Percona Operator for MySQL (XtraDB Cluster)", "percona-xtradb-cluster-operator"},
		{"percona.com/delete-backups", "PerconaPGCluster.pgv2.percona.com", "Percona Operator for PostgreSQL",
			"percona-postgresql-operator"},
		// One prefix, several owners.
		{"gateway.k8s.aws/alb", "Gateway.gateway.networking.k8s.io", "AWS Load Balancer Controller", ""},
		{"gateway.k8s.aws/resources", "Gateway.gateway.networking.k8s.io", "AWS Gateway API controller (VPC Lattice)", ""},
		{"wrangler.cattle.io/on-helm-chart-remove", "HelmChart.helm.cattle.io", "k3s/rke2 helm-controller", ""},
		{"wrangler.cattle.io/something-else", "Node", "", ""},
		{"snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection",
			"VolumeSnapshotContent.snapshot.storage.k8s.io", "CSI external-snapshotter", "the driver's csi-snapshotter"},
		{"snapshot.storage.kubernetes.io/volumesnapshot-bound-protection", "VolumeSnapshot.snapshot.storage.k8s.io",
			"CSI external-snapshotter", "snapshot-controller"},
		{"hypershift.openshift.io/control-plane-operator-finalizer", "AWSEndpointService.hypershift.openshift.io",
			"HyperShift", "control-plane-operator"},
		{"hypershift.openshift.io/hypershift-operator-finalizer", "AWSEndpointService.hypershift.openshift.io", "HyperShift",
			"hypershift-operator"},
		{"hypershift.openshift.io/karpenter-finalizer", "HostedControlPlane.hypershift.openshift.io", "HyperShift",
			"karpenter-operator"},
		{"openshift.io/destroy-cluster", "HostedCluster.hypershift.openshift.io", "HyperShift",
			"the command hypershift destroy cluster"},
		{"openshift.io/origin", "Namespace", "OpenShift projects (historic)", ""},
		{"openshift.io/origin", "HostedCluster.hypershift.openshift.io", "", ""},
		{"olm.operatorframework.io/delete-server-cache", "ClusterCatalog.olm.operatorframework.io", "OLM v1 catalogd",
			"catalogd"},
		{"olm.operatorframework.io/cleanup-unpack-cache", "ClusterExtension.olm.operatorframework.io",
			"OLM v1 operator-controller", "operator-controller"},
		{"wrangler.cattle.io/harvester-node", "Node", "", ""},
		// The longest glob, and a name before any glob.
		{"controller.cattle.io/namespace-auth", "Namespace", "Rancher", ""},
		{"hive.openshift.io/deprovision", "ClusterDeployment.hive.openshift.io", "OpenShift Hive", ""},
		{"awscluster.infrastructure.cluster.x-k8s.io", "AWSCluster.infrastructure.cluster.x-k8s.io",
			"Cluster API Provider AWS", "capa-controller-manager"},
		{"vultrcluster.infrastructure.cluster.x-k8s.io", "VultrCluster.infrastructure.cluster.x-k8s.io", "", ""},
		{"routes.serving.knative.dev", "Route.serving.knative.dev", "Knative", ""},
		{"external-attacher/ebs-csi-aws-com", "VolumeAttachment.storage.k8s.io", "CSI external-attacher", ""},
		// Borrowed names, adder and remover that differ, frameworks, and both spellings.
		{"cluster.cluster.x-k8s.io", "AzureASOManagedCluster.infrastructure.cluster.x-k8s.io", "Cluster API Provider Azure",
			"capz-controller-manager"},
		{"cluster.cluster.x-k8s.io", "Cluster.cluster.x-k8s.io", "Cluster API", "capi-controller-manager"},
		{"dockercluster.infrastructure.cluster.x-k8s.io", "DevCluster.infrastructure.cluster.x-k8s.io", "Cluster API",
			"capd-controller-manager"},
		{"kopf.zalando.org/KopfFinalizerMarker", "Anything.example.com", "Kopf", "the operator of the object's kind"},
		{"uninstall-helm-release", "Memcached.cache.example.com", "Operator SDK Helm operators (old)",
			"the operator of the object's kind"},
		{"metacontroller.io/compositecontroller-sets", "BlueGreen.ctl.enisoc.com", "Metacontroller", "metacontroller"},
		{"hello.example.com/populate-target-protection", "PersistentVolumeClaim", "Volume populators (lib-volume-populator)",
			"the populator named in the finalizer's prefix"},
		{"kubevirt.io/foregroundDeleteVirtualMachine", "VirtualMachineInstance.kubevirt.io", "KubeVirt", "virt-controller"},
		{"finalizer.acme.cert-manager.io", "Challenge.acme.cert-manager.io", "cert-manager", ""},
		{"acme.cert-manager.io/finalizer", "Challenge.acme.cert-manager.io", "cert-manager", ""},
		{"foregroundDeleteVirtualMachine", "VirtualMachineInstance.kubevirt.io", "KubeVirt", "virt-controller"},
		// What a rule about names gets wrong.
		{"inferenceservice.finalizers", "InferenceService.serving.kserve.io", "KServe", ""},
		{"trainedmodel.finalizer", "TrainedModel.serving.kserve.io", "KServe", ""},
		{"secretstore.externalsecrets.io/finalizer", "SecretStore.external-secrets.io", "External Secrets Operator", ""},
		{"seldon.model.finalizer", "Model.mlops.seldon.io", "Seldon Core v2", ""},
		{"chaos-mesh/records", "PodChaos.chaos-mesh.org", "Chaos Mesh", ""},
		{"mongodbatlas/finalizer", "AtlasProject.atlas.mongodb.com", "MongoDB Atlas operator", ""},
		{"vspherecluster/infrastructure.cluster.x-k8s.io", "Secret", "Cluster API Provider vSphere", ""},
		{"operator.grafana.com/finalizer", "GrafanaDashboard.grafana.integreatly.org", "Grafana operator", ""},
		{"networking.k8s.aws/resource-cleanup", "CNINode.vpcresources.k8s.aws", "Amazon VPC resource controller", ""},
		{"hypershift.io/aws-oidc-discovery", "HostedCluster.hypershift.openshift.io", "HyperShift", ""},
		{"provisioner.storage.kubernetes.io/cloning-protection", "PersistentVolumeClaim", "CSI external-provisioner", ""},
		{"in-use.crossplane.io", "ProviderConfig.aws.upbound.io", "Crossplane", ""},
		{"nobody.example.com/knows", "ConfigMap", "", ""},
	} {
		found, known := set.Find(c.finalizer, c.kind)
		if found.Project != c.project || known != (c.project != "") || c.removedBy != "" && found.RemovedBy != c.removedBy {
			t.Errorf("%s on %s is of %q, removed by %q; want %q, %q", c.finalizer, c.kind, found.Project, found.RemovedBy,
				c.project, c.removedBy)
		}
	}
}

// TestExactNameHidesGlobs wants what is known of a name to be all that is said of it.
func TestExactNameHidesGlobs(t *testing.T) {
	for _, known := range embedded(t).Named("wrangler.cattle.io/on-helm-chart-remove") {
		if known.Project != "k3s/rke2 helm-controller" {
			t.Errorf("%s is told of by %s too", known.Names, known.File)
		}
	}
}

// TestFindByKind wants one name to mean different things on different kinds.
func TestFindByKind(t *testing.T) {
	set := embedded(t)
	for finalizer, kinds := range map[string][2]string{
		"karpenter.sh/termination":               {"Node", "NodeClaim.karpenter.sh"},
		"longhorn.io":                            {"Volume.longhorn.io", "Backup.longhorn.io"},
		"resources-finalizer.argocd.argoproj.io": {"Application.argoproj.io", "AppProject.argoproj.io"},
	} {
		entry, _ := set.Find(finalizer, kinds[0])
		other, _ := set.Find(finalizer, kinds[1])
		if entry.WaitsFor == other.WaitsFor || entry.WaitsFor == "" {
			t.Errorf("%s waits for the same on %v: %s", finalizer, kinds, entry.WaitsFor)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		matches       bool
	}{
		{"a", "a", true}, {"a", "ab", false}, {"a*", "a", true}, {"*a", "ba", true}, {"a*c*e", "abcde", true},
		{"a*c*e", "abcd", false}, {"*", "", true}, {"*.b.*", "a.b.c", true}, {"**", "x", true},
	} {
		if got := plugins.Match(c.pattern, c.text); got != c.matches {
			t.Errorf("%q fits %q: %t, want %t", c.pattern, c.text, got, c.matches)
		}
	}
}

func TestFieldValues(t *testing.T) {
	object := map[string]any{"status": map[string]any{
		"conditions": []any{map[string]any{"type": "Ready", "message": "yes"}, map[string]any{"type": "Deleting",
			"message": "2 left"}},
		"ids": []any{"a", "b"}, "empty": nil,
	}}
	for path, want := range map[string]int{
		`{.status.conditions[?(@.type=="Deleting")].message}`: 1, "{.status.ids[*]}": 2, "{.status.nothing}": 0,
		"{.spec.x.y}": 0, "{.status.empty}": 0,
	} {
		if got := (plugins.Field{Path: path}).Values(object); len(got) != want {
			t.Errorf("%s yields %q, want %d", path, got, want)
		}
	}
}

func BenchmarkEmbedded(b *testing.B) {
	for b.Loop() {
		set := embedded(b)
		if _, known := set.Find("cephcluster.ceph.rook.io", "CephCluster.ceph.rook.io"); !known {
			b.Fatal("not known")
		}
	}
}

func BenchmarkAll(b *testing.B) {
	for b.Loop() {
		embedded(b).All()
	}
}
