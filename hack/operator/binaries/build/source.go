package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
	"sigs.k8s.io/cluster-api/cmd/clusterctl/client/yamlprocessor"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// namespace is that of objects that name none.
func (s source) namespace() string {
	if s.Helm != nil {
		return s.Helm.Namespace
	}
	return s.Namespace
}

// render returns the manifests of a source of an operator, read where the module lies in Go's cache.
func (s source) render(ctx context.Context, of operator) (data []byte, err error) {
	folder := of.folder
	if s.Module != "" {
		if folder, err = moduleFolder(ctx, of.pinnedIn(), s.Module); err != nil {
			return nil, err
		}
	}
	switch {
	case s.Kustomize != "":
		data, err = kustomize(filepath.Join(folder, s.Kustomize), s.Namespace)
	case s.Helm != nil:
		data, err = s.Helm.render(folder)
	default:
		data, err = concatenate(folder, s.Files)
	}
	if err != nil || s.Substitute == nil {
		return data, err
	}
	return yamlprocessor.NewSimpleProcessor().Process(data, func(name string) (string, error) {
		return s.Substitute[name], nil
	})
}

// moduleFolder downloads a module in the version that the go.mod of a folder wants, and returns where it lies.
func moduleFolder(ctx context.Context, pinnedIn, module string) (string, error) {
	out, err := output(ctx, pinnedIn, "mod", "download", "-json", module)
	if err != nil {
		return "", err
	}
	var downloaded struct{ Dir, Error string }
	if err := json.Unmarshal([]byte(out), &downloaded); err != nil {
		return "", err
	}
	if downloaded.Dir == "" {
		return "", fmt.Errorf("module %s: %s", module, downloaded.Error)
	}
	return downloaded.Dir, nil
}

// kustomize builds a folder, by way of one of its own that sets the namespace if there is one to be set.
func kustomize(folder, namespace string) ([]byte, error) {
	if namespace != "" {
		over, err := os.MkdirTemp("", "kustomize")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(over)
		base, err := filepath.Rel(over, folder)
		if err != nil {
			return nil, err
		}
		text := fmt.Sprintf("namespace: %s\nresources: [%q]\n", namespace, base)
		if err := os.WriteFile(filepath.Join(over, "kustomization.yaml"), []byte(text), 0o600); err != nil {
			return nil, err
		}
		folder = over
	}
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		return nil, err
	}
	return made.AsYaml()
}

// render returns the chart's definitions and then its templates, as `helm install` would send them.
func (c chart) render(folder string) ([]byte, error) {
	loaded, err := loader.Load(filepath.Join(folder, c.Chart))
	if err != nil {
		return nil, err
	}
	if c.ValuesFile != "" {
		data, err := os.ReadFile(filepath.Join(folder, c.Chart, c.ValuesFile))
		if err != nil {
			return nil, err
		}
		if err := yaml.Unmarshal(data, &loaded.Values); err != nil {
			return nil, fmt.Errorf("%s: %w", c.ValuesFile, err)
		}
	}
	release := common.ReleaseOptions{Name: c.Release, Namespace: c.Namespace, Revision: 1, IsInstall: true}
	values, err := util.ToRenderValues(loaded, c.Values, release, common.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	templates, err := engine.Render(loaded, values)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, definition := range loaded.CRDObjects() {
		fmt.Fprintf(&out, "---\n%s\n", definition.File.Data)
	}
	for _, name := range sortedTemplates(templates) {
		fmt.Fprintf(&out, "---\n%s\n", templates[name])
	}
	return out.Bytes(), nil
}

// sortedTemplates are the names of templates that make objects: notes don't.
func sortedTemplates(templates map[string]string) []string {
	var names []string
	for name := range templates {
		if extension := filepath.Ext(name); extension == ".yaml" || extension == ".yml" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func concatenate(folder string, names []string) ([]byte, error) {
	var out bytes.Buffer
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "---\n%s\n", data)
	}
	return out.Bytes(), nil
}
