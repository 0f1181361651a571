package rescue_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestClaimNames has claims of one name leave several volumes: each gets a claim, and none takes the name of one that
// is there.
func TestClaimNames(t *testing.T) {
	leftBy := func(name, made string) string {
		left := volumeWith(name, "Retain", "Released", fmt.Sprintf("creationTimestamp: %q", made))
		return strings.Replace(left, "{namespace: shop, name: "+name+",", "{namespace: shop, name: data,", 1)
	}
	shop := object("v1", "Namespace", "/shop", "", "")
	const data = "persistentvolumeclaims/data"
	newer, older := leftBy("a", "2026-03-02T00:00:00Z"), leftBy("b", "2026-03-01T00:00:00Z")
	there := func(name string) string {
		return object("v1", "PersistentVolumeClaim", name, "", "spec: {volumeName: elsewhere}")
	}
	for _, test := range []struct {
		name, target string
		objects      []string
		want         map[string]string // the volume by the claim
	}{
		{"one volume", data, []string{newer}, map[string]string{"data": "disk-a"}},
		{"two volumes", data, []string{newer, older}, map[string]string{"data": "disk-a", "data-rescued": "disk-b"}},
		{
			"two volumes beside a claim that has the second name", data, []string{newer, older, there("data-rescued")},
			map[string]string{"data": "disk-a", "data-rescued-2": "disk-b"},
		},
		{
			"a volume whose former claim has a successor", "persistentvolumes/disk-b", []string{older, there("data")},
			map[string]string{"data-rescued": "disk-b"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := rescueCase{target: test.target, objects: append(test.objects, shop)}
			folder := filepath.Join(t.TempDir(), "saved")
			plan, err := c.ask(t, c.memory(t), folder)
			if err != nil {
				t.Fatal(err)
			}
			renamed := len(test.want) > 1 || test.want["data"] == ""
			if says := strings.Contains(fmt.Sprint(plan.Return), "is taken"); says != renamed {
				t.Errorf("it says why a claim has another name: %v, want %v", says, renamed)
			}
			found, _ := filepath.Glob(filepath.Join(folder, "*-persistentvolumeclaims-*"))
			if len(found) != len(test.want) {
				t.Errorf("%d claims are saved, want %d: %v", len(found), len(test.want), found)
			}
			for claim, volume := range test.want {
				content, err := os.ReadFile(filepath.Join(folder, "40-persistentvolumeclaims-shop-"+claim+".yaml"))
				if err != nil || !strings.Contains(string(content), "volumeName: "+volume+"\n") {
					t.Errorf("%v: claim %s, want volume %s:\n%s", err, claim, volume, content)
				}
			}
		})
	}
}
