package preview_test

import (
	"errors"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestKindThatCannotBeListed deletes definitions while another kind can't be converted: that concerns namespaces and
// its own definition, and no other one. The backend that is missing now doesn't go with the deletion.
func TestKindThatCannotBeListed(t *testing.T) {
	definition := func(name, spec string) string {
		return object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "/"+name, "", spec)
	}
	objects := []string{manager(), namespace(),
		definition("databases.shop.example.com", "spec: {group: shop.example.com, scope: Namespaced, "+
			"names: {plural: databases, kind: Database}, versions: [{name: v0, served: true, storage: true}, "+
			"{name: v1, served: true}], conversion: {strategy: Webhook, webhook: {clientConfig: "+
			"{service: {namespace: ext, name: converter}}}}}\nstatus: {storedVersions: [v0]}"),
		definition("items.store.example.com", "spec: {group: store.example.com, scope: Namespaced, "+
			"names: {plural: items, kind: Item}, versions: [{name: v1, served: true, storage: true}]}"),
		object("v1", "Namespace", "/ext", "", ""),
	}
	for target, outcome := range map[string]result.Outcome{
		"customresourcedefinitions.apiextensions.k8s.io/items.store.example.com":    result.MayHang,
		"customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com": result.WouldHang,
		"namespaces/shop": result.WouldHang,
	} {
		c := previewCase{target: target, objects: objects}
		memory := c.memory(t)
		memory.Break("v1/databases", apierrors.NewInternalError(errors.New(
			"failed to read one or more databases.shop.example.com from the storage: StorageError: corrupt object, Code: 7, "+
				"Key: /registry/shop.example.com/databases/far/db, ResourceVersion: 0, AdditionalErrorMsg: object not decodable "+
				`revision=309: conversion webhook for shop.example.com/v0, Kind=Database failed: service "converter" not found`)))
		preview, err := c.ask(t, memory)
		if err != nil {
			t.Fatal(err)
		}
		text := human(t, preview)
		concerns := outcome == result.WouldHang
		if preview.Outcome != outcome || concerns != strings.Contains(text, "Service ext/converter does not exist") ||
			strings.Contains(text, "no longer exist") {
			t.Errorf("%s: %s, want %s:\n%s", target, preview.Outcome, outcome, text)
		}
	}
}
