package files_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
)

func resource(group, version, plural, kind string, namespaced bool) cluster.Resource {
	return cluster.Resource{GroupVersionResource: schema.GroupVersionResource{Group: group, Version: version,
		Resource: plural}, Kind: kind, Namespaced: namespaced}
}

// asked says what a recording answers when it is asked for an object: there, absent, or unknown.
func asked(t *testing.T, recording *snapshot.Recording, resource cluster.Resource, namespace, name string) string {
	t.Helper()
	_, err := recording.Metadata(t.Context(), resource, namespace, name)
	switch {
	case err == nil:
		return "there"
	case apierrors.IsNotFound(err):
		return "absent"
	case cluster.NotRecorded(err):
		return "unknown"
	}
	return err.Error()
}

// TestWhatKubectlPrints reads what kubectl 1.37 has printed of one namespace, in each of its forms: the
// dump of it says which pods there are, a get doesn't.
func TestWhatKubectlPrints(t *testing.T) {
	gateways, accounts := resource("net.example.com", "v1", "gateways", "Gateway", true),
		resource("", "v1", "serviceaccounts", "ServiceAccount", true)
	for _, c := range []struct {
		file       string
		resource   cluster.Resource
		name, want string
	}{
		{"dump.json", cluster.Pods(), "web", "there"},
		{"dump.json", cluster.Pods(), "other", "absent"},
		{"dump.json", cluster.Deployments(), "other", "absent"},
		{"dump.json", cluster.PersistentVolumeClaims(), "data", "unknown"},
		{"dump.yaml", cluster.Pods(), "web", "there"},
		{"dump.yaml", cluster.Pods(), "other", "absent"},
		{"dump", cluster.Pods(), "web", "there"},
		{"dump", cluster.Pods(), "other", "absent"},
		{"dump", resource("", "v1", "replicationcontrollers", "ReplicationController", true), "other", "absent"},
		{"dump-yaml", cluster.Pods(), "web", "there"},
		{"dump-yaml", cluster.Deployments(), "other", "absent"},
		{"get.yaml", cluster.PersistentVolumeClaims(), "data", "there"},
		{"get.yaml", cluster.PersistentVolumeClaims(), "other", "unknown"},
		{"get-managed.json", gateways, "main", "there"},
		{"get-managed.json", gateways, "other", "unknown"},
		{"watch.json", cluster.Pods(), "web", "there"},
		{"watch-events.json", accounts, "default", "there"},
		{"watch-events.json", accounts, "x", "unknown"}, // it was deleted, and may be there again
		{"watch-events.yaml", accounts, "default", "there"},
		{"watch-events.yaml", accounts, "x", "unknown"},
	} {
		recording, err := files.Open(t.Context(), []string{filepath.Join("testdata/kubectl", c.file)}, nil)
		if err != nil {
			t.Fatalf("%s: %v", c.file, err)
		}
		if got := asked(t, recording, c.resource, "shop", c.name); got != c.want {
			t.Errorf("%s of %s is %s, want %s", c.name, c.file, got, c.want)
		}
	}
}

// TestManagersAreKept reads who set a finalizer, where kubectl was asked to show it.
func TestManagersAreKept(t *testing.T) {
	recording, err := files.Open(t.Context(), []string{"testdata/kubectl/get.yaml", "testdata/kubectl/get-managed.json"},
		nil)
	if err != nil {
		t.Fatal(err)
	}
	claim, err := recording.Metadata(t.Context(), cluster.PersistentVolumeClaims(), "shop", "data")
	if err != nil || len(claim.ManagedFields) == 0 {
		t.Errorf("%v, %v: want the reading with managedFields, whichever comes last", claim, err)
	}
	secret, err := recording.Get(t.Context(), resource("", "v1", "secrets", "Secret", true), "shop", "key")
	if !cluster.NotRecorded(err) {
		t.Errorf("a Secret is there with its data: %v, %v", secret, err)
	}
}

// gathered is what oc adm must-gather leaves, in its layout (layout.go says where that is from).
func gathered(t testing.TB) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/must-gather.txtar")
	if err != nil {
		t.Fatal(err)
	}
	const image = "must-gather.local.5421342344627712289/quay-io-openshift-release-dev-ocp-v4-0-art-dev-sha256-7b5c/"
	all := map[string]string{
		image + "insights-data/insights-2026-01-02-100000.tar.gz": "\x1f\x8b",
		image + "audit_logs/kube-apiserver/node-audit.log.gz":     "\x1f\x8b",
	}
	for _, file := range archive.Files {
		all[strings.Replace(file.Name, "IMAGE/", image, 1)] = string(file.Data)
	}
	return all
}

func written(t *testing.T, content map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range content {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func archived(t testing.TB, content map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	archive := tar.NewWriter(&out)
	names := make([]string, 0, len(content))
	for name := range content {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		head := &tar.Header{Name: "./" + name, Typeflag: tar.TypeReg, Mode: 0o600, Size: int64(len(content[name])),
			ModTime: time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)}
		if err := archive.WriteHeader(head); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(archive, content[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func packed(t testing.TB, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	if _, err := zip.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestMustGather reads a must-gather as a folder, and as the archive in which people send it.
func TestMustGather(t *testing.T) {
	folder := written(t, gathered(t))
	archive, zipped := filepath.Join(folder, "must-gather.tar"), filepath.Join(folder, "must-gather.tar.gz")
	data := archived(t, gathered(t))
	if err := errors.Join(os.WriteFile(archive, data, 0o600), os.WriteFile(zipped, packed(t, data), 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, names := range map[string][]string{"folder": {folder}, "archive": {archive}, "packed": {zipped},
		"packed, with more": {zipped, "testdata/kubectl/get.yaml"}} {
		t.Run(name, func(t *testing.T) {
			recording, err := files.Open(t.Context(), names, nil)
			if err != nil {
				t.Fatal(err)
			}
			gatheredAnswers(t, recording)
			if want := time.Date(2026, 1, 2, 10, 7, 30, 500_000_000, time.UTC); len(names) == 1 && !recording.Now().Equal(want) {
				t.Errorf("gathered at %s, want when it says that it ended, %s", recording.Now(), want)
			}
		})
	}
}

func gatheredAnswers(t *testing.T, recording *snapshot.Recording) {
	t.Helper()
	pod, err := recording.Get(t.Context(), cluster.Pods(), "shop", "web")
	if err != nil || pod.Object["status"].(map[string]any)["phase"] == "Running" {
		t.Errorf("%v, %v: want the pod as it was listed, after it was read alone", pod, err)
	}
	configMaps := resource("", "v1", "configmaps", "ConfigMap", true)
	for _, c := range []struct {
		what      string
		resource  cluster.Resource
		namespace string
		name      string
		want      string
	}{
		{"a listed pod", cluster.Pods(), "shop", "other", "absent"},
		{"a pod of a namespace that was not gathered", cluster.Pods(), "elsewhere", "other", "unknown"},
		{"a Secret", resource("", "v1", "secrets", "Secret", true), "shop", "key", "there"},
		{"a Secret that isn't listed", resource("", "v1", "secrets", "Secret", true), "shop", "other", "absent"},
		{"a ConfigMap, of which there are more", configMaps, "shop", "other", "unknown"},
		{"a ConfigMap, gathered alone", configMaps, "other", "one", "there"},
		{"another, where they are gathered alone", configMaps, "other", "two", "unknown"},
		{"a custom resource, called as its folder", resource("net.example.com", "v1", "gateways", "Gateway", true), "shop",
			"front", "there"},
		{"another", resource("net.example.com", "v1", "gateways", "Gateway", true), "shop", "back", "absent"},
		{"one of which there are none", resource("net.example.com", "v1", "proxies", "Proxy", true), "shop", "any", "absent"},
		{"a volume", resource("", "v1", "persistentvolumes", "PersistentVolume", false), "", "pv-2", "unknown"},
		{"a custom resource that is defined later", resource("aaa.example.com", "v1", "indices", "Index", false), "", "all",
			"there"},
		{"what is listed without a namespace", resource("config.openshift.io", "v1", "proxies", "Proxy", false), "", "other",
			"absent"},
		{"the namespace", cluster.Namespaces(), "", "shop", "there"},
	} {
		if got := asked(t, recording, c.resource, c.namespace, c.name); got != c.want {
			t.Errorf("%s is %s, want %s", c.what, got, c.want)
		}
	}
	if len(recording.Skipped) != 1 || !strings.Contains(recording.Skipped[0].Error(), "cut.yaml") {
		t.Errorf("skipped %v, want the file that was cut off", recording.Skipped)
	}
	var names []string
	err = recording.EachMetadata(t.Context(), cluster.Pods(), "shop", cluster.Selector{},
		func(meta *metav1.PartialObjectMetadata) { names = append(names, meta.Name) })
	if err != nil || len(names) != 1 {
		t.Errorf("pods %v, %v", names, err)
	}
}
