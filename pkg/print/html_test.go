package print_test

import (
	"crypto/sha256"
	"encoding/base64"
	"os"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestPolicyOfPages holds each page to its policy: nothing is loaded, and nothing runs or styles but what a hash names.
func TestPolicyOfPages(t *testing.T) {
	for name, result := range pages() {
		poisoned(reflect.ValueOf(result), strings.Join(attacks, " "), false)
		root, err := html.Parse(strings.NewReader(printed(t, result, print.FormatHTML)))
		if err != nil {
			t.Fatal(err)
		}
		policy := ""
		for node := range root.Descendants() {
			for _, one := range node.Attr {
				if one.Val == "Content-Security-Policy" {
					policy = node.Attr[1].Val
				}
				if one.Key == "style" || strings.HasPrefix(one.Key, "on") || one.Key == "href" || one.Key == "src" {
					t.Errorf("%s: %s has %s=%q", name, node.Data, one.Key, one.Val)
				}
			}
			if node.Data == "script" || node.Data == "style" {
				hash := sha256.Sum256([]byte(node.FirstChild.Data))
				if wanted := node.Data + "-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
					"'"; !strings.Contains(policy, wanted) {
					t.Errorf("%s: the policy %q does not have %s", name, policy, wanted)
				}
			}
		}
		if !strings.HasPrefix(policy, "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-") {
			t.Errorf("%s: the policy is %q", name, policy)
		}
	}
}

// TestScriptMakesNoMarkup: the script takes text as text.
func TestScriptMakesNoMarkup(t *testing.T) {
	script, err := os.ReadFile("html/page.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(",
		"fetch(", "import("} {
		if strings.Contains(string(script), way) {
			t.Errorf("it uses %s", way)
		}
	}
}

// TestPictureOfMany: what looks alike is one box, and of many others the ones that matter are drawn.
func TestPictureOfMany(t *testing.T) {
	many := &result.Tree{RootCauses: diagnosis(1).RootCauses}
	for range 2000 {
		many.Nodes = append(many.Nodes, result.TreeNode{Node: graph.Node{Ref: ref("Pod", "alike")}, Known: true})
	}
	if boxes := strings.Count(printed(t, many, print.FormatHTML), `<g id=`); boxes != 1 {
		t.Errorf("%d boxes for what looks alike", boxes)
	}
	for i := range many.Nodes {
		many.Nodes[i].Status = strings.Repeat("x", i)
	}
	many.Nodes[1999].Reasons = []finding.Reason{finding.StillInUse}
	page := printed(t, many, print.FormatHTML)
	if boxes := strings.Count(page, `<g id=`); boxes != 200 || !strings.Contains(page, `class="box cause"`) ||
		!strings.Contains(page, "1800 more objects") {
		t.Errorf("%d boxes", boxes)
	}
}
