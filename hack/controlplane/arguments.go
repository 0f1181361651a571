package controlplane

import (
	"path/filepath"
	"strconv"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Node timings. A node whose kubelet has never reported is seen as dead within seconds. A kubelet that has reported is
// given longer than any test takes: on a busy machine its heartbeats come late, and no test is about a node that dies.
const (
	nodeMonitorPeriod      = "1s"
	nodeStartupGracePeriod = "5s"
	nodeMonitorGracePeriod = "2h"
	nodeLeaseSeconds       = "7200"
)

// Timings of the leader election of kube-controller-manager, long for the same reason: a late renewal would look like
// an outage, or end the leader. A test that needs an expired Lease shortens it once the leader has ended: one that is
// older than what its holder has written would say that it runs without it.
const (
	leaderLease   = "30m"
	leaderRenewal = "29m"
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
	args.Set("request-timeout", "10m") // of reads: on a busy machine they would fail after one minute
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

// featureGates are gates that are off by default and have a way of their own to hold a deletion: PodGroup's protection
// (docs/deletion.md#podgroup-protection).
const featureGates = "GenericWorkload=true"

// auditPolicy logs who did what to which object, once per request, and no bodies but of reads of Secrets: these show
// whether metadata alone were asked for.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- {level: None, users: [` + frontUser + `]}
- {level: RequestResponse, verbs: [get, list], resources: [{group: "", resources: [secrets]}]}
- {level: Metadata}
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
		"--leader-elect-lease-duration=" + leaderLease,
		"--leader-elect-renew-deadline=" + leaderRenewal,
		"--bind-address=127.0.0.1",
		"--secure-port=0",
		"--node-monitor-period=" + nodeMonitorPeriod,
		"--node-monitor-grace-period=" + nodeMonitorGracePeriod,
		"--node-startup-grace-period=" + nodeStartupGracePeriod,
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

// nodesArgs are the flags of the kwok that keeps alive the Nodes that carry its annotation and no others. Their
// kubelets answer on a port of loopback, where logsArgs has another kwok listen: this one never restarts, because its
// successor would get a Lease only when that has expired.
func nodesArgs(kubeconfig string, port int, stages string) []string {
	return append(kwokArgs(kubeconfig, "fake", stages),
		"--server-address=127.0.0.1:0",
		"--node-port="+strconv.Itoa(port),
		"--node-lease-duration-seconds="+nodeLeaseSeconds,
		"--node-ip=127.0.0.1")
}

// logsArgs are the flags of the kwok that answers for these kubelets, over TLS with a certificate of its own making. It
// reads which logs there are when it starts, and keeps no Node alive.
func logsArgs(kubeconfig string, port int, stages, logs string) []string {
	return append(kwokArgs(kubeconfig, "none", stages, logs), "--server-address=127.0.0.1:"+strconv.Itoa(port))
}

// kwokArgs are the flags of both. None starts without stages.
func kwokArgs(kubeconfig, nodes string, configs ...string) []string {
	return []string{
		"--kubeconfig=" + kubeconfig,
		"--config=" + strings.Join(configs, ","),
		"--manage-all-nodes=false",
		"--manage-nodes-with-annotation-selector=" + kwokAnnotation + "=" + nodes,
	}
}

const kwokAnnotation = "kwok.x-k8s.io/node"
