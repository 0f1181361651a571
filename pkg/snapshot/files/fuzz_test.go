package files_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/recording"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/audit"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// recordings are those of the zoo.
func recordings(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../../../hack/zoo/testdata/recorded/*" + recording.Extension)
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	return files
}

func unzipped(t testing.TB, file string) []byte {
	t.Helper()
	text, err := recording.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// seed adds recordings of the zoo, the small ones, manifests, what kubectl has printed, and archives.
func seed(f *testing.F) {
	f.Helper()
	for _, file := range recordings(f) {
		if text := unzipped(f, file); len(text) < 40_000 {
			f.Add(text)
		}
	}
	for _, manifest := range manifests() {
		f.Add([]byte(manifest))
	}
	for _, name := range []string{"dump.json", "dump.yaml", "get.yaml", "watch-events.json", "watch-events.yaml"} {
		printed, err := os.ReadFile(filepath.Join("testdata/kubectl", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(printed)
	}
	archive := archived(f, gathered(f))
	f.Add(archive)
	f.Add(packed(f, archive))
	f.Add(packed(f, []byte(claimYAML)))
	f.Add([]byte(cyclic()))
}

// FuzzOpen opens whatever there is, and reads all that it holds. It must neither crash nor take long.
func FuzzOpen(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		recording, err := files.Open(t.Context(), []string{"-"}, bytes.NewReader(data))
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Error("an error without words")
			}
			return
		}
		_ = snapshot.Redact(t.Context(), data, io.Discard) // of manifests it can't be made
		servedKinds, err := recording.ServedKinds(t.Context())
		if err != nil {
			return
		}
		for _, resource := range servedKinds.Resources {
			_ = recording.EachMetadata(t.Context(), resource, "", cluster.Selector{}, func(meta *metav1.PartialObjectMetadata) {
				_, _ = recording.Get(t.Context(), resource, meta.Namespace, meta.Name)
			})
			_, _ = recording.List(t.Context(), resource, "", cluster.Selector{Labels: "app=web", Fields: "metadata.name=web"})
		}
	})
}

// FuzzAsk asks everything of whatever can be opened.
func FuzzAsk(f *testing.F) {
	seed(f)
	known, err := plugins.Embedded()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		recording, err := files.Open(t.Context(), []string{"-"}, bytes.NewReader(data))
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		ask(ctx, t, recording, known)
		if ctx.Err() != nil {
			t.Error("it took longer than a minute")
		}
	})
}

// ask asks why everything is as it is.
func ask(ctx context.Context, t *testing.T, recording *snapshot.Recording, known *plugins.Set) {
	t.Helper()
	servedKinds, err := recording.ServedKinds(ctx)
	if err != nil {
		return
	}
	options := mechanism.Options{Plugins: known}
	_, _ = diagnosis.List(ctx, recording, diagnosis.ListOptions{Options: options})
	_, _ = diagnosis.Forest(ctx, recording, "", diagnosis.TreeOptions{Options: options})
	_, _ = audit.Check(ctx, recording, "", options)
	asked := 0
	for _, resource := range servedKinds.Resources {
		_ = recording.EachMetadata(ctx, resource, "", cluster.Selector{}, func(meta *metav1.PartialObjectMetadata) {
			if asked++; asked < 4 {
				_, _ = diagnosis.Why(ctx, recording, session.Target{Resource: resource, Namespace: meta.Namespace,
					Name: meta.Name}, options)
			}
		})
	}
}
