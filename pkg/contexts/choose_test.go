package contexts_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/contexts"
)

// config has a context for each line: NAME SERVER [CA [TLS-NAME [PROXY]]].
func config(current string, lines ...string) api.Config {
	c := api.NewConfig()
	c.CurrentContext = current
	for _, line := range lines {
		parts := append(strings.Fields(line), "", "", "")
		c.Clusters["of-"+parts[0]] = &api.Cluster{
			Server: parts[1], CertificateAuthorityData: []byte(parts[2]), TLSServerName: parts[3], ProxyURL: parts[4],
		}
		c.Contexts[parts[0]] = &api.Context{Cluster: "of-" + parts[0], AuthInfo: "user-" + parts[0]}
	}
	return *c
}

func noFiles(file string) ([]byte, error) { return nil, errors.New("there is no file " + file) }

// TestChoose chooses by names and patterns.
func TestChoose(t *testing.T) {
	three := config("", "prod-eu https://eu", "prod-us https://us", "dev https://dev",
		"arn:aws:eks:a:1:cluster/x https://x")
	for _, c := range []struct {
		name   string
		config api.Config
		wanted []string
		want   string
	}{
		{"a name", three, []string{"dev"}, "[{dev []}]"},
		{"names in their order, each once", three, []string{"prod-us", "dev", "prod-us"}, "[{prod-us []} {dev []}]"},
		{"a pattern", three, []string{"prod-*"}, "[{prod-eu []} {prod-us []}]"},
		{"a name, and a pattern with it", three, []string{"prod-us", "prod-*"}, "[{prod-us []} {prod-eu []}]"},
		{"a slash is a letter", three, []string{"arn:*"}, "[{arn:aws:eks:a:1:cluster/x []}]"},
		{"a slash in the pattern", three, []string{"*/x"}, "[{arn:aws:eks:a:1:cluster/x []}]"},
		{"one of some letters", three, []string{"prod-[ef]u"}, "[{prod-eu []}]"},
		{"all", three, []string{"all"}, "[{arn:aws:eks:a:1:cluster/x []} {dev []} {prod-eu []} {prod-us []}]"},
		{"a context whose name is all", config("", "all https://a", "b https://b"), []string{"all"}, "[{all []}]"},
		{"a context whose name is a pattern", config("", "a* https://a", "ab https://b"), []string{"a*"}, "[{a* []}]"},
		{"one server, two users", config("", "a https://x ca", "b https://x ca"), []string{"all"}, "[{a [b]}]"},
		{"asked by the current context", config("b", "a https://x", "b https://x", "c https://x"), []string{"all"},
			"[{b [a c]}]"},
		{"a current context that was not chosen", config("b", "a https://x", "b https://x"), []string{"a"}, "[{a []}]"},
		{"the usual port, capitals and a slash", config("", "a https://Host:443/", "b https://host"), []string{"all"},
			"[{a [b]}]"},
		{"another port", config("", "a https://host:6443", "b https://host"), []string{"all"}, "[{a []} {b []}]"},
		{"another path", config("", "a https://rancher/k8s/1", "b https://rancher/k8s/2"), []string{"all"},
			"[{a []} {b []}]"},
		{"another authority", config("", "a https://x one", "b https://x two"), []string{"all"}, "[{a []} {b []}]"},
		{"another TLS name", config("", "a https://x ca n", "b https://x ca m"), []string{"all"}, "[{a []} {b []}]"},
		{"behind another proxy", config("", "a https://x ca n http://p", "b https://x ca n http://q"), []string{"all"},
			"[{a []} {b []}]"},
	} {
		chosen, err := contexts.Choose(c.config, c.wanted, noFiles)
		if got := fmt.Sprint(chosen); err != nil || got != c.want {
			t.Errorf("%s: got %s, %v; want %s", c.name, got, err, c.want)
		}
	}
}

// TestChooseFiles compares the content of certificate authorities, wherever it is.
func TestChooseFiles(t *testing.T) {
	c := config("", "a https://x ca", "b https://x", "c https://x", "d https://x")
	c.Clusters["of-b"].CertificateAuthorityData, c.Clusters["of-b"].CertificateAuthority = nil, "ca.crt"
	c.Clusters["of-c"].CertificateAuthorityData, c.Clusters["of-c"].CertificateAuthority = nil, "missing.crt"
	c.Clusters["of-d"].CertificateAuthorityData, c.Clusters["of-d"].CertificateAuthority = nil, "missing.crt"
	chosen, err := contexts.Choose(c, []string{"all"}, func(file string) ([]byte, error) {
		if file == "ca.crt" {
			return []byte("ca\n"), nil
		}
		return nil, errors.New("not there")
	})
	if got, want := fmt.Sprint(chosen), "[{a [b]} {c []} {d []}]"; err != nil || got != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}

// TestChooseNothing names what exists, or what was probably meant.
func TestChooseNothing(t *testing.T) {
	var many []string
	for i := range 15 {
		many = append(many, fmt.Sprintf("c%02d https://c%d", i, i))
	}
	for _, c := range []struct {
		config api.Config
		wanted []string
		want   string
	}{
		{config("", "prod-eu https://a", "dev https://b"), []string{"dev", "prod-eo"},
			`no context of the kubeconfig matches "prod-eo"; did you mean prod-eu?`},
		{config("", "prod-eu https://a", "dev https://b"), []string{"stage-*"},
			`no context of the kubeconfig matches "stage-*". It has dev, prod-eu`},
		{config("", many...), []string{"x*"},
			`no context of the kubeconfig matches "x*". It has c00, c01, c02, c03, c04, c05, c06, c07, c08, c09 and 5 more`},
		{config(""), []string{"all"}, `no context of the kubeconfig matches "all": it has no contexts`},
		{config("", "a https://a"), []string{"["}, `--contexts "[" is not a valid pattern: ` +
			"* is any text, ? any letter, [ab] one of some"},
		{config("", "a https://a"), []string{""}, "--contexts has an empty name"},
		{config("", "a https://a"), nil, "--contexts names no context"},
	} {
		_, err := contexts.Choose(c.config, c.wanted, noFiles)
		if err == nil || err.Error() != c.want {
			t.Errorf("%v: got %v\nwant %s", c.wanted, err, c.want)
		}
	}
}

// TestContextOf finds the context of a cluster in an inventory: by its server if that is given, else by its name.
func TestContextOf(t *testing.T) {
	kubeconfig := config("", "admin@eu https://eu:443 ca", "eu https://elsewhere other", "named https://named")
	object := func(name, server, authority string) *unstructured.Unstructured {
		status := map[string]any{}
		if server != "" {
			status["accessProviders"] = []any{map[string]any{"name": "x", "cluster": map[string]any{
				"server": server, "certificate-authority-data": base64.StdEncoding.EncodeToString([]byte(authority)),
			}}}
		}
		return &unstructured.Unstructured{Object: map[string]any{
			"metadata": map[string]any{"name": name}, "status": status,
		}}
	}
	for _, c := range []struct{ name, server, authority, want string }{
		{"eu", "https://eu", "ca", "admin@eu"}, // not the context of its name, which leads elsewhere
		{"eu", "https://eu", "another", ""},
		{"eu", "", "", "eu"},
		{"named", "", "", "named"},
		{"nowhere", "", "", ""},
	} {
		if got := contexts.ContextOf(kubeconfig, contexts.ProfileOf(object(c.name, c.server, c.authority)),
			noFiles); got != c.want {
			t.Errorf("%v: got %q", c, got)
		}
	}
}
