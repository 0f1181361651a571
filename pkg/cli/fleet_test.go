package cli

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
)

// guarded is a buffer that is written to while it is read.
type guarded struct {
	mu  sync.Mutex
	all bytes.Buffer
}

// Write implements io.Writer.
func (g *guarded) Write(text []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.all.Write(text)
}

func (g *guarded) String() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.all.String()
}

// TestFleetProgress says how many clusters were asked, and which are being asked, and takes the line away.
func TestFleetProgress(t *testing.T) {
	t.Parallel()
	f := &fleet{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		f.Members = append(f.Members, finalizers.Member{Name: name})
	}
	out := &guarded{}
	stop := f.progress(out)
	for i := range f.Members {
		f.Begun(i)
	}
	f.Ended(0)
	const want = "asked 1 of 6 clusters; waiting for b, c, d and 2 more"
	for begun := time.Now(); !strings.Contains(out.String(), want); time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatalf("it says %q", out)
		}
	}
	stop()
	if !strings.HasSuffix(out.String(), "\r\x1b[K") {
		t.Errorf("the line stays: %q", out)
	}
}

// TestOnceWriter keeps what several clusters say until it is flushed, each text once, and nothing after that.
func TestOnceWriter(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	notes := &onceWriter{out: &out}
	for _, text := range []string{"a\n", "b\n", "a\n"} {
		if _, err := notes.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if out.Len() > 0 {
		t.Errorf("it was written before: %s", &out)
	}
	notes.flush()
	_, _ = notes.Write([]byte("late\n"))
	if out.String() != "a\nb\n" {
		t.Errorf("got %q", &out)
	}
}

// TestFlagsFor takes over what holds for every cluster, and nothing that leads to one or is a secret of one.
func TestFlagsFor(t *testing.T) {
	t.Parallel()
	common := genericclioptions.NewConfigFlags(true)
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	common.AddFlags(flags)
	if err := flags.Parse([]string{
		"--as", "me", "--as-group", "g", "-n", "shop", "--kubeconfig", "/k", "--request-timeout", "7s", "--context", "other",
		"--token", "secret", "--server", "https://one", "--user", "u", "--cluster", "c",
	}); err != nil {
		t.Fatal(err)
	}
	own := flagsFor(common, "it's prod")
	got := strings.Join(repeatable(own, "current"), " ")
	if want := "--kubeconfig /k --context it's prod --as me --as-group g"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if *own.BearerToken != "" || *own.APIServer != "" || *own.Namespace != "shop" || *own.Timeout != "7s" {
		t.Errorf("got %q, %q, %q, %q", *own.BearerToken, *own.APIServer, *own.Namespace, *own.Timeout)
	}
}
