package mechanism

import (
	"strings"
	"testing"
	"time"
)

func TestDeclaredWait(t *testing.T) {
	const version = "sql.crossplane.example/v1"
	config := manifest(version, "ProviderConfig", "", "default", deleted(time.Hour, "in-use.crossplane.io"), "")
	usage := func(name, of, meta string) string {
		owned := strings.TrimSuffix("ownerReferences: [{apiVersion: v1, kind: X, name: x, uid: x, controller: true}], "+meta,
			", ")
		return manifest(version, "ProviderConfigUsage", "", name, owned, "providerConfigRef: {name: "+of+"}")
	}
	const user = "wait ProviderConfigUsage one"
	runCases(t, []mechanismCase{
		{
			name: "a user that nobody has deleted", objects: config + usage("one", "default", "") + usage("two", "other", ""),
			told: []string{user, "  cause StillInUse DeclaredUser ProviderConfigUsage one " +
				"key DeclaredUser,in-use.crossplane.io,ProviderConfig default,providerconfigusages.sql.crossplane.example," +
				"is the record of a managed resource that uses it"},
		},
		{
			name: "a user that is going", objects: config + usage("one", "default", deleted(time.Hour, "x")),
			told: []string{user},
		},
		{name: "users that may not be read", objects: config + usage("one", "default", ""), deny: "providerconfigusages"},
	})
}
