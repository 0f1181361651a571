package mechanism

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestDamages(t *testing.T) {
	corrupt := "StorageError: corrupt object, Code: 7, Key: /registry/configmaps/a/b, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=330: "
	order := schema.GroupKind{Group: "shop.example.com", Kind: "Order"}
	cases := map[string][]damage{
		"":                                   nil,
		"admission webhook \"w\" denied":     nil,
		"too many requests, try again later": nil,
		"Internal error occurred: " + corrupt + "illegal base64 data":                                {{key: "/registry/configmaps/a/b", said: "illegal base64 data"}},
		"failed to read one or more configmaps from the storage: " + corrupt + "x, " + corrupt + "x": {{key: "/registry/configmaps/a/b", said: "x"}},
		"N remaining: " + corrupt + "x, unexpected items still remain in namespace: n for gvr: /v1, Resource=pods": {
			{key: "/registry/configmaps/a/b", said: "x"},
		},
		"conversion webhook for shop.example.com/v1, Kind=Order failed: refused":                                       {{kind: order, said: "refused"}},
		corrupt + `conversion webhook for shop.example.com/v1, Kind=Order failed: Post "https://a.b.svc:443": refused`: {{key: "/registry/configmaps/a/b", kind: order, said: `Post "https://a.b.svc:443": refused`}},
	}
	for text, want := range cases {
		if diff := cmp.Diff(want, damages(text), cmp.AllowUnexported(damage{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestObjectAt(t *testing.T) {
	w := worldOf(t, nil, "")
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
		if object, known := w.objectAt(t.Context(), key); known {
			got = object.Ref.String()
		}
		if got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
}
