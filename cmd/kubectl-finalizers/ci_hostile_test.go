package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// hostileCargo has text that would leave its place in a summary: as HTML, as Markdown, and as a command to the runner.
const hostileCargo = `
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: ci-hostile}
    ---
    apiVersion: ci.example.com/v1
    kind: Cargo
    metadata:
      name: hostile
      namespace: ci-hostile
      finalizers: [ci.example.com/unload]
      annotations: {note: "<script>alert(1)</script> [x](http://evil.example.com)"}
    status:
      conditions:
      - type: Ready
        status: "False"
        reason: UnloadFailed
        lastTransitionTime: "2030-01-01T00:00:00Z"
        message: |
          HOSTILE </pre></details> <script>alert(1)</script> <img src=x onerror=alert(1)>
          ![x](http://evil.example.com/x.png) [click](http://evil.example.com) @octo-org/admins #1 <!-- ` + "```" + `

          ::error::HOSTILE
          # HOSTILE heading
- delete: {object: cargo/hostile, namespace: ci-hostile}
- until: {object: cargo/hostile, namespace: ci-hostile, path: '{.metadata.deletionTimestamp}'}
`

// TestTeardownOfSomethingHostile has text from the cluster stay text: in a summary of Markdown, and in one that is too
// long for that.
func TestTeardownOfSomethingHostile(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	kubeconfig, err := plane.UserKubeconfig(t.Context(), "lab", "pipeline-hostile", controlplane.ClusterAdmins)
	if err != nil {
		t.Fatal(err)
	}
	mustBreak(t, plane, definition("cargoes.ci.example.com", "Cargo", "Namespaced")+hostileCargo)
	for room, shape := range map[string]string{"900000": "<details><summary>Evidence</summary>", "1500": "<pre>"} {
		t.Run("room for "+room, func(t *testing.T) {
			inputs := map[string]string{"targets": "cargo/hostile", "namespace": "ci-hostile", "timeout": "2s"}
			got := runTeardown(t, plane, kubeconfig, inputs, "SUMMARY_BYTES="+room)
			page := rendered(t, got.summary)
			for _, want := range []string{shape, "ci.example.com/unload", "Teardown: "} {
				if !strings.Contains(page, want) {
					t.Errorf("the summary doesn't have %q", want)
				}
			}
			if room == "900000" && !strings.Contains(page, "HOSTILE") {
				t.Error("nothing quotes the message: nothing was proven")
			}
			for _, never := range []string{"<script", "<img", "<a ", "<!--", "<h1", "HOSTILE</h"} {
				if strings.Contains(page, never) {
					t.Errorf("the summary has %q", never)
				}
			}
			// GitHub mentions people and issues everywhere but in preformatted text.
			words := regexp.MustCompile(`(?s)<pre>.*?</pre>`).ReplaceAllString(page, "")
			if mention := regexp.MustCompile(`@octo|[^&]#1`).FindString(words); mention != "" {
				t.Errorf("the summary mentions %q", mention)
			}
			for _, tag := range []string{"pre", "details"} {
				if opened, closed := strings.Count(page, "<"+tag), strings.Count(page, "</"+tag+">"); opened != closed {
					t.Errorf("the summary has %d times <%s> and %d times </%s>", opened, tag, closed, tag)
				}
			}
			log, _, _ := strings.Cut(got.output[strings.Index(got.output, "::stop-commands::"):], "::error title=Teardown::")
			if lines := regexp.MustCompile(`(?m)^::`).FindAllString(log, -1); len(lines) != 2 {
				t.Errorf("the log has %d commands to the runner", len(lines))
			}
			if t.Failed() {
				t.Logf("%s\nsummary:\n%s\nas a page:\n%s", got.output, got.summary, page)
			}
		})
	}
}

// rendered is Markdown as a page, as GitHub renders it before it takes out what it doesn't allow.
func rendered(t *testing.T, markdown string) string {
	t.Helper()
	engine := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	var page bytes.Buffer
	if err := engine.Convert([]byte(markdown), &page); err != nil {
		t.Fatal(err)
	}
	return page.String()
}
