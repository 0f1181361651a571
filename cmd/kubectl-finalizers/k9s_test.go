package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/k9s"
)

// brokenForK9s has an object of each sort that k9s' names differ for: in a namespace, cluster-scoped, of a kind that is
// defined, a namespace, and one with a colon in its name.
const brokenForK9s = `
id: k9s
target: configmap/kept
steps:
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: k9s}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: kept, namespace: k9s, finalizers: [example.com/hold]}
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: "k9s:kept", finalizers: [example.com/hold]}
    ---
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: boats.k9s.example.com}
    spec:
      group: k9s.example.com
      scope: Namespaced
      names: {plural: boats, singular: boat, kind: Boat}
      versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
- until: {object: customresourcedefinition/boats.k9s.example.com,
    path: '{.status.conditions[?(@.type=="Established")].status}', is: "True"}
- apply: |
    apiVersion: k9s.example.com/v1
    kind: Boat
    metadata: {name: kept, namespace: k9s, finalizers: [example.com/hold]}
- delete: {object: configmap/kept, namespace: k9s}
- delete: {object: clusterrole/k9s:kept}
- delete: {object: boat.k9s.example.com/kept, namespace: k9s}
`

// TestK9s runs the plugins of docs/k9s as k9s does, for objects of several sorts. A pager is there that only copies.
func TestK9s(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	if err := breakWith(t, plane, brokenForK9s); err != nil {
		t.Fatal(err)
	}
	kubeconfig, err := plane.UserKubeconfig(t.Context(), "lab", "k9s-user", controlplane.ClusterAdmins)
	if err != nil {
		t.Fatal(err)
	}
	plugins, err := k9s.Read("../../docs/k9s/plugins.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for state, rows := range map[string][]k9s.Row{
		"Terminating": {
			{Version: "v1", Resource: "configmaps", Namespace: "k9s", Name: "kept"},
			{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles", Name: "k9s:kept"},
			{Group: "k9s.example.com", Version: "v1", Resource: "boats", Namespace: "k9s", Name: "kept"},
		},
		"not being deleted": {{Version: "v1", Resource: "namespaces", Name: "k9s"}},
	} {
		for _, row := range rows {
			row.Context = "lab"
			for name, plugin := range plugins {
				row.Kubeconfig = "" // which is in the environment
				out := runPlugin(t, plugin, row, kubeconfig)
				row.Kubeconfig = kubeconfig // as it is given to k9s
				flagged := runPlugin(t, plugin, row, filepath.Join(t.TempDir(), "none"))
				for _, out := range []string{out, flagged} {
					if !strings.Contains(out, row.Name) || strings.Contains(out, "error:") {
						t.Errorf("%s of %s/%s:\n%s", name, row.Resource, row.Name, out)
					}
					if name == "why-terminating" && !strings.Contains(out, state) {
						t.Errorf("%s/%s isn't %s:\n%s", row.Resource, row.Name, state, out)
					}
				}
				if commands := strings.Contains(flagged, "kubectl finalizers remove"); commands && !strings.Contains(flagged,
					kubeconfig) {
					t.Errorf("%s offers commands without the kubeconfig that k9s was given:\n%s", name, flagged)
				}
			}
		}
	}
}

// runPlugin runs a plugin's command with the arguments that k9s makes for a row, and returns what the pager gets.
// kubeconfig is what the environment names.
func runPlugin(t *testing.T, plugin k9s.Plugin, row k9s.Row, kubeconfig string) string {
	t.Helper()
	binaries, err := controlplane.FindBinaries()
	if err != nil {
		t.Fatal(err)
	}
	pager := t.TempDir()
	if err := os.WriteFile(filepath.Join(pager, "less"), []byte("#!/bin/sh\n[ \"$*\" = -R ] && exec cat\n"),
		0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), plugin.Command, plugin.Expand(row)...)
	path := []string{pager, os.Getenv("PATH"), filepath.Dir(binaries.Kubectl)}
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "PATH="+strings.Join(path, string(os.PathListSeparator)))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", plugin.Command, cmd.Args, err, out)
	}
	return string(out)
}
