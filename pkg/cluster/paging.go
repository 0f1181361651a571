package cluster

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// pageSize is kubectl's own, for lists that are held in memory. wholePage and metadataPage are for whole objects and
// metadata that are dropped as they pass: the API server may have to read every page but the first from etcd
// (docs/performance.md; k8s v1.37 apiserver/pkg/storage/cacher/cacher.go:ShouldDelegateContinue).
// Servers that don't stream JSON yet put a whole page together in their memory, which is why wholePage is shorter
// (k8s v1.37 apimachinery/pkg/runtime/serializer/json/collections.go:streamEncodeCollections).
const (
	pageSize     = 500
	wholePage    = 2_000
	metadataPage = 50_000
)

// fetchPage fetches one page of a list, counts its objects, and returns what it says of the list.
type fetchPage func(metav1.ListOptions, *listed) (metav1.ListMeta, error)

// eachPage fetches a list page by page, within bounds. A token that the server has forgotten starts the list again, but
// only once. What a list holds counts for those beside it until it has failed, or is dropped by who fetches it.
func eachPage(ctx context.Context, selector Selector, fetch fetchPage) (err error) {
	options := metav1.ListOptions{FieldSelector: selector.Fields, LabelSelector: selector.Labels, Limit: pageSize}
	if selector.Recent {
		options.ResourceVersion = "0"
	}
	list := newListed(ctx)
	defer func() {
		if err != nil || list.passing {
			list.drop()
		}
	}()
	for restarted := false; ; {
		next := ""
		page, err := fetch(options, list)
		if err == nil {
			next, err = list.next(page)
		}
		switch {
		case apierrors.IsResourceExpired(err) && options.Continue != "" && !restarted:
			list.drop()
			restarted, options.Continue, list = true, "", newListed(ctx)
		case err != nil:
			return err
		case next == "":
			return nil
		default:
			options.Continue, options.ResourceVersion = next, "" // a token says which version it is of
		}
	}
}

// narrowSteps bounds how many pages are asked for on the way to what can't be read.
const narrowSteps = 40

// eachNarrowing fetches a list in pages that grow while the server can read them, and get shorter once it can't, until
// not even one more object can be read.
func eachNarrowing(ctx context.Context, selector Selector, fetch fetchPage) (failed error) {
	options := metav1.ListOptions{FieldSelector: selector.Fields, LabelSelector: selector.Labels, Limit: 1}
	list := newListed(ctx)
	defer list.drop()
	for range narrowSteps {
		page, err := fetch(options, list)
		switch {
		case err == nil && page.Continue == "":
			return whole(page)
		case err != nil && (options.Limit == 1 || !hasCode(err, http.StatusInternalServerError)):
			return err
		case err != nil:
			failed = err
		default:
			options.Continue = page.Continue
		}
		if failed == nil {
			options.Limit = min(2*options.Limit, metadataPage)
		} else {
			options.Limit = max(options.Limit/2, 1)
		}
	}
	return cmp.Or(failed, errors.New("the list has too many pages to read one by one"))
}

func hasCode(err error, code int32) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && status.Status().Code == code
}

// definitionPage is how many definitions are fetched at a time: each may be as long as a megabyte.
const definitionPage = 32

// ListUpTo implements Reader. A list of metadata before it may have told how many there are. How many are left, the
// server says on the first page (k8s v1.37 apimachinery/pkg/apis/meta/v1/types.go:ListMeta.RemainingItemCount);
// where it doesn't, the next page tells.
func (l *Live) ListUpTo(
	ctx context.Context, resource Resource, namespace string, most int, visit func(*unstructured.Unstructured),
) (all bool, err error) {
	if count, known := l.counts.Load(keyOf(resource, namespace, "")); known && count.(int) > most {
		return false, nil
	}
	limit := int64(min(most, wholePage))
	if resource.GroupResource() == CustomResourceDefinitions().GroupResource() {
		limit = definitionPage
	}
	visited, all := int64(0), true
	err = eachPage(ctx, Selector{}, func(options metav1.ListOptions, list *listed) (metav1.ListMeta, error) {
		options.Limit, list.held, list.passing = limit, true, true
		if options.Continue == "" { // the first page, or the first again
			visited = 0
		}
		page, err := l.eachOfPage(ctx, resource, namespace, options, list, func(object *unstructured.Unstructured) {
			visited++
			visit(object)
		})
		if err != nil {
			return page, err
		}
		left := int64(1) // at least
		if page.RemainingItemCount != nil {
			left = max(*page.RemainingItemCount, 1)
		}
		if page.Continue != "" && visited+left > int64(most) {
			all = false
			return metav1.ListMeta{}, nil
		}
		return page, nil
	})
	return all && err == nil, err
}
