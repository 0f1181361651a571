package snapshot_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

var update = flag.Bool("update", false, "write testdata/kept_places.txt anew")

const deepestPlanted = 14

// recordedText is the text of a recording in which everything is whole that may be.
func recordedText(t testing.TB, documents string) string {
	t.Helper()
	memory, err := clustertest.New(moment(), documents)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	writer := snapshot.NewWriter(&file, snapshot.Header{RecordedAt: moment()}, nil)
	recorder := snapshot.NewRecorder(memory, writer)
	servedKinds, err := recorder.ServedKinds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := recorder.First(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	for _, resource := range append(servedKinds.Resources, gadgets("shop.example.com")) {
		_, _ = recorder.List(t.Context(), resource, "", cluster.Selector{}) // some are not to be listed
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	zip, err := gzip.NewReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestNoCredentialIsRecorded plants credentials in each field of objects of every kind: none of them is in the
// recording.
func TestNoCredentialIsRecorded(t *testing.T) {
	for _, terminating := range []bool{false, true} {
		p := &planter{forms: credentials(), places: map[string]string{}}
		text := recordedText(t, p.documents(t, terminating))
		for _, marker := range regexp.MustCompile(`ZP\d+QX`).FindAllString(text, -1) {
			t.Errorf("what was planted in %s is in the recording", p.places[marker])
		}
		if len(p.places) < 2000 || strings.Count(text, `"body"`) < 60 {
			t.Errorf("%d markers in %d objects: nothing was proven", len(p.places), strings.Count(text, `"body"`))
		}
	}
}

// TestKeptPlaces plants plain words in each field of objects of every kind: the ones that are in the recording are in
// the places that testdata/kept_places.txt has.
func TestKeptPlaces(t *testing.T) {
	kept := map[string]bool{}
	for _, form := range []string{"%s", "waiting for %s"} {
		p := &planter{forms: []string{form}, places: map[string]string{}}
		for _, marker := range regexp.MustCompile(`ZP\d+QX`).FindAllString(recordedText(t, p.documents(t, false)), -1) {
			kept[strings.Replace(form, "%s", p.places[marker], 1)] = true
		}
	}
	const file = "testdata/kept_places.txt"
	var places []string
	for place := range kept {
		places = append(places, place)
	}
	slices.Sort(places)
	got := strings.Join(places, "\n") + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("other places are kept; look whether they may be, "+
			"and run go test ./pkg/snapshot -run KeptPlaces -update (-want +got):\n%s", diff)
	}
}

// FuzzRecord records objects of any shape, with credentials for all their texts: none is in the recording, which can be
// read.
func FuzzRecord(f *testing.F) {
	for _, seed := range []string{
		`{"spec":{"a":"x"}}`, `{"spec":{"databaseRef":{"name":"x"}},"status":{"conditions":[{"type":"x","message":"y"}]}}`,
		`{"data":{"a":"x"}}`,
		`{"spec":[["x"],{"kind":"x","name":"y"}],"status":"x"}`,
		`{"metadata":{"labels":{"a":"x"}},"spec":{"containers":{"env":["x"]}}}`,
		`{"spec":{"template":{"metadata":{"annotations":{"a":"b"},"labels":5}}}}`,
		`{"webhooks":[{"clientConfig":{"url":"x"},"rules":[5]}]}`,
		`{"spec":{"containers":[{"command":["x"],"args":"y","env":[{"name":"A","value":"x"}]}]},` +
			`"status":{"containerStatuses":[{"state":{"waiting":{"message":"x"}}}]}}`,
	} {
		f.Add([]byte(seed), byte(0))
		f.Add([]byte(seed), byte(7))
	}
	kinds := append(kindsOf(), schema.GroupVersionKind{Group: "shop.example.com", Version: "v1", Kind: "Gadget"})
	f.Fuzz(func(t *testing.T, shape []byte, which byte) {
		var object map[string]any
		if len(shape) > 4000 || json.Unmarshal(shape, &object) != nil || object == nil {
			return
		}
		p := &planter{forms: credentials(), places: map[string]string{}}
		replaced, _ := p.replaced(object).(map[string]any)
		kind := kinds[int(which)%len(kinds)]
		replaced["apiVersion"], replaced["kind"] = kind.GroupVersion().String(), kind.Kind
		replaced["metadata"] = map[string]any{"name": "a", "namespace": "shop", "deletionTimestamp": "2026-01-01T10:00:00Z"}
		data, err := json.Marshal(replaced)
		if err != nil {
			t.Fatal(err)
		}
		if text := recordedText(t, string(data)); regexp.MustCompile(`ZP\d+QX`).MatchString(text) {
			t.Errorf("a credential of %s is recorded as\n%s", data, text)
		}
	})
}
