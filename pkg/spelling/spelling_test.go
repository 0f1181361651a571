package spelling_test

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
)

func TestDistance(t *testing.T) {
	cases := []struct {
		a, b string
		want int
	}{
		{"pods", "pods", 0}, {"podz", "pods", 1}, {"", "abc", 3}, {"deploymnet", "deployment", 1}, {"secert", "secret", 1},
		{"kitten", "sitting", 3},
	}
	for _, c := range cases {
		if got := spelling.Distance(c.a, c.b); got != c.want {
			t.Errorf("distance from %q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestMeant(t *testing.T) {
	names := []string{"human", "json", "yaml", "name", "markdown", "jsonpath=", "StillInUse"}
	for typed, want := range map[string]string{
		"yml": "; did you mean yaml?", "JSON": "; did you mean json?", "mark": "; did you mean markdown?",
		"jsn": "; did you mean json?", "jsonpth=": "; did you mean jsonpath=?", "stillinuse": "; did you mean StillInUse?",
		"nam": "; did you mean name?", "dot": "", "": "", "x": "",
	} {
		if got := spelling.Meant(typed, names); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
	const want = "; did you mean client or clients?"
	if got := spelling.Meant("clien", []string{"clients", "client"}); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestIsMisspelt(t *testing.T) {
	cases := []struct {
		text, name string
		want       bool
	}{
		{"kubernetes.io/pvc-protecton", "kubernetes.io/pvc-protection", true},
		{"foregroundDeletetion", "foregroundDeletion", true},
		{"kubernetes.io/pvc-portectoin", "kubernetes.io/pvc-protection", true},
		{"example.com/dloh", "example.com/hold", false},
		{"kubernetes.io/pvc-protection", "kubernetes.io/pvc-protection", false},
		{"shop.example.com/v2", "shop.example.com/v1", false},
		{"orphans", "orphan", false},
		{"example.com/hold", "example.com/cleanup", false},
	}
	for _, c := range cases {
		if got := spelling.IsMisspelt(c.text, c.name); got != c.want {
			t.Errorf("%q for %q: %t, want %t", c.text, c.name, got, c.want)
		}
	}
}

func TestIsTypo(t *testing.T) {
	cases := []struct {
		text, name string
		want       bool
	}{
		{"dat", "data", true},
		{"datta", "data", true},
		{"dtaa", "data", true},
		{"data-1", "data-2", false},
		{"data1", "data", false},
		{"data", "data", false},
		{"logs", "data", false},
		{"pv", "pvc", false},
		{"web", "wxb", false},
		{"settings", "setings", true},
		{"web-7cd445c694-ssxwq", "web-7cd445c694-abcde", false},
	}
	for _, c := range cases {
		if got := spelling.IsTypo(c.text, c.name); got != c.want {
			t.Errorf("%q for %q: %t, want %t", c.text, c.name, got, c.want)
		}
	}
}

func TestIsSlip(t *testing.T) {
	cases := []struct {
		text, name string
		want       bool
	}{
		{"kubernetes.io/pvc-protecton", "kubernetes.io/pvc-protection", true},
		{"foregroundDeletoin", "foregroundDeletion", true},
		{"shop.example.com/clean-up", "shop.example.com/cleanup", true},
		{"shop.example.com/claenup", "shop.example.com/cleanup", true},
		{"kubernetes.io/pv-protection", "kubernetes.io/pvc-protection", false},
		{"shop.example.com/db", "shop.example.com/dc", false},
		{"shop.example.com/databases", "shop.example.com/database", false},
		{"shop.example.com/cleanup-v2", "shop.example.com/cleanup-v1", false},
		{"shop.example.com/cleanup-v2", "shop.example.com/cleanup", false},
		{"shop.example.com/cleanup-a", "shop.example.com/cleanup", false},
		{"shop.example.com/cleanup", "shop.example.com/cleanup", false},
	}
	for _, c := range cases {
		if got := spelling.IsSlip(c.text, c.name); got != c.want {
			t.Errorf("%q for %q: %t, want %t", c.text, c.name, got, c.want)
		}
	}
}
