package finding

import (
	"fmt"
	"testing"
)

// TestListedNames compares with the names of all objects, joined.
func TestListedNames(t *testing.T) {
	for _, subject := range []Ref{{}, {Kind: "ConfigMap", Namespace: "shop", Name: "c1"}} {
		voice := Voice{Subject: subject}
		for count := range 9 {
			refs := make([]Ref, count)
			for i := range refs {
				refs[i] = Ref{Kind: "ConfigMap", Namespace: "shop", Name: fmt.Sprintf("c%d", i)}
			}
			for few := 1; few < 7; few++ {
				said := sentence{Voice: voice}
				if got, want := said.ListedNames(few, refs), Listed(few, voice.Names(refs)); got != want {
					t.Errorf("%d of %d: %q, want %q", few, count, got, want)
				}
			}
		}
	}
}

// TestWaitsForCounts says of any number of things how many they are, and names two.
func TestWaitsForCounts(t *testing.T) {
	for count, want := range map[int]string{
		0: "something that was not found",
		1: "ConfigMap c0, which refers to this class",
		2: "two things: (1) ConfigMap c0, which refers to this class; (2) ConfigMap c1, which refers to this class",
		3: "three things: (1) ConfigMap c0, which refers to this class; (2) ConfigMap c1, which refers to this class; " +
			"and 1 more",
	} {
		awaited := make([]Awaited, count)
		for i := range awaited {
			awaited[i].Finding = Finding{Situation: "RefersToClass", Object: Ref{Kind: "ConfigMap", Name: fmt.Sprintf("c%d", i)}}
		}
		if got := (Voice{}).WaitsFor(Ref{}, WaitingFor(awaited)); got != want {
			t.Errorf("%d: %q, want %q", count, got, want)
		}
	}
}
