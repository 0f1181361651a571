package snapshot_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// cleaned returns the text of a recording of one object that was read whole.
func cleaned(t *testing.T, resource cluster.Resource, object string) string {
	t.Helper()
	memory, err := clustertest.New(moment(), object)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	writer := snapshot.NewWriter(&file, snapshot.Header{RecordedAt: moment()})
	objects, err := snapshot.NewRecorder(memory, writer).List(t.Context(), resource, "", cluster.Selector{})
	if err != nil || len(objects) != 1 {
		t.Fatalf("%d objects, %v", len(objects), err)
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

// TestCustomResourcesOfAnyGroup shortens what people wrote into custom resources, whoever owns their group.
func TestCustomResourcesOfAnyGroup(t *testing.T) {
	for group, kept := range map[string]bool{
		"shop.example.com": false, "snapshot.storage.k8s.io": false, "gadgets.k8s.io": false, "cluster.x-k8s.io": false, "storage.k8s.io": true,
	} {
		gadgets := cluster.Resource{
			GroupVersionResource: schema.GroupVersionResource{Group: group, Version: "v1", Resource: "gadgets"}, Kind: "Gadget", Namespaced: true,
		}
		text := cleaned(t, gadgets, "apiVersion: "+group+"/v1\nkind: Gadget\nmetadata: {name: a, namespace: shop}\n"+
			"spec: {script: \"#!/bin/sh\\necho planted\", key: Ab1Ab1Ab1Ab1Ab1Ab1Ab1planted}\nstatus: {message: \"is\\nquoted\"}\n")
		if strings.Contains(text, "planted") != kept || !strings.Contains(text, `is\nquoted`) {
			t.Errorf("a custom resource of %s: %s", group, text)
		}
	}
}
