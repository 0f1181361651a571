package zoo_test

import (
	"encoding/json"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// paged answers a list with one object, a token for the next page, and how many objects are said to follow; anything
// else with a failure.
func paged(token func(*http.Request) any, remaining any) func(http.ResponseWriter, *http.Request, http.HandlerFunc) {
	return func(w http.ResponseWriter, r *http.Request, _ http.HandlerFunc) {
		if !strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadataList") { // which scans ask for
			refusing(http.StatusInternalServerError, metav1.StatusReasonInternalError, 0)(w, r, nil)
			return
		}
		meta := map[string]any{"resourceVersion": "1", "remainingItemCount": remaining}
		if token != nil {
			meta["continue"] = token(r)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "metadata": meta, "items": []any{map[string]any{
				"metadata": map[string]any{"name": "one", "namespace": "faults", "uid": "one", "resourceVersion": "1"},
			}},
		})
	}
}

func again(*http.Request) any { return "again" }

// counted are tokens without end for ConfigMaps, and the same one for all else: of each kind, a hundred pages are read.
func counted() func(*http.Request) any {
	var count atomic.Int64
	return func(r *http.Request) any {
		if path.Base(r.URL.Path) != "configmaps" {
			return again(r)
		}
		return strconv.FormatInt(count.Add(1), 10)
	}
}
