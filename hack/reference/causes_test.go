package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// page reads a page of docs/.
func page(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}

// TestCausesAreDescribed finds each reason in docs/causes.md: in its table, and in a section that says what people
// see, the cause, what to do, what not to do, and how certain it is. It finds nothing there that is not a reason.
func TestCausesAreDescribed(t *testing.T) {
	text := page(t, "causes.md")
	sections := map[string]string{}
	for _, section := range strings.Split(text, "\n## ")[1:] {
		heading, body, _ := strings.Cut(section, "\n")
		sections[heading] = body
	}
	for _, reason := range finding.Reasons() {
		if !strings.Contains(text, "\n| ["+string(reason)+"](#"+strings.ToLower(string(reason))+") |") {
			t.Errorf("the table in docs/causes.md does not lead to %s", reason)
		}
		body, described := sections[string(reason)]
		if !described {
			t.Errorf("docs/causes.md does not describe %s", reason)
			continue
		}
		delete(sections, string(reason))
		wanted := []string{"- **You see**: ", "- **Cause**: ", "- **Do**: ", "- **Don't**: "}
		missing := slices.ContainsFunc(wanted, func(line string) bool { return !strings.Contains(body, "\n"+line) })
		certain := reason == finding.ControllerUnknown || regexp.MustCompile(`\n- \*\*(Proven|Likely)\*\*`).MatchString(body)
		if missing || !certain {
			t.Errorf("docs/causes.md does not have %q and how certain it is for %s", wanted, reason)
		}
	}
	found := sections["What check finds"]
	delete(sections, "What check finds")
	for heading := range sections {
		t.Errorf("docs/causes.md describes %q, which is no reason", heading)
	}
	var listed []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\|").FindAllStringSubmatch(found, -1) {
		listed = append(listed, row[1])
	}
	slices.Sort(listed)
	source, err := os.ReadFile("../../pkg/result/check.go")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{}
	for _, code := range regexp.MustCompile(`finding\.Reason += "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
		want = append(want, code[1])
	}
	slices.Sort(want)
	if !slices.Equal(listed, want) {
		t.Errorf("docs/causes.md lists %v for check, which finds %v", listed, want)
	}
}
