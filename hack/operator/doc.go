// Package operator holds a test with a real operator: the snapshot-controller of kubernetes-csi, built from
// its Go module (binaries/) and run against the test control plane. `make test-operator` runs it.
package operator
