package controlplane

import (
	"path/filepath"
	"strconv"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Node timings, short so that a dead node is seen as one within seconds. kwok renews a node's Lease
// four times in nodeLeaseSeconds, and the grace period must be longer than that.
const (
	nodeLeaseSeconds       = "8"
	nodeMonitorPeriod      = "1s"
	nodeMonitorGracePeriod = "10s"
)

// configureAPIServer sets the flags in which this control plane differs from envtest's defaults:
// service accounts and the aggregation layer as in a real cluster, an audit log, loopback alone.
func configureAPIServer(server *envtest.APIServer, dir string, proxy frontProxy, as release) {
	args := server.Configure()
	args.Disable("disable-admission-plugins") // envtest switches the ServiceAccount admission off
	args.Set("endpoint-reconciler-type", "none")
	args.Set("advertise-address", "127.0.0.1")
	args.Set("audit-policy-file", filepath.Join(dir, "audit-policy.yaml"))
	args.Set("audit-log-path", auditLog(dir))
	args.Set("audit-log-maxsize", "0") // a log that is rotated would lose requests that are to be counted
	// A stop then waits two seconds for watches, which never end by themselves, and not sixty (k8s v1.37
	// apiserver/pkg/server/genericapiserver.go:RunWithContext).
	args.Set("shutdown-send-retry-after", "true")
	args.Set("kubelet-preferred-address-types", "InternalIP") // no DNS server resolves the names of Nodes
	args.Set("requestheader-client-ca-file", proxy.caFile)
	args.Set("requestheader-allowed-names", proxy.commonName)
	args.Set("requestheader-extra-headers-prefix", "X-Remote-Extra-")
	args.Set("requestheader-group-headers", "X-Remote-Group")
	args.Set("requestheader-username-headers", "X-Remote-User")
	args.Set("proxy-client-cert-file", proxy.certFile)
	args.Set("proxy-client-key-file", proxy.keyFile)
	if as.emulated {
		args.Set("emulated-version", as.String())
	}
	if as.knowsPodGroups() {
		args.Set("feature-gates", featureGates)
		args.Set("runtime-config", "scheduling.k8s.io/v1beta1=true") // PodGroup
	}
}

// featureGates are gates that are off by default and have a way of their own to hold a deletion:
// PodGroup's protection (deletion-mechanics M14).
const featureGates = "GenericWorkload=true"

// auditPolicy logs who did what to which object, once per request, and no bodies.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{level: None, users: [` + frontUser + `]}, {level: Metadata}]
`

// controllerManagerArgs are the flags of kube-controller-manager: one ServiceAccount per controller,
// leader election on or off, nothing served.
func controllerManagerArgs(kubeconfig, certDir string, as release, elect bool) []string {
	args := []string{
		"--kubeconfig=" + kubeconfig,
		"--authentication-kubeconfig=" + kubeconfig,
		"--authorization-kubeconfig=" + kubeconfig,
		"--use-service-account-credentials=true",
		"--service-account-private-key-file=" + filepath.Join(certDir, "sa-signer.key"),
		"--root-ca-file=" + filepath.Join(certDir, "apiserver.crt"),
		"--leader-elect=" + strconv.FormatBool(elect),
		"--bind-address=127.0.0.1",
		"--secure-port=0",
		"--node-monitor-period=" + nodeMonitorPeriod,
		"--node-monitor-grace-period=" + nodeMonitorGracePeriod,
		"--node-startup-grace-period=" + nodeMonitorGracePeriod,
		"--kube-api-qps=500", // the default of 20 makes the controllers take five seconds to start
		"--kube-api-burst=1000",
	}
	if as.emulated {
		args = append(args, "--emulated-version="+as.String())
	}
	if as.knowsPodGroups() {
		args = append(args, "--feature-gates="+featureGates)
	}
	return args
}

// kwokArgs are the flags of kwok: it keeps alive the Nodes that carry its annotation and no others, and answers for
// their kubelets on a port of loopback, over TLS with a certificate of its own making.
func kwokArgs(kubeconfig string, port int, configs ...string) []string {
	return []string{
		"--kubeconfig=" + kubeconfig,
		"--config=" + strings.Join(configs, ","),
		"--server-address=127.0.0.1:" + strconv.Itoa(port),
		"--node-port=" + strconv.Itoa(port),
		"--manage-all-nodes=false",
		"--manage-nodes-with-annotation-selector=" + kwokAnnotation + "=fake",
		"--node-lease-duration-seconds=" + nodeLeaseSeconds,
		"--node-ip=127.0.0.1",
	}
}

const kwokAnnotation = "kwok.x-k8s.io/node"
