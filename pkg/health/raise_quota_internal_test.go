package health

import (
	"maps"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestNeededLimits(t *testing.T) {
	for _, test := range []struct {
		name, requested, used, limited string
		want                           map[corev1.ResourceName]string
	}{
		{"no room at all", "pods=1,", "pods=0,", "pods=0", map[corev1.ResourceName]string{"pods": "1"}},
		{"no room beside others", "pods=1,", "pods=5,", "pods=5", map[corev1.ResourceName]string{"pods": "6"}},
		{
			"one of two limits", "pods=1,requests.cpu=500m,", "pods=1,requests.cpu=1800m,", "pods=9,requests.cpu=2",
			map[corev1.ResourceName]string{"requests.cpu": "2300m"},
		},
		{"room", "pods=1,", "pods=1,", "pods=2", nil},
		{"usage that was not said", "pods=1,", "", "pods=0", nil},
		{"nothing said", "", "", "", nil},
	} {
		got := neededLimits(amounts(test.requested), amounts(test.used), amounts(test.limited))
		if !maps.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
