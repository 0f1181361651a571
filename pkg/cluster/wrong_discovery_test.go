package cluster

import (
	"fmt"
	"strings"
	"testing"
)

// TestWrongDiscovery answers what the server serves with nothing of the kind.
func TestWrongDiscovery(t *testing.T) {
	const core = `200 {"kind":"APIVersions","versions":["v1"]}`
	const groups = `200 {"kind":"APIGroupList","groups":[{"name":"apps","versions":[{"groupVersion":"apps/v1",` +
		`"version":"v1"}],` +
		`"preferredVersion":{"groupVersion":"apps/v1","version":"v1"}}]}`
	const pods = `200 {"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods","kind":"Pod",` +
		`"verbs":["list"]}]}`
	const aggregated = `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[]}`
	for name, c := range map[string]struct{ api, apis, v1, apps, want string }{
		"all is well":              {},
		"an empty object for both": {api: "200 {}", apis: "200 {}", want: "without apiVersion and kind"},
		"an empty object, core":    {api: "200 {}", want: "without apiVersion and kind"},
		"an empty object, groups":  {apis: "200 {}", want: "without apiVersion and kind"},
		"no groups": {apis: `200 {"kind":"APIGroupList","groups":[]}`,
			want: "an empty list of what it serves"},
		"no versions": {api: `200 {"kind":"APIVersions","versions":[]}`,
			want: "an empty list of what it serves"},
		"aggregated, empty": {api: "200 " + aggregated, apis: "200 " + aggregated,
			want: "an empty list of what it serves"},
		"HTML":                  {api: "200 <html>", want: "HTML"},
		"a Status":              {apis: "200 " + notFound, want: "a Status"},
		"a redirect":            {api: "302 https://login.example.com/", want: "a redirect to https://login.example.com"},
		"no core group":         {api: "404 {}", want: "no resources of the core group"},
		"an empty core group":   {v1: "404 {}", want: "received empty response for: v1"},
		"far too long":          {apis: "200 {" + strings.Repeat(" ", maxAnswer), want: "more than 64 MiB"},
		"a group that is empty": {apps: "200 {}", want: "apps/v1"},
		"a group that is HTML":  {apps: "200 <html>", want: "apps/v1"},
	} {
		or := func(answer, otherwise string) string {
			if answer == "" {
				return otherwise
			}
			return answer
		}
		live, _ := answering(t, map[string]string{"/api": or(c.api, core), "/apis": or(c.apis, groups),
			"/api/v1": or(c.v1, pods), "/apis/apiextensions.k8s.io/v1/customresourcedefinitions": "403 {}",
			"/apis/apiregistration.k8s.io/v1/apiservices": "403 {}",
			"/apis/apps/v1": or(c.apps,
				`200 {"kind":"APIResourceList","groupVersion":"apps/v1","resources":[{"name":"deployments",`+
					`"kind":"Deployment"}]}`)})
		servedKinds, err := live.ServedKinds(t.Context())
		if err == nil && len(servedKinds.Failed) > 0 {
			err = fmt.Errorf("%v", servedKinds.Failed)
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

// TestUnlisted names what a scan could not list, and leaves out what has gone.
func TestUnlisted(t *testing.T) {
	live, _ := answering(t, map[string]string{
		"/api/v1/pods": "404 {}", "/api/v1/services": "405 {}", "/api/v1/events": "404 {}",
		"/api/v1": `200 {"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods"},{"name":"services"}]}`,
	})
	unlisted := ScanFor(t.Context(), live, []Resource{Pods(), Services(), Events()}, "", Selector{}, nil)
	if len(unlisted) != 2 || unlisted[0].Resource.Resource != "pods" || unlisted[1].Resource.Resource != "services" {
		t.Errorf("unlisted: %v", unlisted)
	}
}
