package snapshot_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// recordings are those of the zoo.
func recordings(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../../hack/zoo/testdata/recorded/*.snapshot")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	return files
}

func unzipped(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// FuzzRead opens whatever there is, and asks what it holds. It must neither crash nor take long.
func FuzzRead(f *testing.F) {
	for i, file := range recordings(f) {
		if i%4 == 0 {
			f.Add(unzipped(f, file))
		}
	}
	for _, manifest := range manifests() {
		f.Add([]byte(manifest))
	}
	known, err := plugins.Embedded()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		recording, err := snapshot.Open(ctx, []string{"-"}, bytes.NewReader(data))
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Error("an error without words")
			}
			return
		}
		_ = snapshot.Redact(ctx, data, io.Discard) // manifests can't be
		ask(ctx, t, recording, known)
		if ctx.Err() != nil {
			t.Error("it took longer than 20 seconds")
		}
	})
}

// ask asks why everything is as it is.
func ask(ctx context.Context, t *testing.T, recording *snapshot.Recording, known *plugins.Set) {
	t.Helper()
	catalog, err := recording.Catalog(ctx)
	if err != nil {
		return
	}
	world := mechanism.NewWorld(recording, known, mechanism.Kubectl{})
	if survey, err := world.Survey(ctx, mechanism.Area{}, true); err == nil {
		diagnosis.List(ctx, world, survey.Terminating)
		_, _ = diagnosis.Forest(ctx, mechanism.NewWorld(recording, known, mechanism.Kubectl{}), survey.Terminating, diagnosis.TreeOptions{})
	}
	if census, err := world.Census(ctx, mechanism.Area{}); err == nil {
		_, _ = diagnosis.Check(ctx, world, census)
	}
	asked := 0
	for _, resource := range catalog.Resources {
		_ = recording.EachMetadata(ctx, resource, "", cluster.Selector{}, func(meta *metav1.PartialObjectMetadata) {
			if asked++; asked < 20 {
				_, _ = diagnosis.Why(ctx, mechanism.NewWorld(recording, known, mechanism.Kubectl{}), diagnosis.Target{Resource: resource, Namespace: meta.Namespace, Name: meta.Name})
			}
		})
	}
}
