package print_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestNoCommandForRunners prints texts with commands for runners of CI jobs, at every width: no line begins with one,
// and programs get the text as it is.
func TestNoCommandForRunners(t *testing.T) {
	const hostile = "failed ::error file=a.go,line=1::it is ::set-output name=x::y ::add-mask::z ::stop-commands::t"
	answer := diagnosis(2)
	answer.Summary = "::error::" + hostile
	for i := range answer.RootCauses {
		answer.RootCauses[i].Message = strings.Repeat(hostile+" ", 3)
	}
	for _, format := range print.Formats(answer) {
		if strings.HasSuffix(format, "=") {
			continue // a template of the user's
		}
		for width := 40; width <= 100; width++ {
			var out bytes.Buffer
			if err := print.Result(t.Context(), &out, answer, format, print.Style{Width: width}); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(out.String()) {
				if strings.HasPrefix(strings.TrimSpace(line), "::") {
					t.Errorf("%s, %d columns: a line begins with a command: %q", format, width, line)
				}
			}
			if format == "yaml" {
				data, err := yaml.YAMLToJSON(out.Bytes())
				var got result.Diagnosis
				if err != nil || json.Unmarshal(data, &got) != nil || got.Summary != answer.Summary {
					t.Errorf("YAML has another text: %q, %v", got.Summary, err)
				}
			}
		}
	}
	for text, want := range map[string]string{
		"::1": `\x3a:1`, "  ::warning::a": `  \x3a:warning::a`, "a ::b": "a ::b", "a\n\t::b": "a\n\t\\x3a:b", "": "",
	} {
		if got := escape.NoCommand(text); got != want {
			t.Errorf("%q is printed as %q, want %q", text, got, want)
		}
	}
}
