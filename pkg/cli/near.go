package cli

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// closest returns the names with the smallest numbers, at most so many.
func closest(most int, numbers map[string]int) []string {
	names := slices.SortedFunc(maps.Keys(numbers), func(a, b string) int {
		return cmp.Or(numbers[a]-numbers[b], strings.Compare(a, b))
	})
	return names[:min(most, len(names))]
}

// nearest returns up to three resources whose names are a slip of the finger away.
func nearest(resources []cluster.Resource, wanted string) []string {
	near := map[string]int{}
	for _, resource := range resources {
		for _, name := range namesOf(resource) {
			letters, qualified := distance(wanted, name), resource.QualifiedName()
			if best, known := near[qualified]; isNear(wanted, name) && (!known || letters < best) {
				near[qualified] = letters
			}
		}
	}
	return closest(3, near)
}

// nearNames returns the names that are most like one that isn't known: a few letters apart, or of
// the same domain.
func nearNames(asked string, names []string) []string {
	asked = strings.ToLower(asked)
	domain, _, _ := strings.Cut(asked, "/")
	near := map[string]int{}
	for _, name := range names {
		lower := strings.ToLower(name)
		switch letters := distance(asked, lower); {
		case letters <= max(2, len(asked)/6):
			near[name] = letters
		case strings.Contains(domain, ".") && (strings.HasPrefix(lower, domain+"/") ||
			strings.HasSuffix(lower, "."+domain) || strings.HasPrefix(asked, lower+"/")),
			len(asked) > 3 && strings.Contains(lower, asked):
			near[name] = len(asked) + letters
		}
	}
	return closest(few, near)
}

// isNear tells whether a name is a slip of the finger away. Of short ones everything is.
func isNear(wanted, name string) bool {
	return min(len(wanted), len(name)) > 2 && distance(wanted, name) <= max(1, len(wanted)/4)
}

// distance is the number of letters to insert, delete, replace or swap with a neighbour.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		current := make([]int, len(b)+1)
		current[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			current[j+1] = min(last[j+1]+1, current[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				current[j+1] = min(current[j+1], before[j-1]+1)
			}
		}
		before, last = last, current
	}
	return last[len(b)]
}
