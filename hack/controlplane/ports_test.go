package controlplane

import (
	"net"
	"testing"
)

// TestPorts chooses ports for two control planes that start side by side.
func TestPorts(t *testing.T) {
	var one, other ports
	t.Cleanup(func() {
		for _, held := range append(one.held, other.held...) {
			_ = held.Close()
		}
	})
	seen := map[int]bool{}
	for range 200 {
		for _, chooser := range []*ports{&one, &other} {
			port, err := chooser.next()
			if err != nil {
				t.Fatal(err)
			}
			if seen[port] || port < firstPort || port >= lastPort {
				t.Errorf("%d is chosen twice, or from outside", port)
			}
			seen[port] = true
		}
	}
}

// TestPortInUse takes no port on which something listens.
func TestPortInUse(t *testing.T) {
	var chooser ports
	port, err := chooser.next()
	if err != nil {
		t.Fatal(err)
	}
	if err := chooser.held[0].Close(); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", loopback(port))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	if held, err := hold(port); err == nil {
		_ = held.Close()
		t.Errorf("%d is taken again", port)
	}
}
