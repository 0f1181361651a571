package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// exporterLooks is how often an exporter looks in an hour.
const exporterLooks = 60

// exporter prints what an hour of the exporter costs, at an interval that is shorter than in life.
func (m *measurer) exporter(ctx context.Context, plane *controlplane.ControlPlane) error {
	meter, err := newMeter(ctx, plane)
	if err != nil {
		return err
	}
	cpu, memory, requests, err := m.hour(ctx, meter.direct)
	if err != nil {
		return err
	}
	fmt.Println("\n| what | looks | own processor time | of each look | requests of each look | memory |\n" +
		"|---|---|---|---|---|---|")
	fmt.Printf("| `metrics` | %d | %s | %s | %d | %s |\n", exporterLooks, milliseconds(cpu),
		milliseconds(cpu/exporterLooks), requests/exporterLooks, size(memory))
	return nil
}

// hour runs the exporter until it has looked as often as in an hour, and scrapes it meanwhile.
func (m *measurer) hour(
	ctx context.Context, kubeconfig string,
) (cpu time.Duration, memory int64, requests int, err error) {
	program := exec.CommandContext(ctx, m.binary, "metrics", "--interval", "1s", "--listen-address", "127.0.0.1:0",
		"--kubeconfig", kubeconfig)
	stderr, err := program.StderrPipe()
	if err != nil {
		return 0, 0, 0, err
	}
	if err := program.Start(); err != nil {
		return 0, 0, 0, err
	}
	over, most := make(chan struct{}), make(chan int64)
	go func() { most <- mostResident(program.Process.Pid, over) }()
	requests, err = scrape(ctx, stderr)
	err = errors.Join(err, program.Process.Signal(syscall.SIGTERM))
	_, _ = io.Copy(io.Discard, stderr)
	err = errors.Join(err, program.Wait())
	close(over)
	return program.ProcessState.UserTime() + program.ProcessState.SystemTime(), <-most, requests, err
}

// scrape reads the metrics of the exporter that says on stderr where they are, until it has looked often enough, and
// returns how many requests that took.
func scrape(ctx context.Context, stderr io.Reader) (requests int, err error) {
	line, err := bufio.NewReader(stderr).ReadString('\n')
	address := regexp.MustCompile(`http://\S+/metrics`).FindString(line)
	if err != nil || address == "" {
		return 0, fmt.Errorf("it doesn't say where it serves: %s%w", line, err)
	}
	for ctx.Err() == nil {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return 0, err
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return 0, err
		}
		text, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil {
			return 0, err
		}
		if number(string(text), `finalizers_looks_total{result="failure"}`) > 0 {
			return 0, errors.New("a look failed")
		}
		if number(string(text), `finalizers_looks_total{result="success"}`) >= exporterLooks {
			return number(string(text), "finalizers_requests_total"), nil
		}
		time.Sleep(time.Second)
	}
	return 0, ctx.Err()
}

// number is the value of a series.
func number(text, series string) int {
	_, after, _ := strings.Cut(text, "\n"+series+" ")
	value, _, _ := strings.Cut(after, "\n")
	parsed, _ := strconv.ParseFloat(value, 64) // 0 where there is none
	return int(parsed)
}
