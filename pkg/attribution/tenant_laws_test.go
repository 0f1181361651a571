package attribution

import (
	"slices"
	"strings"
)

// withLabels is a stuck Database with labels.
func withLabels(labels string) stuck {
	held := database()
	held.labels = labels
	return held
}

// tenantLaws are about instances that select objects by their labels.
func tenantLaws() (laws []law) {
	for _, c := range []struct {
		name, labels, arg string
		others            bool
	}{
		{"of another tenant", "tenant: red", "--watch-label-selector=tenant=blue", true},
		{"of a tenant, and the object is no one's", "", "--watch-label-selector=tenant=blue", true},
		{"of the object's tenant", "tenant: blue", "--watch-label-selector=tenant=blue", false},
		{"of all tenants but one", "tenant: red", "--watch-label-selector=tenant!=blue", false},
		{"of all tenants but the object's", "tenant: blue", "--watch-label-selector=tenant!=blue", true},
		{"with another filter", "cluster.x-k8s.io/watch-filter: red", "--watch-filter=blue", true},
		{"with a filter, and the object has none", "", "--watch-filter=blue", true},
		{"with the object's filter", "cluster.x-k8s.io/watch-filter: blue", "--watch-filter=blue", false},
		{"without a filter", "cluster.x-k8s.io/watch-filter: red", "--watch-filter=", false},
	} {
		l := law{
			name: "an instance " + c.name, held: withLabels(c.labels),
			state: []string{databases("ops/database-operator"), runsWith("ops", "database-operator", c.arg)},
		}
		if c.others {
			l.want = []string{isMissingSaid, "Likely", "acts on other objects"}
		} else {
			l.not = []string{isMissingSaid, isDownSaid, isForbiddenSaid}
		}
		laws = append(laws, l)
	}
	perhaps := law{
		name: "an instance with a selector that may be about what it makes", held: withLabels("tenant: red"),
		state: []string{databases("ops/database-operator"), runsWith("ops", "database-operator", "--selector=tenant=blue")},
		want:  []string{isUnknownSaid}, not: []string{isMissingSaid, isDownSaid, isForbiddenSaid, "Proven"},
	}
	two := law{
		name: "of two instances the one for the object's tenant is at 0", held: withLabels("tenant: red"),
		state: []string{
			databases("blue/database-operator", "red/database-operator"),
			runsWith("blue", "database-operator", "--watch-label-selector=tenant=blue"),
			stopped("red", "database-operator"),
		},
		want: []string{isDownSaid, "red/database-operator"}, not: []string{"blue/database-operator, which is"},
	}
	return slices.Concat(append(laws, perhaps, two), ownersLaws(), verbLaws())
}

// ownersLaws are about instances whose settings name their tenant.
func ownersLaws() (laws []law) {
	specified := database()
	specified.spec = `{tenant: red}`
	for _, c := range []struct {
		name   string
		held   stuck
		arg    string
		others bool
	}{
		{"by a label", withLabels("acme.io/tenant: red"), "--tenant=blue", true},
		{"by a label, of the program's own", withLabels("acme.io/tenant: blue"), "--tenant=blue", false},
		{"by a label, of one of several", withLabels("tenant-name: red"), "--tenant=blue,red", false},
		{"by its spec", specified, "--customer=blue", false},
		{"by its spec, of another", specified, "--tenant=blue", true},
		{"by nothing", database(), "--tenant=blue", false},
	} {
		l := law{
			name: "a tenant's instance, and an object that says its tenant " + c.name, held: c.held,
			state: []string{databases("ops/database-operator"), runsWith("ops", "database-operator", c.arg)},
			not:   []string{isMissingSaid, isDownSaid, isForbiddenSaid},
		}
		if c.others {
			l.want, l.not = []string{isMissingSaid, "Likely", "acts on other objects"}, nil
		}
		laws = append(laws, l)
	}
	return laws
}

// familyLaws are about programs of one family, forks of them, and successors.
func familyLaws() []law {
	return []law{
		{
			name: "a fork with the same rights runs, and the setter is at 0", held: database("shop-operator"),
			state: []string{
				databases("ops/shop-operator", "lab/shop-operator-fork"), stopped("ops", "shop-operator"),
				runs("lab", "shop-operator-fork"),
			},
			want: []string{isDownSaid, "ops/shop-operator"}, not: []string{"lab/shop-operator-fork is"},
		},
		{
			name: "what has the setter's name operates another project's kind", held: database("shop-operator"),
			state: []string{
				may(writesKind, "shop.beta.example.org", "shops", "beta/shop-operator"), runs("beta", "shop-operator"),
			},
			want: []string{isMissingSaid, "Likely", "shop.beta.example.org"}, not: []string{isForbiddenSaid, "Proven"},
		},
		{
			name: "what has the setter's name operates another kind of the same owner", held: database("shop-operator"),
			state: []string{
				may(writesKind, "mail.shop.example.com", "boxes", "beta/shop-operator"), runs("beta", "shop-operator"),
			},
			want: []string{isForbiddenSaid, "beta/shop-operator"},
		},
		{
			name: "what set the finalizer has its right through its namespace's group", held: database("shop-operator"),
			state: []string{runs("ops", "shop-operator"), `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: shops}
rules: [{apiGroups: [shop.example.com], resources: [databases], verbs: [get, list, watch, update, patch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: shops}
roleRef: {kind: ClusterRole, name: shops}
subjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: "system:serviceaccounts:ops"}]
`},
			want: []string{isUnknownSaid, "ops/shop-operator, which runs and has the right"},
			not:  []string{isForbiddenSaid, "RBAC does not let it"},
		},
		{
			name: "what has the setter's name may change nothing, and its Lease is old", held: database("shop-operator"),
			state: []string{
				may(writesKind, "mail.shop.example.com", "boxes", "beta/shop-operator"), runs("beta", "shop-operator"),
				staleLease("beta", "shop-operator", "shop-operator-6d4cf56db6-x7k2p_1"),
			},
			not: []string{"has the right to remove"},
		},
		{
			name: "what has the setter's name has lost all roles", held: database("shop-operator"),
			state: []string{runs("beta", "shop-operator")},
			want:  []string{isForbiddenSaid, "beta/shop-operator"},
		},
		{
			name: "a fork with the same rights is at 0, and the setter runs", held: database("shop-operator"),
			state: []string{
				databases("ops/shop-operator", "lab/shop-operator-fork"), runs("ops", "shop-operator"),
				stopped("lab", "shop-operator-fork"),
			},
			want: []string{isUnknownSaid, "ops/shop-operator"}, not: []string{isDownSaid},
		},
		{
			name: "the setter was renamed, and its successor runs beside an able innocent", held: database("shop-operator"),
			state: []string{
				databases("ops/shop-controller", "ops/reports"), runs("ops", "shop-controller"), runs("ops", "reports"),
			},
			want: []string{isUnknownSaid}, not: []string{isDownSaid, isMissingSaid, "Proven"},
		},
		{
			name: "the setter is gone with its account, and an able innocent is at 0", held: database("shop-operator"),
			state: []string{databases("ops/shop-operator", "ops/reports"), stopped("ops", "reports")},
			want:  []string{isMissingSaid, "shop-operator"}, not: []string{isDownSaid},
		},
		{
			name: "the setter is gone with its account, and an able innocent runs", held: database("shop-operator"),
			state: []string{databases("ops/shop-operator", "ops/reports"), runs("ops", "reports")},
			want:  []string{isMissingSaid, "shop-operator"}, not: []string{"ops/reports, which", "Proven"},
		},
		{
			name: "two operators of one family, by hand, both run", held: database(),
			state: []string{
				databases("ops/database-operator", "ops/database-backup-operator"), runs("ops", "database-operator"),
				runs("ops", "database-backup-operator"),
			},
			want: []string{isUnknownSaid, "ops/database-backup-operator"}, not: []string{isDownSaid, isMissingSaid, "Proven"},
		},
		{
			name: "two operators of one family, the other one set it and is at 0", held: database("database-backup-operator"),
			state: []string{
				databases("ops/database-operator", "ops/database-backup-operator"), runs("ops", "database-operator"),
				stopped("ops", "database-backup-operator"),
			},
			want: []string{isDownSaid, "ops/database-backup-operator"},
		},
		{
			name: "two operators of one family, the other one set it and runs", held: database("database-backup-operator"),
			state: []string{
				databases("ops/database-operator", "ops/database-backup-operator"), stopped("ops", "database-operator"),
				runs("ops", "database-backup-operator"),
			},
			want: []string{isUnknownSaid, "ops/database-backup-operator"}, not: []string{isDownSaid},
		},
		{
			name: "a webhook of the family is at 0, and the operator runs", held: database(),
			state: []string{
				databases("ops/database-operator", "ops/database-webhook"), runs("ops", "database-operator"),
				stopped("ops", "database-webhook"),
			},
			want: []string{isUnknownSaid, "ops/database-operator"}, not: []string{isDownSaid},
		},
		{
			name: "a dashboard runs with the rights, and the operator is at 0", held: database(),
			state: []string{
				databases("ops/database-operator", "ops/dashboard"), stopped("ops", "database-operator"), runs("ops", "dashboard"),
			},
			want: []string{isDownSaid, "ops/database-operator"},
		},
		{
			name: "the same name in a former namespace is at 0, and the new one runs", held: database("database-operator"),
			state: []string{
				databases("old/database-operator", "new/database-operator"), stopped("old", "database-operator"),
				runs("new", "database-operator"),
			},
			want: []string{isUnknownSaid, "new/database-operator"}, not: []string{isDownSaid, "Proven"},
		},
	}
}

// verbLaws are about the controller's verbs: a removal may be sent with either.
func verbLaws() (laws []law) {
	for _, c := range []struct{ verbs, said, not, can string }{
		{"patch", "RBAC lets it patch the object, but not update it", "has the right to remove", "can patch databases"},
		{"update", "RBAC lets it update the object, but not patch it", "has the right to remove", "can update databases"},
		{
			"update, patch", "which runs and has the right to remove the finalizer, but has not done so", "RBAC lets it",
			"can update databases",
		},
	} {
		laws = append(laws, law{
			name: "the controller may " + c.verbs, held: database("shop-operator"),
			state: []string{strings.ReplaceAll(oneVerb, "VERBS", c.verbs), runs("ops", "shop-operator")},
			want:  []string{isUnknownSaid, c.said, c.can}, not: []string{isForbiddenSaid, c.not},
		})
	}
	return laws
}

const oneVerb = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: one-verb}
rules: [{apiGroups: [shop.example.com], resources: [databases], verbs: [get, list, watch, VERBS]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: one-verb}
roleRef: {kind: ClusterRole, name: one-verb}
subjects: [{kind: ServiceAccount, name: shop-operator, namespace: ops}]
`
