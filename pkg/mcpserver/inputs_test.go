package mcpserver_test

import (
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestQuestions(t *testing.T) {
	t.Parallel()
	session := connect(t, echo, time.Minute)
	for _, one := range []struct {
		tool, arguments, want string
	}{
		{"why", `{"targets": ["pvc/data"], "namespace": "shop", "deep": true}`,
			"why namespace=shop --deep=true -- pvc/data"},
		{"why", `{"targets": ["--snapshot=/etc/passwd"]}`, "why namespace= -- --snapshot=/etc/passwd"},
		{"why", `{"targets": ["pods"], "allNamespaces": true, "selector": "app=web --force"}`,
			"why namespace= --selector=app=web --force --all-namespaces=true -- pods"},
		{"why", `{"targets": ["ns/a"], "selector": "", "deep": false, "namespace": ""}`,
			"why namespace= --deep=false -- ns/a"},
		{"why", `{"target": "pvc/data"}`, "why namespace= -- pvc/data"},
		{"preview", `{"target": "ns/a", "targets": ["ns/b"]}`, "preview namespace= -- ns/a ns/b"},
		{"list", `{"olderThan": "1h"}`, "list namespace= --older-than=1h --"},
		{"tree", `{"target": "deploy web", "depth": 2}`, "tree namespace= --depth=2 -- deploy web"},
		{"tree", `{"target": ""}`, "tree namespace= --"},
		{"check", "", "check namespace= --"},
		{"preview", `{"targets": ["ns/a", "ns/b"], "cascade": "orphan"}`,
			"preview namespace= --cascade=orphan -- ns/a ns/b"},
		{"explain", `{"finalizer": "a/b", "kind": "Pod"}`, "explain namespace= --kind=Pod -- a/b"},
		{"explain", "", "explain namespace= --"},
	} {
		result := call(t, session, one.tool, one.arguments)
		if text := textOf(result); result.IsError || !strings.Contains(strings.Join(strings.Fields(text), " "), one.want) {
			t.Errorf("%s %v: got\n%s\nwant %s", one.tool, one.arguments, text, one.want)
		}
	}
	for _, wrong := range []struct {
		tool, arguments, want string
	}{
		{"why", "", "for example ns/payments"},
		{"preview", `{"target": ""}`, "for example ns/payments"},
		{"why", `{"targets": []}`, "minItems"},
		{"why", `{"targets": null}`, "targets"},
		{"why", `{"targets": [""]}`, "for example ns/payments"},
		{"why", `{"targets": ["-"]}`, "name objects as TYPE/NAME"},
		{"why", `{"targets": ["ns/a"], "probe": true}`, "probe"},
		{"preview", `{"targets": ["ns/a"], "cascade": "all"}`, "cascade"},
		{"why", `{"targets": ["pod/` + strings.Repeat("a", 100_000) + `"]}`, "maxLength"},
		{"why", `{"targets": [` + strings.Repeat(`"ns/a",`, 1000) + `"ns/a"]}`, "maxItems"},
		{"list", `{"namespace": "` + strings.Repeat("a", 10_000) + `"}`, "maxLength"},
		{"explain", `{"finalizer": "a/b", "kind": "` + strings.Repeat("a", 10_000) + `"}`, "maxLength"},
		{"tree", `{"target": "` + strings.Repeat("a ", 1_000) + `"}`, "maxLength"},
		{"list", `{"selector": "` + strings.Repeat("a", 20_000) + `"}`, "maxLength"},
		{"list", `{"limit": "many"}`, "limit"},
		{"list", `{"limit": -5}`, "limit"},
		{"list", `{"limit": 100000000000000000000000}`, "limit"},
		{"tree", `{"depth": 1.5}`, "depth"},
	} {
		result := call(t, session, wrong.tool, wrong.arguments)
		if !result.IsError || !strings.Contains(textOf(result), wrong.want) {
			t.Errorf("%s %v: got %v\n%s", wrong.tool, wrong.arguments, result.IsError, textOf(result))
		}
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "remove"}); err == nil {
		t.Error("there is a tool that removes")
	}
}
