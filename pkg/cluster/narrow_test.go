package cluster

import (
	"errors"
	"strconv"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestEachNarrowing lists 1,000 numbers. One of them can't be read, wherever it is: all before it are visited.
func TestEachNarrowing(t *testing.T) {
	const all = 1000
	damaged := apierrors.NewInternalError(errors.New("illegal base64"))
	for _, bad := range []int{0, 1, 2, 3, 7, 500, 511, 512, all - 1, all} {
		visited, requests := 0, 0
		fetch := func(options metav1.ListOptions, _ *listed) (page metav1.ListMeta, err error) {
			requests++
			start, _ := strconv.Atoi(options.Continue)
			end := min(start+int(options.Limit), all)
			if start <= bad && bad < end {
				return page, damaged
			}
			visited = end
			if end == all {
				return page, nil
			}
			page.Continue = strconv.Itoa(end)
			return page, nil
		}
		err := eachNarrowing(t.Context(), Selector{}, fetch)
		if visited != bad || (err == nil) != (bad == all) || requests > 25 {
			t.Errorf("number %d: visited %d in %d requests, %v", bad, visited, requests, err)
		}
	}
}

// TestEachNarrowingGivesUp passes on what smaller pages don't help against.
func TestEachNarrowingGivesUp(t *testing.T) {
	requests := 0
	err := eachNarrowing(t.Context(), Selector{}, func(options metav1.ListOptions, _ *listed) (metav1.ListMeta, error) {
		requests++
		if options.Limit > 1 {
			return metav1.ListMeta{}, apierrors.NewResourceExpired("too old")
		}
		return metav1.ListMeta{Continue: "1"}, nil
	})
	if !apierrors.IsResourceExpired(err) || requests != 2 {
		t.Errorf("%v after %d requests", err, requests)
	}
}
