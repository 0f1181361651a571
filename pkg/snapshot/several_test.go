package snapshot_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// alone is a recording of one cluster, as text.
func alone(context string) string {
	return `{"format":"kubectl-finalizers-snapshot","version":1,"recordedAt":"2026-01-02T03:04:05Z","context":"` +
		context + "\"}\n" + `{"catalog":{"resources":[],"kinds":[]}}` + "\n" + `{"end":{"objects":0,"reads":0}}` + "\n"
}

func several(t *testing.T, recordings ...string) []byte {
	t.Helper()
	var file bytes.Buffer
	head := snapshot.Header{RecordedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Clusters: []result.Cluster{
		{Name: "a", State: result.Answered}, {Name: "down", State: result.Unanswered, Error: "refused"},
		{Name: "b", State: result.Answered},
	}}
	if err := snapshot.BeginSeveral(&file, head); err != nil {
		t.Fatal(err)
	}
	begun := file.Len()
	text := strings.Join(recordings, "")
	unzipped, err := snapshot.Unzip(bytes.NewReader(file.Bytes()[:begun]))
	if err != nil {
		t.Fatal(err)
	}
	var first bytes.Buffer
	if _, err := first.ReadFrom(unzipped); err != nil {
		t.Fatal(err)
	}
	return append(first.Bytes(), text...)
}

// TestSeveral reads the clusters that were recorded, and knows which were not.
func TestSeveral(t *testing.T) {
	recording, all, err := snapshot.ReadAny(bytes.NewReader(several(t, alone("a"), alone("b"))))
	if err != nil || recording != nil || len(all.Recordings) != 3 {
		t.Fatalf("got %v, %v, %v", recording, all, err)
	}
	if all.Recordings[1] != nil || all.Header.Clusters[1].Error != "refused" {
		t.Errorf("got %v", all.Header.Clusters)
	}
	if got := all.Recordings[2].Header().Context; got != "b" {
		t.Errorf("the third is %q", got)
	}
	one, none, err := snapshot.ReadAny(strings.NewReader(alone("a")))
	if err != nil || none != nil || one.Header().Context != "a" {
		t.Errorf("got %v, %v, %v", one, none, err)
	}
	ambiguous := (*snapshot.SeveralError)(nil)
	_, err = snapshot.Read(bytes.NewReader(several(t, alone("a"), alone("b"))))
	if !errors.As(err, &ambiguous) || !strings.Contains(err.Error(), "(a, down, b)") {
		t.Errorf("got %v", err)
	}
}

// TestSeveralDamaged refuses what isn't complete: a cluster that is missing is none that is clean.
func TestSeveralDamaged(t *testing.T) {
	whole := several(t, alone("a"), alone("b"))
	for length := range whole {
		if _, _, err := snapshot.ReadAny(bytes.NewReader(whole[:length])); err == nil {
			t.Fatalf("%d of %d bytes are read", length, len(whole))
		}
	}
	for name, data := range map[string][]byte{
		"one is missing": several(t, alone("a")), "one too many": several(t, alone("a"), alone("b"), alone("c")),
		"within another": several(t, string(several(t, alone("a"), alone("b"))), alone("b")),
		"no clusters": []byte(`{"format":"kubectl-finalizers-snapshot","version":2,"recordedAt":"2026-01-02T03:04:05Z"}` +
			"\n"),
	} {
		if _, _, err := snapshot.ReadAny(bytes.NewReader(data)); err == nil {
			t.Errorf("%s: it is read", name)
		}
	}
}
