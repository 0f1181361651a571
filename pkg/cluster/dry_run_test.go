package cluster

import (
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// TestWrongProbes answers dry runs and reviews with what isn't an answer to them: nothing was let through, nor denied.
func TestWrongProbes(t *testing.T) {
	const at, reviews = "/api/v1/namespaces/shop/services/web", "/apis/authorization.k8s.io/v1/subjectaccessreviews"
	const serves = `200 {"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"services"},` +
		`{"name":"subjectaccessreviews"}]}`
	const service = `{"kind":"Service","apiVersion":"v1","metadata":{"name":"web","namespace":"shop"},` +
		`"status":{"loadBalancer":{}}}`
	const metadata = `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"web",` +
		`"namespace":"shop"}}`
	const success = `{"kind":"Status","apiVersion":"v1","status":"Success"}`
	const review = `{"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","status":{"allowed":true}}`
	for name, c := range map[string]struct {
		answer                   string
		patches, deletes, review bool // whether it is an answer to that
	}{
		"the object":           {answer: "200 " + service, patches: true, deletes: true},
		"its metadata":         {answer: "200 " + metadata, patches: true},
		"another object":       {answer: "200 " + strings.Replace(service, "web", "db", 1)},
		"a Status of success":  {answer: "200 " + success, deletes: true},
		"a Status of failure":  {answer: "200 " + notFound},
		"a review":             {answer: "200 " + review, review: true},
		"a review of nothing":  {answer: "200 " + strings.Replace(review, "status", "spec", 1)},
		"an empty object":      {answer: "200 {}"},
		"null":                 {answer: "200 null"},
		"nothing":              {answer: "200 "},
		"HTML":                 {answer: "200 <html>"},
		"404 of no API server": {answer: "404 page not found"},
		"404 of nothing":       {answer: "404 " + notFound},
		"a redirect":           {answer: "307 https://elsewhere.example.com/"},
	} {
		live, _ := answering(t, map[string]string{at: c.answer, reviews: c.answer, "/api/v1": serves,
			"/apis/authorization.k8s.io/v1": serves})
		_, patched := live.ProbePatch(t.Context(), Services(), "shop", "web", "", []byte("[]"))
		deleted := live.ProbeDelete(t.Context(), Services(), "shop", "web")
		_, _, reviewed := live.Review(t.Context(), "somebody", nil, "patch", Services(), "shop", "web")
		for what, one := range map[string]struct {
			err  error
			good bool
		}{"patch": {patched, c.patches}, "delete": {deleted, c.deletes}, "review": {reviewed, c.review}} {
			if (one.err == nil) != one.good || apierrors.IsNotFound(one.err) {
				t.Errorf("%s, to a %s: %v", name, what, fmt.Sprint(one.err))
			}
		}
	}
}
