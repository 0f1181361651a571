// Package controlplane boots a real Kubernetes control plane on the loopback interface: etcd,
// kube-apiserver and kube-controller-manager, and on demand kwok, which keeps Nodes and Pods alive
// without any container.
//
// A control plane runs under a supervisor process of its own (supervise.go). Whoever started it
// talks to the supervisor over a socket in the control plane's folder (client.go). A supervisor that
// belongs to a test holds the other end of a pipe to that test and stops everything when the pipe
// breaks, so nothing is left behind after a panic, a failed test or Ctrl-C. The same supervisor,
// cut loose, is what the command in cmd/controlplane starts and stops.
//
// The binaries, and a kubectl of the same version for whoever talks to it, come from the module in
// binaries/, which `make controlplane` builds.
package controlplane
