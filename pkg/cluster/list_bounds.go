package cluster

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What one list may come to. The API server fills its pages, and etcd holds no more than 8 GiB, which is a few million
// of the smallest objects; a server that goes on beyond that will never end.
const (
	mostObjects = 5_000_000
	mostPages   = 10_000
	emptyPages  = 100 // pages that need not have any objects
	pageWorth   = 10  // objects for each page more
)

// listed is what was read of one list so far. Its pages share one.
type listed struct {
	objects, pages int
	tokens         map[string]bool // that were sent
}

// object counts one object more. It returns a WrongAnswer where there are more than any server holds.
func (l *listed) object() error {
	if l.objects++; l.objects > mostObjects {
		return &WrongAnswer{Got: fmt.Sprintf("a list of more than %d objects", mostObjects)}
	}
	return nil
}

// next takes what a page says of its list, and returns the token of the page that follows, or none at the end. It
// returns a WrongAnswer where the list turns in a circle, doesn't end, or ends before its end.
func (l *listed) next(page metav1.ListMeta) (token string, err error) {
	l.pages++
	switch {
	case page.Continue == "":
		return "", whole(page)
	case l.tokens[page.Continue]:
		return "", &WrongAnswer{Got: "the same page of a list twice"}
	case l.pages >= mostPages, l.pages >= emptyPages+l.objects/pageWorth:
		return "", &WrongAnswer{Got: fmt.Sprintf("a list that has no end: %d objects on %d pages, and more to come",
			l.objects, l.pages)}
	}
	if l.tokens == nil {
		l.tokens = map[string]bool{}
	}
	l.tokens[page.Continue] = true
	return page.Continue, nil
}

// take takes a page that was read as a whole.
func (l *listed) take(page *metav1.PartialObjectMetadataList) error {
	for range page.Items {
		if err := l.object(); err != nil {
			return err
		}
	}
	_, err := l.next(page.ListMeta)
	return err
}

// whole returns a WrongAnswer where the last page of a list says that objects follow it.
func whole(last metav1.ListMeta) error {
	if last.RemainingItemCount == nil || *last.RemainingItemCount <= 0 {
		return nil
	}
	return &WrongAnswer{Got: fmt.Sprintf("a list that ends before its last %d objects", *last.RemainingItemCount)}
}
