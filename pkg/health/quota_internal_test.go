package health

import "testing"

func TestBeyond(t *testing.T) {
	for _, test := range []struct {
		requested, limited string
		want               bool
	}{
		{"pods=1,", "pods=0", true},
		{"pods=1,", "pods=1", false},
		{"pods=1,requests.cpu=2,", "pods=5,requests.cpu=1500m", true},
		{"pods=1,", "requests.cpu=0", false},
		{"", "", false},
	} {
		if got := beyond(amounts(test.requested), amounts(test.limited)); got != test.want {
			t.Errorf("requested %q of %q: %t, want %t", test.requested, test.limited, got, test.want)
		}
	}
}
