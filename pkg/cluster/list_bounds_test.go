package cluster

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/pager"
)

// TestEndlessLists asks a server whose lists of metadata, of whole objects and of rows never end, as it pleases: with
// empty pages, with the same objects again and again, or with tokens that repeat. All are unreadable, after a bounded
// number of pages.
func TestEndlessLists(t *testing.T) {
	const one = `{"metadata":{"namespace":"shop","name":"a"}}`
	for name, c := range map[string]struct {
		items, row string
		token      func(page int64) string
		want       string
	}{
		"empty pages": {token: func(page int64) string { return fmt.Sprint(page) }, want: "a list that has no end"},
		"pages of one object": {items: one, row: `{"cells":[],"object":` + one + `}`,
			token: func(page int64) string { return fmt.Sprint(page) }, want: "a list that has no end"},
		"a circle": {items: one, row: `{"cells":[],"object":` + one + `}`,
			token: func(page int64) string { return fmt.Sprint(page % 5) }, want: "the same page of a list twice"},
	} {
		t.Run(name, func(t *testing.T) {
			var pages atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				said := fmt.Sprintf(`"metadata":{"continue":%q}`, c.token(pages.Add(1)))
				w.Header().Set("Content-Type", "application/json")
				if strings.Contains(r.Header.Get("Accept"), "as=Table") {
					_, _ = fmt.Fprintf(w, `{"kind":"Table","apiVersion":"meta.k8s.io/v1",%s,"rows":[%s]}`, said, c.row)
					return
				}
				_, _ = fmt.Fprintf(w, `{"kind":"ServiceList","apiVersion":"v1",%s,"items":[%s]}`, said, c.items)
			}))
			defer server.Close()
			live, err := NewLive(t.Context(), &rest.Config{Host: server.URL}, "")
			if err != nil {
				t.Fatal(err)
			}
			ways := theWaysToList(live, Services())
			ways["Rows"] = func(ctx context.Context) (int, error) {
				_, err := live.Rows(ctx, Services(), "shop", "")
				return 0, err
			}
			ways["Watch"] = func(ctx context.Context) (int, error) {
				list := &watched{live: live, scope: Scope{Resource: Services(), Namespace: "shop"}}
				found, _, err := pager.New(list.page).List(ctx, metav1.ListOptions{})
				return meta.LenList(found), err
			}
			for way, list := range ways {
				pages.Store(0)
				_, err := list(t.Context())
				if got, wrong := GotWrongAnswer(err); !wrong || !strings.HasPrefix(got, c.want) || pages.Load() > 2*emptyPages {
					t.Errorf("%s: after %d pages: %v", way, pages.Load(), err)
				}
			}
		})
	}
}

// TestBoundsOfLists counts pages: full ones may be many, and even those end.
func TestBoundsOfLists(t *testing.T) {
	for name, c := range map[string]struct{ each, most int }{
		"a million objects, 500 at a time": {each: 500, most: 2_000},
		"ten at a time":                    {each: 10, most: 5_000},
	} {
		list := &listed{}
		for page := range c.most {
			list.objects += c.each
			if _, err := list.next(metav1.ListMeta{Continue: fmt.Sprint(page)}); err != nil {
				t.Fatalf("%s: page %d: %v", name, page, err)
			}
		}
	}
	list := &listed{objects: mostObjects - 1}
	if list.count() != nil || list.count() == nil {
		t.Errorf("not bounded at %d objects", mostObjects)
	}
}

// TestListsInProtobufThatEndTooEarly are of seven objects, and have none of them.
func TestListsInProtobufThatEndTooEarly(t *testing.T) {
	page, left := somePage(""), int64(7)
	page.RemainingItemCount = &left
	for _, selector := range []Selector{{}, {Narrow: true}} {
		live, _ := served(t, inProtobuf(t, page))
		err := live.EachMetadata(t.Context(), Pods(), "", selector, func(*metav1.PartialObjectMetadata) {})
		if got, _ := GotWrongAnswer(err); got != "a list that ends before its last 7 objects" {
			t.Errorf("%+v: error %v", selector, err)
		}
	}
}

// TestWatchesAreBounded counts what a watch sends as the state: a gigabyte of it ends the watch, what was left out of
// the objects doesn't count, and what comes after the state is not kept.
func TestWatchesAreBounded(t *testing.T) {
	event := func(kind watch.EventType, finalizer, annotation string) watch.Event {
		object := &metav1.PartialObjectMetadata{}
		object.Finalizers, object.Annotations = []string{finalizer}, map[string]string{"note": annotation}
		if kind == watch.Bookmark {
			object.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
		}
		return watch.Event{Type: kind, Object: object}
	}
	long := strings.Repeat("x", 1<<20)
	for name, c := range map[string]struct {
		first watch.Event
		more  watch.Event
		ends  bool
	}{
		"long objects":                  {event(watch.Added, "", ""), event(watch.Added, long, ""), true},
		"what is left out is long":      {event(watch.Added, "", ""), event(watch.Added, "a/b", long), false},
		"changes that follow the state": {event(watch.Bookmark, "", ""), event(watch.Modified, long, ""), false},
	} {
		sent := &initialEvents{}
		sent.filter(c.first)
		ended := false
		for range mostHeld>>20 + 1 {
			got, shown := sent.filter(*c.more.DeepCopy())
			ended = ended || got.Type == watch.Error
			if !shown {
				t.Errorf("%s: an event is left out", name)
			}
		}
		if ended != c.ends {
			t.Errorf("%s: it ended: %v", name, ended)
		}
	}
}

// endless answers with a beginning and then with the same again and again until the reader has gone, packed or not.
func endless(t *testing.T, start, more string, pack bool) (live *Live, sent *atomic.Int64) {
	t.Helper()
	sent = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		out := io.Writer(w)
		if pack {
			w.Header().Set("Content-Encoding", "gzip")
			out = gzip.NewWriter(w)
		}
		text, most := []byte(start), int64(20<<30)
		for sent.Store(0); sent.Load() < most; text = []byte(strings.Repeat(more, 1+1<<20/len(more))) {
			n, err := out.Write(text)
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
	}))
	t.Cleanup(server.Close)
	live, err := NewLive(t.Context(), &rest.Config{Host: server.URL}, "")
	if err != nil {
		t.Fatal(err)
	}
	return live, sent
}

// TestScanHoldsNoMore scans lists of objects. Who asked may keep what is selected, and so that may not be too much:
// what is being deleted as a whole, and all else as far as it was left.
func TestScanHoldsNoMore(t *testing.T) {
	const objects = 1_100
	now, long := metav1.Now(), strings.Repeat("x", 1<<20)
	for name, c := range map[string]struct {
		object metav1.ObjectMeta
		ends   bool
	}{
		"being deleted": {metav1.ObjectMeta{Annotations: map[string]string{"a": long}, DeletionTimestamp: &now}, true},
		"as a whole":    {metav1.ObjectMeta{Annotations: map[string]string{"a": long}}, true},
		"names":         {metav1.ObjectMeta{Name: "web"}, false},
	} {
		visited := 0
		many := manyObjects{object: &metav1.PartialObjectMetadata{ObjectMeta: c.object}, count: objects}
		unread := ScanFor(t.Context(), many, []Resource{Services()}, "", Selector{},
			func(Resource, *metav1.PartialObjectMetadata) { visited++ })
		if c.ends != (visited < objects) || c.ends != (len(unread) == 1) || visited == 0 {
			t.Errorf("%s: %d of %d objects were visited, and %v could not be read", name, visited, objects, unread)
		}
		if len(unread) > 0 && !strings.Contains(unread[0].Err.Error(), "more than 768 MiB of memory") {
			t.Error(unread[0].Err)
		}
	}
}

// manyObjects has one object many times over, for who waits for the end of it.
type manyObjects struct {
	Reader
	object *metav1.PartialObjectMetadata
	count  int
}

// EachMetadata implements Reader.
func (m manyObjects) EachMetadata(
	ctx context.Context, _ Resource, _ string, _ Selector, visit func(*metav1.PartialObjectMetadata),
) error {
	for range m.count {
		visit(m.object)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// TestBombs reads answers without end: a list of small objects, an object with a text or with maps
// that don't end, lists in lists, and spaces. All are unreadable, and what they took is bounded.
func TestBombs(t *testing.T) {
	const list = `{"kind":"ServiceList","apiVersion":"v1","metadata":{},"items":[`
	for name, c := range map[string]struct {
		start, more string
		want        string
		most        int64 // MiB sent
	}{
		"objects": {list + `{}`, `,{"data":[{},{},{},{},{},{},{},{}]}`, "a list that would take more than 768 MiB of memory",
			200},
		"a text": {list + `{"metadata":{"name":"`, `xxxxxxxx`, "a list with an object of more than 8 MiB", 40},
		"maps":   {list + `{"data":[1`, `,{"":1}`, "a list with an object that would take more than 128 MiB of memory", 40},
		"a name": {list + `{"`, `xxxxxxxx`, "a list with an object of more than 8 MiB", 40},
		"objects before their kind": {`{"items":[{}`, `,{"data":[{},{},{},{},{},{},{},{}]}`,
			"a list that would take more than 768 MiB of memory", 200},
		"spaces":  {list, `        `, "a list with an object of more than 8 MiB", 40},
		"a field": {`{"kind":"ServiceList","other":[1`, `,1`, "", 40},
	} {
		t.Run(name, func(t *testing.T) {
			live, sent := endless(t, c.start, c.more, false)
			_, err := live.List(t.Context(), Services(), "shop", Selector{})
			got, wrong := GotWrongAnswer(err)
			if !wrong || c.want != "" && got != c.want || !strings.Contains(err.Error(), "services") {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if sent.Load()>>20 > c.most {
				t.Errorf("%d MiB were read", sent.Load()>>20)
			}
			err = live.EachMetadata(t.Context(), Services(), "", Selector{}, func(*metav1.PartialObjectMetadata) {})
			if got, wrong := GotWrongAnswer(err); !wrong || c.want != "" && got != c.want {
				t.Errorf("metadata: error %v, want %q", err, c.want)
			}
			if sent.Load()>>20 > c.most {
				t.Errorf("metadata: %d MiB were read", sent.Load()>>20)
			}
		})
	}
	live, _ := endless(t, list+`{"metadata":{"name":"`, "x", true)
	_, err := live.List(t.Context(), Services(), "shop", Selector{})
	if err == nil || !strings.Contains(err.Error(), "8 MiB") {
		t.Errorf("packed: error %v", err)
	}
	live, _ = endless(t, `{"kind":"Service","apiVersion":"v1","metadata":{"namespace":"shop","name":"web"},"data":[1`,
		`,{"":1}`, false)
	_, err = live.Get(t.Context(), Services(), "shop", "web")
	if err == nil || !strings.Contains(err.Error(), "shop/web") {
		t.Errorf("one object: error %v", err)
	}
	heavy := `{"kind":"Service","apiVersion":"v1","metadata":{"namespace":"shop","name":"web"},"data":[1` +
		strings.Repeat(`,{"":1}`, 2<<20) + `]}`
	live, _ = answering(t, map[string]string{"/api/v1/namespaces/shop/services/web": "200 " + heavy})
	if _, err := live.Get(t.Context(), Services(), "shop", "web"); err == nil ||
		!strings.Contains(err.Error(), "128 MiB of memory") {
		t.Errorf("one heavy object: error %v", err)
	}
}

// TestListsTogether has one diagnosis read lists that are each within bounds: together they are not, whether they are
// read side by side or one after the other.
func TestListsTogether(t *testing.T) {
	const start, lists = `{"kind":"ServiceList","apiVersion":"v1","metadata":{},"items":[{}`, 16
	large := start + strings.Repeat(`,{"data":[{},{},{},{},{},{},{},{}]}`, 40_000) + `]}` // 130 MiB by its weight
	answers := map[string]string{}
	for number := range lists {
		answers[fmt.Sprintf("/api/v1/namespaces/shop-%d/services", number)] = "200 " + large
	}
	live, _ := answering(t, answers)
	reader, failed := NewCachedReader(live), 0
	for number := range lists {
		if _, err := reader.List(t.Context(), Services(), fmt.Sprintf("shop-%d", number), Selector{}); err != nil {
			failed++
			if got, _ := GotWrongAnswer(err); got != "a list that would take more than 768 MiB of memory" {
				t.Errorf("list %d: %v", number, err)
			}
		}
	}
	if failed == 0 || failed == lists || len(reader.Failures()) != failed {
		t.Errorf("%d of %d lists could not be read, and %d failures are known", failed, lists, len(reader.Failures()))
	}
	reader = NewCachedReader(live)
	for range 20 { // these are dropped, and count no longer
		none := func(*unstructured.Unstructured) bool { return false }
		all := reader.Gather(t.Context(), Services(), "shop-0", 1_000_000, none)
		if !all {
			t.Fatal("a list that is dropped keeps others from being read")
		}
		if testing.Short() {
			break
		}
	}

	endless, _ := endless(t, start, `,{}`, true)
	reader = NewCachedReader(endless)
	var visited atomic.Int64
	var side sync.WaitGroup
	for number := range lists {
		side.Go(func() {
			err := reader.EachMetadata(t.Context(), Services(), fmt.Sprintf("shop-%d", number), Selector{},
				func(*metav1.PartialObjectMetadata) { visited.Add(1) })
			if _, wrong := GotWrongAnswer(err); !wrong {
				t.Errorf("list %d: %v", number, err)
			}
		})
	}
	side.Wait()
	if most := int64(lists * mostHeld / objectSize / 4); visited.Load() > most {
		t.Errorf("%d objects were handed on, want %d at most", visited.Load(), most)
	}
}
