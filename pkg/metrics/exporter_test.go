package metrics

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
)

// of returns an Exporter whose looks find what is handed to it, one after the other, and then the last again.
func of(results ...any) *Exporter {
	at := 0
	return NewExporter(Options{
		Interval: time.Minute, Named: 3, Series: 10, Requests: func() int64 { return 166 },
		Now: func() time.Time { return time.Unix(1_800_000_000, 0) },
		Look: func(context.Context) (*Numbers, error) {
			result := results[min(at, len(results)-1)]
			at++
			if err, failed := result.(error); failed {
				return nil, err
			}
			return result.(*Numbers), nil
		},
	})
}

func text(t *testing.T, exporter *Exporter) string {
	t.Helper()
	var out strings.Builder
	if err := Write(&out, "v1.2.3", exporter); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// series counts them.
func series(t *testing.T, exporter *Exporter) (count int) {
	t.Helper()
	for line := range strings.Lines(text(t, exporter)) {
		if !strings.HasPrefix(line, "#") {
			count++
		}
	}
	return count
}

func says(t *testing.T, exporter *Exporter, lines ...string) {
	t.Helper()
	name := text(t, exporter)
	for _, line := range lines {
		without, absent := strings.CutPrefix(line, "!")
		if strings.Contains("\n"+name, "\n"+without) == absent {
			t.Errorf("%s:\n%s", line, name)
		}
	}
}

// TestMetrics has all the numbers of a stuck namespace, by Prometheus' conventions.
func TestMetrics(t *testing.T) {
	exporter := of(look(t, cluster3am(t), ""))
	if err := exporter.LookOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	says(t, exporter,
		`finalizers_verdicts{verdict="Stuck"} 2`, `finalizers_verdicts{verdict="Progressing"} 0`,
		`finalizers_terminating_objects{group="",kind="ConfigMap",namespace="shop",`+
			`reason="ControllerMissing",verdict="Stuck"} 2`,
		`finalizers_terminating_objects{group="",kind="Namespace",namespace="shop",reason="None",verdict="Undetermined"} 1`,
		`finalizers_oldest_deletion_timestamp_seconds{group="",kind="ConfigMap",namespace="shop",`+
			`reason="ControllerMissing",verdict="Stuck"} 1.7673174e+09`,
		`finalizers_blocked_objects{certainty="Likely",reason="ControllerMissing"} 2`,
		`finalizers_terminating_object_info{cause="ConfigMap shop/two",finalizer="shop.example.com/hold",group="",`+
			`kind="ConfigMap",name="two",namespace="shop",reason="ControllerMissing",resource="configmaps",`+
			`verdict="Stuck"} 1`,
		`finalizers_check_findings{reason="UnqualifiedFinalizer",severity="Warning"} 1`,
		`finalizers_last_look_successful 1`, `finalizers_last_look_success_timestamp_seconds 1.7673228e+09`,
		`finalizers_last_look_unreadable_resources 0`, `finalizers_requests_total 166`,
		`finalizers_looks_total{result="success"} 1`, `finalizers_build_info{version="v1.2.3"} 1`,
	)
	problems, err := promlint.New(strings.NewReader(text(t, exporter))).Lint()
	if err != nil || len(problems) > 0 {
		t.Errorf("promlint: %v, %v", problems, err)
	}
	if count := series(t, exporter); count < len(families()) {
		t.Errorf("%d series of %d metrics", count, len(families()))
	}
}

// TestFailedLook leaves the numbers, and says so; before the first success there are none, and no zeros.
func TestFailedLook(t *testing.T) {
	numbers, broken := look(t, cluster3am(t), ""), errors.New("connection refused")
	exporter := of(broken, numbers, broken)
	var reported []error
	exporter.Report = func(err error) { reported = append(reported, err) }
	if exporter.Ready() == nil {
		t.Error("ready before the first look")
	}
	says(t, exporter, "finalizers_last_look_successful 0", "!finalizers_verdicts",
		"!finalizers_last_look_duration_seconds ")
	_ = exporter.LookOnce(t.Context())
	if exporter.Ready() == nil {
		t.Error("ready after a look that failed")
	}
	says(t, exporter, "finalizers_last_look_successful 0", "!finalizers_verdicts", "!finalizers_terminating",
		"!finalizers_last_look_success_timestamp", `finalizers_looks_total{result="failure"} 1`)
	_ = exporter.LookOnce(t.Context())
	says(t, exporter, "finalizers_last_look_successful 1", `finalizers_verdicts{verdict="Stuck"} 2`)
	_, _ = exporter.LookOnce(t.Context()), exporter.LookOnce(t.Context())
	if err := exporter.Ready(); err != nil {
		t.Errorf("not ready, though there are numbers: %v", err)
	}
	says(t, exporter, "finalizers_last_look_successful 0", `finalizers_verdicts{verdict="Stuck"} 2`,
		"finalizers_last_look_success_timestamp_seconds 1.7673228e+09", `finalizers_looks_total{result="failure"} 3`)
	if len(reported) != 3 || reported[0] == nil || reported[1] != nil || reported[2] == nil {
		t.Errorf("reported: %v; want the failure, the success, and the next failure once", reported)
	}
}

// TestHealthy tells that a look hangs, and not that a cluster can't be read.
func TestHealthy(t *testing.T) {
	now, begun, end := time.Unix(1_800_000_000, 0), make(chan struct{}), make(chan struct{})
	var mu sync.Mutex
	exporter := NewExporter(Options{
		Interval: time.Minute,
		Now: func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			return now
		},
		Look: func(context.Context) (*Numbers, error) {
			close(begun)
			<-end // deaf to its context
			return nil, errors.New("no")
		},
	})
	if err := exporter.Healthy(); err != nil {
		t.Error(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = exporter.LookOnce(t.Context())
	}()
	<-begun
	for _, step := range []struct {
		after time.Duration
		ok    bool
	}{{0, true}, {2 * shortestLongest, true}, {time.Second, false}} {
		mu.Lock()
		now = now.Add(step.after)
		mu.Unlock()
		if err := exporter.Healthy(); (err == nil) != step.ok {
			t.Errorf("%s later: %v", step.after, err)
		}
	}
	close(end)
	<-done
	if err := exporter.Healthy(); err != nil {
		t.Errorf("a look that has failed is no hang: %v", err)
	}
}

// TestRun looks at once, again at the interval, and ends with its context.
func TestRun(t *testing.T) {
	looks := make(chan struct{})
	exporter := NewExporter(Options{Interval: time.Millisecond, Look: func(ctx context.Context) (*Numbers, error) {
		select {
		case looks <- struct{}{}:
		case <-ctx.Done():
		}
		return crowd(1), ctx.Err()
	}})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		exporter.Run(ctx)
	}()
	for range 3 {
		<-looks
	}
	cancel()
	<-done
}

// TestScrapeWhileLooking does both at the same time, for the race detector.
func TestScrapeWhileLooking(t *testing.T) {
	exporter := of(crowd(10))
	registry := prometheus.NewRegistry()
	registry.MustRegister(exporter)
	var scraping sync.WaitGroup
	for range 4 {
		scraping.Go(func() {
			for range 20 {
				_ = exporter.LookOnce(t.Context())
				if _, err := registry.Gather(); err != nil {
					t.Error(err)
				}
				_ = Write(io.Discard, "", exporter)
			}
		})
	}
	scraping.Wait()
}
