package naming

import "testing"

func TestGeneratedName(t *testing.T) {
	for name, want := range map[string]bool{
		"shop-operator-64d788746d-5kl9w": true, "agent-x2b4c": true,
		"shop-operator-0": false, "laptop": false, "build-agent": false, "": false, "-5kl9w": false, "shop-abcde": false,
		"5kl9w": false,
	} {
		if got := GeneratedName(name); got != want {
			t.Errorf("GeneratedName(%q) is %v", name, got)
		}
	}
}
