package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// planted is a cluster with secrets wherever people and programs leave them. Each of them has the word
// hunter in it.
const planted = `id: planted
target: database/orders
steps:
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: planted, annotations: {example.com/note: the password is hunter0}}
    ---
    apiVersion: v1
    kind: Secret
    metadata:
      name: login
      namespace: planted
      annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"stringData":{"password":"hunter1"}}'}
    stringData: {password: hunter2}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: settings, namespace: planted, annotations: {kubernetes.io/description: 'token=hunter3'}}
    data: {application.properties: 'db.password=hunter4'}
    binaryData: {key: aHVudGVy}
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: shop
      namespace: planted
      annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"spec":"hunter5"}',
        shop.example.com/deployed-with: hunter6}
    spec:
      replicas: 1
      selector: {matchLabels: {app: shop}}
      template:
        metadata: {labels: {app: shop},
          annotations: {vault.hashicorp.com/agent-inject-token: hunter7, shop.example.com/checksum: hunter8}}
        spec:
          initContainers:
          - {name: migrate, image: shop, command: [sh, -c, 'mysql -phunter9'], args: [--password, hunter10]}
          containers:
          - name: main
            image: shop
            env: [{name: DB_PASSWORD, value: hunter11}, {name: MODE, value: 'postgres://shop:hunter12@db/shop'}]
            livenessProbe: {httpGet: {path: /health, port: 80,
              httpHeaders: [{name: Authorization, value: Bearer hunter13}]}}
            readinessProbe: {exec: {command: [curl, -u, 'shop:hunter14']}}
            lifecycle: {postStart: {exec: {command: [echo, hunter15]}}}
    ---
    apiVersion: storage.k8s.io/v1
    kind: StorageClass
    metadata: {name: planted}
    provisioner: csi.planted.example.com
    parameters: {adminKey: hunter16}
    ---
    apiVersion: v1
    kind: PersistentVolume
    metadata: {name: planted}
    spec:
      capacity: {storage: 1Gi}
      accessModes: [ReadWriteOnce]
      csi: {driver: csi.planted.example.com, volumeHandle: v1, volumeAttributes: {mountOptions: 'password=hunter17'}}
    ---
    apiVersion: v1
    kind: Event
    metadata: {name: told, namespace: planted}
    involvedObject: {kind: Pod, name: shop, namespace: planted}
    reason: Failed
    type: Warning
    message: 'could not log in: postgres://shop:hunter18@db/shop, Authorization: Bearer hunter19, api_key=hunter20'
    ---
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: databases.planted.example.com}
    spec:
      group: planted.example.com
      scope: Namespaced
      names: {plural: databases, singular: database, kind: Database, listKind: DatabaseList}
      versions:
      - name: v1
        served: true
        storage: true
        schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
    ---
    apiVersion: planted.example.com/v1
    kind: Database
    metadata:
      name: orders
      namespace: planted
      finalizers: [planted.example.com/cleanup]
    spec:
      password: hunter21
      adminToken: hunter22
      auth: {clientSecret: hunter23, connectionString: 'Server=db;Pwd=hunter24'}
      url: https://root:hunter25@db.planted.example.com
      bootstrap: |
        #!/bin/sh
        echo hunter26
      data: {anything: hunter27}
    status: {conditions: [{type: Ready, status: "False", reason: LoginFailed, message: 'refused: password=hunter28'}]}
- delete: {object: database/orders, namespace: planted}
- until: {object: database/orders, namespace: planted, path: '{.metadata.deletionTimestamp}'}
- until: {object: deployment/shop, namespace: planted, path: '{.status.replicas}'}
`

// TestSnapshotHoldsNoSecrets records a cluster full of secrets in every way there is, and looks for them.
func TestSnapshotHoldsNoSecrets(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	if err := breakWith(t, plane, planted); err != nil {
		t.Fatal(err)
	}
	kubeconfig, err := plane.UserKubeconfig(t.Context(), "lab", "script-admin", controlplane.ClusterAdmins)
	if err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"everything":  {"-A"},
		"a namespace": {"-n", "planted"},
		"an object":   {"databases.planted.example.com/orders", "-n", "planted", "--deep"},
		"redacted":    {"-A", "--redact"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "recording")
			cmd, _, stderr := program(t, append([]string{"snapshot", "--kubeconfig", kubeconfig, "-o", file}, args...)...)
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v: %s", err, stderr)
			}
			text := contents(t, file)
			for _, secret := range []string{"hunter", "aHVudGVy", "eyJ", "BEGIN", "last-applied"} {
				if at := strings.Index(text, secret); at >= 0 {
					t.Errorf("%q is in it: …%s…", secret, text[max(0, at-200):min(len(text), at+100)])
				}
			}
			if !strings.Contains(text, "planted.example.com/cleanup") {
				t.Error("the finalizer isn't in it: nothing was proven")
			}
		})
	}
}

func contents(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	zip, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestInterruptedSnapshot presses Ctrl-C while a list hangs: there is no file, not even half of one.
func TestInterruptedSnapshot(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	kubeconfig, hangs, _ := hanging(t, plane, "/pods")
	folder := t.TempDir()
	cmd, _, stderr := program(t, "snapshot", "-A", "--kubeconfig", kubeconfig, "-o", filepath.Join(folder, "a.snapshot"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-hangs
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit code %d, want 1 and a word of the interrupt: %s", code, stderr)
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
}
