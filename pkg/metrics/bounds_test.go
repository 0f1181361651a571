package metrics

import (
	"fmt"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// crowd is many objects of many kinds in many namespaces.
func crowd(count int) *Numbers {
	n := &Numbers{findings: map[found]int{}}
	verdicts := []result.Verdict{result.Progressing, result.Stuck, result.Undetermined}
	for i := range count {
		n.objects = append(n.objects, object{
			ref: finding.Ref{
				APIVersion: "example.com/v1", Kind: fmt.Sprintf("Thing%d", i%30), Namespace: fmt.Sprintf("ns-%d", i%97),
				Name: fmt.Sprintf("thing-%d", i), UID: fmt.Sprint(i),
			},
			verdict: verdicts[i%3], deleted: time.Unix(int64(1_700_000_000+i), 0),
			reason: finding.Reasons()[i%len(finding.Reasons())],
		})
	}
	return n
}

// TestBounds holds the number of series, whatever there is, and loses no object.
func TestBounds(t *testing.T) {
	for _, count := range []int{0, 1, 10_000} {
		exporter := of(crowd(count))
		_ = exporter.LookOnce(t.Context())
		var sum, stuck int
		groups := exporter.state.numbers.groups(exporter.Series)
		for is, size := range groups {
			sum += size.count
			if is.namespace != otherName && is.verdict == result.Stuck {
				stuck++
			}
		}
		if most := exporter.Series + 3*(len(finding.Reasons())+1); len(groups) > most || sum != count {
			t.Errorf("%d groups of %d objects, for %d; want no more than %d", len(groups), sum, count, most)
		}
		if count > 1 && stuck != exporter.Series {
			t.Errorf("%d of the groups that keep their names are stuck, want %d", stuck, exporter.Series)
		}
		if told := series(t, exporter); told > 200 {
			t.Errorf("%d series for %d objects", told, count)
		}
	}
	worst := crowd(10_000).worst(2)
	if worst[0].ref.Name != "thing-1" || worst[1].ref.Name != "thing-4" {
		t.Errorf("the worst are %v", worst)
	}
}

// TestHostileNames serves names with any content.
func TestHostileNames(t *testing.T) {
	n := crowd(1)
	n.objects[0].ref.Name = "a\"b\\c\nd\xff{}"
	exporter := of(n)
	_ = exporter.LookOnce(t.Context())
	says(t, exporter, `finalizers_terminating_object_deletion_timestamp_seconds{name="a\"b\\c\\nd\\xff{}",`)
}
