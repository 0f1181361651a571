package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// slow is a Reader whose lists take a while, of three objects each.
type slow struct {
	cluster.Reader
	takes time.Duration
}

func (s slow) EachMetadata(
	_ context.Context, _ cluster.Resource, _ string, _ cluster.Selector, visit func(*metav1.PartialObjectMetadata),
) error {
	for range 3 {
		visit(&metav1.PartialObjectMetadata{})
	}
	time.Sleep(s.takes)
	return nil
}

// said returns what is told while a list takes its time.
func said(t *testing.T, takes time.Duration) (text string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		reader, done := tellProgress(slow{takes: takes}, &out)
		if err := reader.EachMetadata(t.Context(), cluster.Pods(), "", cluster.Selector{},
			func(*metav1.PartialObjectMetadata) {}); err != nil {
			t.Fatal(err)
		}
		done()
		done() // whoever prints calls it, and so does whoever returns
		text = out.String()
	})
	return text
}

func TestProgress(t *testing.T) {
	if text := said(t, patience-time.Millisecond); text != "" {
		t.Errorf("a scan of less than a second says %q", text)
	}
	name := said(t, 3*time.Second)
	if !strings.Contains(name, "0 lists, 3 relevant objects") || strings.Contains(name, "\n") || !strings.HasSuffix(name,
		"\r\x1b[K") {
		t.Errorf("a scan of three seconds says %q", name)
	}
}

// TestProgressIsForTerminals writes nothing to files, pipes and buffers.
func TestProgressIsForTerminals(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	reader := slow{}
	if through, done := watch(reader, file); through != cluster.Reader(reader) {
		done()
		t.Error("progress is written into a file")
	}
	if through, _ := watch(reader, &bytes.Buffer{}); through != cluster.Reader(reader) {
		t.Error("progress is written into a buffer")
	}
}

// TestProgressCountsSideBySide is of use with -race.
func TestProgressCountsSideBySide(t *testing.T) {
	counting := &watched{Reader: slow{}}
	var lists sync.WaitGroup
	for range 16 {
		lists.Go(func() {
			_ = counting.EachMetadata(t.Context(), cluster.Pods(), "", cluster.Selector{},
				func(*metav1.PartialObjectMetadata) {})
		})
	}
	lists.Wait()
	if counting.lists.Load() != 16 || counting.objects.Load() != 48 {
		t.Errorf("%d lists, %d objects", counting.lists.Load(), counting.objects.Load())
	}
}
