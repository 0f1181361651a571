package controlplane

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"strconv"

	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Ports are chosen from [firstPort, lastPort): below the ones that a kernel gives to outgoing connections (on Linux
// 32768 and up, on macOS and Windows 49152 and up). A port from that range may be taken between the choice and the
// start.
const (
	firstPort = 15000
	lastPort  = 32000
)

// ports are TCP ports of loopback that this process keeps for what it starts. It holds the UDP ports of the same
// numbers for as long as it runs, so that control planes that start side by side choose different ones.
type ports struct {
	held []net.PacketConn
}

// next returns one more port, which is free.
func (p *ports) next() (int, error) {
	for range lastPort - firstPort {
		port := firstPort + rand.IntN(lastPort-firstPort)
		if held, err := hold(port); err == nil {
			p.held = append(p.held, held)
			return port, nil
		}
	}
	return 0, fmt.Errorf("no port of 127.0.0.1 between %d and %d is free", firstPort, lastPort)
}

// hold keeps a port for this process, if nothing listens on it.
func hold(port int) (net.PacketConn, error) {
	held, err := net.ListenPacket("udp", loopback(port))
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", loopback(port))
	if err != nil {
		_ = held.Close()
		return nil, err
	}
	return held, listener.Close()
}

// giveTo sets the ports of kube-apiserver and etcd.
func (p *ports) giveTo(server *envtest.APIServer, etcd *envtest.Etcd) error {
	secure, err := p.next()
	client, err2 := p.next()
	peer, err3 := p.next()
	if err := errors.Join(err, err2, err3); err != nil {
		return err
	}
	server.SecureServing.Address, server.SecureServing.Port = "127.0.0.1", strconv.Itoa(secure)
	etcd.URL = &url.URL{Scheme: "http", Host: loopback(client)}
	etcd.Configure().Set("listen-peer-urls", "http://"+loopback(peer))
	return nil
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
