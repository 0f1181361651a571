package mechanism

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestDamages(t *testing.T) {
	corrupt := "StorageError: corrupt object, Code: 7, Key: /registry/configmaps/a/b, ResourceVersion: 0, " +
		"AdditionalErrorMsg: object not decodable revision=330: "
	order := schema.GroupKind{Group: "shop.example.com", Kind: "Order"}
	cases := map[string][]session.Damage{
		"":                                   nil,
		"admission webhook \"w\" denied":     nil,
		"too many requests, try again later": nil,
		"Internal error occurred: " + corrupt +
			"illegal base64 data": {{Key: "/registry/configmaps/a/b", Said: "illegal base64 data",
			Deletable: true}},
		"failed to read one or more configmaps from the storage: " + corrupt + "x, " + corrupt +
			"x": {{Key: "/registry/configmaps/a/b", Said: "x", Deletable: true}},
		"N remaining: " + corrupt + "x, unexpected items still remain in namespace: n for gvr: /v1, Resource=pods": {
			{Key: "/registry/configmaps/a/b", Said: "x", Deletable: true},
		},
		"conversion webhook for shop.example.com/v1, Kind=Order failed: refused": {
			{Kind: order, Said: "refused"}},
		corrupt + `conversion webhook for shop.example.com/v1, Kind=Order failed: Post "https://a.b.svc:443": refused`: {
			{Key: "/registry/configmaps/a/b", Kind: order, Said: `Post "https://a.b.svc:443": refused`, Deletable: true}},
		`unable to transform key "/registry/secrets/a/b": no matching prefix found, ` +
			`unexpected items still remain in namespace: n`: {
			{Key: "/registry/secrets/a/b", Said: "no matching prefix found"},
		},
		"Failed to delete all resource types, 1 remaining: illegal base64 data at input byte 3": nil,
	}
	for text, want := range cases {
		if diff := cmp.Diff(want, session.Damages(text), cmp.AllowUnexported(session.Damage{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// TestUnnamed has texts of real servers of 1.30, and of 1.37 that behave as 1.34.
func TestUnnamed(t *testing.T) {
	const base64, literal = "illegal base64 data at input byte 3", "invalid character 'o' in literal null (expecting 'u')"
	const unready = "storage is (re)initializing"
	for text, want := range map[string]string{
		"":                              "",
		"etcdserver: request timed out": "",
		unready:                         "",
		unready + ": failed to list <unspecified>: EOF": "",
		base64: base64,
		"Failed to delete all resource types, 1 remaining: " + base64:               base64,
		unready + ": failed to list <unspecified>: " + literal:                      literal,
		`unable to transform key "/registry/secrets/a/b": no matching prefix found`: "",
	} {
		if got := session.Unnamed(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestObjectAt(t *testing.T) {
	memory, err := clustertest.New(time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC), "")
	if err != nil {
		t.Fatal(err)
	}
	w := NewTools(memory, nil, session.Kubectl{})
	cases := map[string]string{
		"/registry/configmaps/shop/notes":                   "ConfigMap shop/notes",
		"/configmaps/shop/notes":                            "ConfigMap shop/notes",
		"/registry/minions/n1":                              "Node n1",
		"/registry/services/specs/shop/web":                 "Service shop/web",
		"/registry/shop.example.com/databases/shop/db":      "Database shop/db",
		"/my/prefix/shop.example.com/databases/shop/db":     "Database shop/db",
		"/registry/apiregistration.k8s.io/apiservices/v1.x": "APIService v1.x",
		"/registry/deployments/shop/web":                    "Deployment shop/web",
		"/registry/databases/shop/db":                       "", // a custom kind's key has its group
		"/registry/ghosts/shop/x":                           "",
		"/registry/configmaps/shop":                         "",
		"":                                                  "",
	}
	for key, want := range cases {
		got := ""
		if object, known := objectAt(t.Context(), w.Session, key); known {
			got = object.Ref.String()
		}
		if got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
}

func TestStorageAnswer(t *testing.T) {
	const text = "StorageError: corrupt object, Code: 7, Key: /registry/configmaps/shop/notes, ResourceVersion: 0, " +
		"AdditionalErrorMsg: object not decodable revision=330: x"
	namespace := manifest("v1", "Namespace", "", "shop", deleted(time.Hour), "")
	for _, c := range []mechanismCase{
		{name: "the object can be read again", told: []string{"progress FailureOver Namespace shop"}},
		{name: "and nobody tries again", objects: managerDown(), told: managerIsDown()},
		{name: "the object may not be read", deny: "configmaps"},
	} {
		if c.objects == "" {
			c.objects = managerRuns()
		}
		tools := toolsFor(t, namespace+c.objects, c.deny)
		answer, damaged := storageAnswer(t.Context(), tools.Session, tools.Health, firstOf(t, tools, namespace), text, false)
		for i := range answer.Progress {
			answer.Progress[i].Key = "" // it has the object in it
		}
		if !damaged || c.told == nil && !unread(answer) || c.told != nil && !cmp.Equal(c.told, told(answer)) {
			t.Errorf("%s: told %q, want %q", c.name, told(answer), c.told)
		}
	}
}
