package mechanism

import (
	"strings"
	"testing"
	"time"
)

func TestDeclaredWait(t *testing.T) {
	const version = "sql.crossplane.example/v1"
	config := manifest(version, "ProviderConfig", "", "default", deleted(time.Hour, "in-use.crossplane.io"), "")
	usage := func(name, text, meta string) string {
		owned := strings.TrimSuffix("ownerReferences: [{apiVersion: v1, kind: X, name: x, uid: x, controller: true}], "+meta,
			", ")
		return manifest(version, "ProviderConfigUsage", "", name, owned, "providerConfigRef: {name: "+text+"}")
	}
	provider := func(replicas int, resource string) string {
		return strings.NewReplacer("kube-system", "sql-system", "karpenter", "provider-sql", "'*'",
			"sql.crossplane.example").Replace(karpenter(replicas) + rights("kube-system", resource))
	}
	standing := []string{"wait ProviderConfigUsage one", "  cause StillInUse DeclaredUser ProviderConfigUsage one " +
		"key DeclaredUser,in-use.crossplane.io,ProviderConfig default,providerconfigusages.sql.crossplane.example," +
		"is the record of a managed resource that uses it"}
	const user, down = "wait ProviderConfigUsage one", "wait Deployment sql-system/provider-sql"
	const missing = "cause ControllerMissing KnownControllerMissing ProviderConfig default " +
		"key missing controller,in-use.crossplane.io,sql.crossplane.example"
	cause := []string{down, "  cause ControllerDown ControllerNotRunning Deployment sql-system/provider-sql"}
	used := usage("one", "default", "")
	going := usage("one", "default", deleted(time.Hour, "x"))
	recorded := strings.Replace(used, "providerConfigRef:",
		"resourceRef: {apiVersion: "+version+", kind: Grant, name: all}\nproviderConfigRef:", 1)
	grant := func(meta string) string { return manifest(version, "Grant", "", "all", meta, "") }
	runCases(t, []mechanismCase{
		{
			name:    "a user that nobody has deleted",
			objects: config + provider(1, "providerconfigs") + used + usage("two", "other", ""),
			told:    standing,
		},
		{
			name:    "the record of a user that nobody has deleted",
			objects: config + provider(1, "providerconfigs") + recorded + grant(""),
			told: []string{user, "  wait Grant all", "    cause StillInUse UserByDeclaration Grant all " +
				"key UserByDeclaration,in-use.crossplane.io,ProviderConfig default,grants.sql.crossplane.example"},
		},
		{
			name:    "the record of a user that is going",
			objects: config + provider(1, "providerconfigs") + recorded + grant(deleted(time.Hour, "x")),
			told:    []string{user, "  wait Grant all"},
		},
		{
			name:    "the record of a user that is gone",
			objects: config + provider(1, "providerconfigs") + recorded,
			told:    standing,
		},
		{
			name: "the record of a user that may not be read", deny: "grants",
			objects: config + provider(1, "providerconfigs") + recorded + grant(""), told: []string{user, "  open NotRead"},
		},
		{name: "a user that is going", objects: config + provider(1, "providerconfigs") + going, told: []string{user}},
		{name: "a controller that is down", objects: config + provider(0, "providerconfigs") + used, told: cause},
		{name: "one that is down, and a user that is going", objects: config + provider(0, "providerconfigs") + going,
			told: append(cause[:2:2], user)},
		{name: "no controller", objects: config + used, told: []string{missing}},
		{name: "no controller, and a user that is going", objects: config + going, told: []string{user, missing}},
		{name: "users that may not be read", deny: "providerconfigusages",
			objects: config + provider(1, "providerconfigs") + used},
		{name: "workloads that may not be read", deny: "deployments",
			objects: config + provider(1, "providerconfigs") + used},
	})
}
