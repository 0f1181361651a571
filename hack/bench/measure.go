package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// measurer runs programs and measures them.
type measurer struct {
	binary string
	runs   int
}

// figure is what one program took.
type figure struct {
	fastest  time.Duration
	cpu      time.Duration // of its own, in the run that took least
	memory   int64         // most resident, in bytes
	requests int
	received int64 // bytes over the wire
}

// command is a program to measure, given a kubeconfig.
type command func(kubeconfig string) []string

// once runs a program and returns how long it took, of the clock and of processors, and how much memory it held.
func once(ctx context.Context, words []string) (took, cpu time.Duration, most int64, err error) {
	var said bytes.Buffer
	program := exec.CommandContext(ctx, words[0], words[1:]...)
	program.Stdout, program.Stderr = &said, &said
	started := time.Now()
	if err := program.Start(); err != nil {
		return 0, 0, 0, err
	}
	over := make(chan struct{})
	memory := make(chan int64)
	go func() { memory <- mostResident(program.Process.Pid, over) }()
	err = program.Wait()
	took = time.Since(started)
	close(over)
	most = <-memory
	if err != nil {
		return 0, 0, 0, fmt.Errorf("%s: %w: %s", strings.Join(words, " "), err, said.String())
	}
	return took, program.ProcessState.UserTime() + program.ProcessState.SystemTime(), most, nil
}

// mostResident follows the most memory that a process has held. What the kernel tells at its end would
// include what this process held when it started the other.
func mostResident(process int, over <-chan struct{}) (most int64) {
	for {
		select {
		case <-over:
			return most
		case <-time.After(2 * time.Millisecond):
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
			var kilobytes int64
			if _, after, found := strings.Cut(string(status), "VmHWM:"); found {
				_, _ = fmt.Sscan(after, &kilobytes)
			}
			most = max(most, kilobytes*1024)
		}
	}
}

// pair measures two programs in turn, so that what else the machine does meets both.
func (m *measurer) pair(ctx context.Context, meter *meter, programs ...command) ([]figure, error) {
	figures := make([]figure, len(programs))
	for run := range m.runs {
		for i, program := range programs {
			took, cpu, memory, err := once(ctx, program(meter.direct))
			if err != nil {
				return nil, err
			}
			if run == 0 || took < figures[i].fastest {
				figures[i].fastest = took
			}
			if run == 0 || cpu < figures[i].cpu {
				figures[i].cpu = cpu
			}
			figures[i].memory = max(figures[i].memory, memory)
		}
	}
	for i, program := range programs {
		requests, received, err := meter.count(ctx, program)
		if err != nil {
			return nil, err
		}
		figures[i].requests, figures[i].received = requests, received
	}
	return figures, nil
}

// meter counts requests and bytes in a run of its own, which is not timed.
type meter struct {
	plane            *controlplane.ControlPlane
	direct, counting string // kubeconfigs
	received         atomic.Int64
}

const meterUser = "bench-meter"

func newMeter(ctx context.Context, plane *controlplane.ControlPlane) (*meter, error) {
	direct, err := plane.UserKubeconfig(ctx, "bench", meterUser, controlplane.ClusterAdmins)
	if err != nil {
		return nil, err
	}
	config, err := clientcmd.LoadFromFile(direct)
	if err != nil {
		return nil, err
	}
	m := &meter{plane: plane, direct: direct, counting: filepath.Join(plane.Dir, "counting.kubeconfig")}
	for _, cluster := range config.Clusters {
		server, err := url.Parse(cluster.Server)
		if err != nil {
			return nil, err
		}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		context.AfterFunc(ctx, func() { _ = listener.Close() })
		go m.forward(listener, server.Host)
		cluster.Server = "https://" + listener.Addr().String()
	}
	return m, clientcmd.WriteToFile(*config, m.counting)
}

func (m *meter) forward(listener net.Listener, server string) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		upstream, err := net.Dial("tcp", server)
		if err != nil {
			_ = client.Close()
			continue
		}
		go func() {
			_, _ = io.Copy(upstream, client)
			_ = upstream.Close()
		}()
		go func() {
			_, _ = io.Copy(io.MultiWriter(client, counter{&m.received}), upstream)
			_ = client.Close()
		}()
	}
}

type counter struct{ to *atomic.Int64 }

func (c counter) Write(data []byte) (int, error) {
	c.to.Add(int64(len(data)))
	return len(data), nil
}

func (m *meter) count(ctx context.Context, program command) (requests int, received int64, err error) {
	all, err := m.plane.Requests(ctx, meterUser, m.direct)
	if err != nil {
		return 0, 0, err
	}
	before, bytesBefore := len(all), m.received.Load()
	if _, _, _, err := once(ctx, program(m.counting)); err != nil {
		return 0, 0, err
	}
	received = m.received.Load() - bytesBefore
	all, err = m.plane.Requests(ctx, meterUser, m.direct)
	return len(all) - before, received, err
}
