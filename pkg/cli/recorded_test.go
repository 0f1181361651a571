package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/recording"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// zooRecording returns a recording of the zoo: S29 is a claim that a finished pod still refers to.
func zooRecording(t testing.TB, scenario string) string {
	folder := filepath.Join("..", "..", "hack", "zoo", "testdata", "recorded")
	return recording.File(t, filepath.Join(folder, scenario+recording.Extension))
}

func executed(t *testing.T, stdin string, args ...string) (code int, out, errOut string) {
	t.Helper()
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	var stdout, stderr bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(stdin), Out: &stdout, ErrOut: &stderr}
	code = Execute(context.Background(), streams, args)
	return code, stdout.String(), stderr.String()
}

// TestEveryReadingCommandAnswersFromAFile asks without any kubeconfig.
func TestEveryReadingCommandAnswersFromAFile(t *testing.T) {
	zoo := zooRecording(t, "S29")
	manifest := "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop, uid: x, finalizers: " +
		"[shop.example.com/cleanup], deletionTimestamp: '2026-01-01T10:00:00Z'}\n"
	file := filepath.Join(t.TempDir(), "pod.yaml")
	if err := os.WriteFile(file, []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args          []string
		stdin         string
		code          int
		out, complain string
	}{
		{args: []string{"why", "pvc/data", "-n", "s29", "--snapshot", zoo}, out: "StillInUse",
			complain: "Ages are as of"},
		{args: []string{"why", "pvc", "data", "-n", "s29", "--snapshot", zoo, "-o", "json"},
			out: `"verdict": "Stuck"`},
		{args: []string{"why", "pvc/none", "-n", "s29", "--snapshot", zoo}, code: 1,
			complain: "the recording doesn't contain"},
		{args: []string{"why", "widgets/none", "--snapshot", zoo}, code: 1,
			complain: "doesn't have a resource type"},
		{args: []string{"why", "pvc/data", "--probe", "--snapshot", zoo}, code: 1,
			complain: "--probe can't be used with --snapshot"},
		{args: []string{"why", "pvc/data", "--across", "--snapshot", zoo}, code: 1,
			complain: "--across can't be used with --snapshot: recordings don't contain the addresses"},
		{args: []string{"why", "pvc/data", "--snapshot", "/does/not/exist"}, code: 1, complain: "no such file"},
		{args: []string{"list", "-A", "--snapshot", zoo}, out: "PersistentVolumeClaim"},
		{args: []string{"tree", "pvc/data", "-n", "s29", "--snapshot", zoo}, out: "PersistentVolumeClaim/data"},
		{args: []string{"check", "-n", "s29", "--snapshot", zoo}, out: "NOT LOOKED AT"},
		{args: []string{"explain", "kubernetes.io/pvc-protection", "--snapshot", zoo}, out: "pvc-protection"},
		{args: []string{"explain", "kubernetes.io/pvc-protection", "--snapshot", "/does/not/exist"}, code: 1,
			complain: "no such file"},
		{args: []string{"remove", "pvc/data", "-n", "s29", "--snapshot", zoo}, code: 1,
			complain: "remove can't be used with --snapshot: it writes to a cluster"},
		{args: []string{"why", "pod/web", "-n", "shop", "--snapshot", file}, out: "Pod shop/web", complain: "From manifests"},
		{args: []string{"why", "pod/web", "-n", "shop", "--snapshot", "-"}, stdin: manifest, out: "Pod shop/web"},
		{args: []string{"why", "db/orders", "--snapshot", file}, code: 1,
			complain: `the files contain no resource type "db"; types found: pods`},
		{args: []string{"why", "-", "--snapshot", "-"}, stdin: manifest, code: 1, complain: "standard input can't be both"},
		{args: []string{"list", "-A", "--snapshot", "-"}, stdin: "nonsense", code: 1,
			complain: "standard input can't be used"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			code, out, errOut := executed(t, c.stdin, c.args...)
			if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errOut, c.complain) {
				t.Errorf("exit code %d, want %d with %q and %q\n%s%s", code, c.code, c.out, c.complain, out, errOut)
			}
		})
	}
}

// TestScopeInOneWording names what a recording was made for in the same words, whichever version has written it.
func TestScopeInOneWording(t *testing.T) {
	for scope, want := range map[string]string{
		"what is read to explain configmaps/a":                "made to explain configmaps/a",
		"what explains configmaps/a":                          "made to explain configmaps/a",
		"configmaps/a, and what explains its state":           "made to explain configmaps/a",
		"configmaps/a, pods/b, and what explains their state": "made to explain configmaps/a, pods/b",
		"all namespaces":                                      "of all namespaces",
		"namespace shop, and cluster-scoped objects":          "of namespace shop, and cluster-scoped objects",
		"": "of a cluster",
	} {
		if got := madeFor(scope); got != want {
			t.Errorf("a recording of %q is one %q, want %q", scope, got, want)
		}
	}
}

// TestShortNameOfTwoDefinitions fails when one of two kinds that CustomResourceDefinitions bring is preferred, because
// its group is below k8s.io.
func TestShortNameOfTwoDefinitions(t *testing.T) {
	const definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: " +
		"{name: %[1]s.%[2]s, uid: %[1]s}\n" +
		"spec: {group: %[2]s, scope: Namespaced, names: {plural: %[1]s, kind: %[3]s, shortNames: [vs]}, versions: " +
		"[{name: v1, served: true, storage: true}]}\n"
	manifests := fmt.Sprintf(definition, "virtualservices", "networking.istio.io", "VirtualService") + "---\n" +
		fmt.Sprintf(definition, "volumesnapshots", "snapshot.storage.k8s.io", "VolumeSnapshot")
	code, out, errOut := executed(t, manifests, "why", "vs/web", "--snapshot", "-")
	if want := `"vs" is short for virtualservices.networking.istio.io and for ` +
		`volumesnapshots.snapshot.storage.k8s.io; write out`; code != 1 || !strings.Contains(errOut, want) {
		t.Errorf("exit code %d without %q\n%s%s", code, want, out, errOut)
	}
}

// TestRecordingFile writes nothing over what is there, and leaves nothing half written.
func TestRecordingFile(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "a.snapshot")
	file, err := createRecording(genericiooptions.IOStreams{}, name, header())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	file.discard()
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("what was not finished is still there: %v", left)
	}
	for round := range 2 {
		file, err := createRecording(genericiooptions.IOStreams{}, name, header())
		if round == 1 {
			if err == nil || !strings.Contains(err.Error(), "does not overwrite files") {
				t.Errorf("got %v, want a refusal", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := file.keep(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		file.discard()
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
	}
	// Another program takes the name while it is recorded.
	other := filepath.Join(folder, "b.snapshot")
	late, err := createRecording(genericiooptions.IOStreams{}, other, header())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := late.keep(t.Context(), false); err == nil {
		t.Error("a file of somebody else was replaced")
	}
	late.discard()
	if data, _ := os.ReadFile(other); string(data) != "theirs" {
		t.Errorf("it holds %q now", data)
	}
}

func header() snapshot.Header { return snapshot.Header{RecordedAt: time.Unix(1_767_268_800, 0)} }
