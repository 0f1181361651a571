package snapshot

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// settle decides by what each name is replaced. What is called as a field manager keeps its name, as that does: that a
// program has written is known by nothing else. One that begins with another one and a hyphen, as a pod's with that of
// its ReplicaSet, or that consists of others, still does so, and the words by which operators are known stay.
func (n *names) settle() {
	sorted := slices.SortedFunc(maps.Keys(n.met), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	n.kept = n.kept.Union(n.users.Intersection(n.managers))
	count := map[string]int{}
	leases := n.driverLeases()
	for _, name := range sorted {
		if n.managers.Has(name) {
			n.by[name] = name
		}
		if n.by[name] != "" || n.kept.Has(name) || strings.Contains(name, ":") || leases(name) {
			continue
		}
		stem := "name"
		if n.by[name] = n.joined(name); n.by[name] == "" {
			stem = n.extend(name)
		}
		stem = withRole(withRole(stem, name, operatorWords()), name, dutyWords())
		for n.by[name] == "" {
			count[stem]++
			if next := fmt.Sprintf("%s-%d", stem, count[stem]); !n.taken.Has(next) {
				n.by[name] = next
			}
		}
		n.taken.Insert(n.by[name])
	}
}

// extend replaces a name that begins with another one, if Kubernetes has added the rest. It returns what stands for
// that other name, with which its replacement begins in any case.
func (n *names) extend(name string) (stem string) {
	for at := len(name) - 1; at > 0; at-- {
		if prefix := n.by[name[:at]]; name[at] == '-' && prefix != "" {
			if made := n.generated(prefix, name[at+1:]); !n.taken.Has(made) {
				n.by[name] = made
			}
			return prefix
		}
	}
	return "name"
}

// generated replaces a name that begins with another one, and to which Kubernetes has added an end, as it does for
// ReplicaSets and pods: by this form, a Lease's holder is known for a pod that is gone. The ordinal of a StatefulSet's
// pod stays, if it has no more digits than what tells nothing. It is empty for any other.
func (n *names) generated(prefix, end string) string {
	const ordinal = 2
	if number := strings.Trim(end, "0123456789") == ""; number && end != "" && len(end) <= ordinal {
		return prefix + "-" + end
	}
	if !naming.GeneratedEnd(end) {
		return ""
	}
	for part := range strings.SplitSeq(end, "-") {
		if n.ends[part] == "" {
			n.ends[part] = naming.MakeEnd(len(n.ends), len(part))
		}
		prefix += "-" + n.ends[part]
	}
	return prefix
}

// joined replaces a name of two others and a number, as a claim's of its template and StatefulSet; empty for any other.
func (n *names) joined(name string) string {
	last := strings.LastIndexByte(name, '-')
	if last < 0 || last == len(name)-1 || strings.Trim(name[last+1:], "0123456789") != "" {
		return ""
	}
	for at := last - 1; at > 0; at-- {
		first, second := n.by[name[:at]], n.by[name[min(at+1, last):last]]
		if name[at] == '-' && first != "" && second != "" {
			return first + "-" + second + name[last:]
		}
	}
	return ""
}
