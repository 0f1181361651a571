package attribution

import "strings"

// goneLaws are about accounts that are gone, and about instances for others.
func goneLaws() []law {
	const challenges = "challenges"
	return []law{
		{
			name:  "a made-up domain, and a gone account of the kind's name",
			held:  stuckOn("Database", "tidy.initech-labs.dev/unhook"),
			state: []string{databases("ops/database-operator")},
			want:  []string{isUnknownSaid}, not: []string{isMissingSaid},
		},
		{
			name:  "a made-up domain, set under a name that many have",
			held:  stuckOn("Database", "tidy.initech-labs.dev/unhook", "manager"),
			state: []string{databases("ops/database-operator")},
			want:  []string{isUnknownSaid}, not: []string{isMissingSaid},
		},
		{
			name:  "a domain of its own, and a gone account of that name",
			held:  stuckOn("Database", "initech-labs.dev/unhook"),
			state: []string{databases("ops/initech-labs")},
			want:  []string{isMissingSaid, "ops/initech-labs"},
		},
		{
			name: "a bare word by hand, and a gone account", held: stuckOn("Database", "keep-me", "kubectl-edit"),
			state: []string{databases("ops/database-operator")},
			not:   []string{isMissingSaid},
		},
		{
			name: "a bare word, and a gone account", held: stuckOn("Database", "keep-me", "database-operator"),
			state: []string{databases("ops/database-operator")},
			want:  []string{isMissingSaid, "ops/database-operator"},
		},
		{
			name: "a bare word of a program with a name that many have, and no account at all",
			held: stuckOn("Database", "controller-database", "manager"),
			want: []string{isMissingSaid}, not: []string{isUnknownSaid},
		},
		{
			name: "a bare word by hand, and no account at all", held: stuckOn("Database", "keep-me", "kubectl-edit"),
			want: []string{isUnknownSaid}, not: []string{isMissingSaid},
		},
		{
			name: "a bare word of whomever, and no account at all", held: stuckOn("Database", "keep-me"),
			want: []string{isUnknownSaid}, not: []string{isMissingSaid},
		},
		{
			name: "the catalogue names one program, and RBAC another", held: challenge(),
			state: []string{may("patch", "acme.cert-manager.io", challenges, "ops/dns-janitor")},
			want:  []string{isMissingSaid, "cert-manager"}, not: []string{"dns-janitor was", "dns-janitor does"},
		},
		{
			name: "the catalogue's program left its account behind", held: challenge(),
			state: []string{may(writesKind, "acme.cert-manager.io", challenges, "cert-manager/cert-manager")},
			want:  []string{isMissingSaid, "cert-manager/cert-manager"},
		},
		{
			name: "a namesake of the setter leads, and operates another project", held: challenge("cert-manager"),
			state: []string{
				may(writesKind, "dns.initech.com", "records", "ops/ext-cert-manager"), runs("ops", "ext-cert-manager"),
				liveLease("ops", "lock.dns.initech.com", "ext-cert-manager-6d4cf56db6-x7k2p_3f0c"),
			},
			want: []string{isMissingSaid},
		},
		{
			name: "one of the setter's name leads that no workload here has", held: challenge("cert-manager"),
			state: []string{
				may(writesKind, "dns.initech.com", "records", "ops/ext-cert-manager"), runs("ops", "ext-cert-manager"),
				liveLease("ops", "lock.dns.initech.com", "my-cert-manager-5c8f8d7d9d-q2wzl_3f0c"),
				strings.ReplaceAll(readyPod("ops", "my-cert-manager"), "6d4cf56db6-x7k2p", "5c8f8d7d9d-q2wzl"),
			},
			not: []string{isMissingSaid},
		},
		{
			name: "another tenant's operator lives beside its tenant", held: database(),
			state: []string{mayIn("south", "south-ops/op"), runs("south-ops", "op")},
			not:   []string{isForbiddenSaid, "--serviceaccount=south-ops:op"},
		},
		{
			name: "another tenant's operator lives in a namespace with its label", held: database(),
			state: []string{
				mayIn("south", "ops-7/op"), runs("ops-7", "op"), namespaceWith("ops-7", "tenant: s"),
				namespaceWith("south", "tenant: s"),
			},
			not: []string{isForbiddenSaid},
		},
		{
			name: "an operator that has rights in the wrong namespace", held: database(),
			state: []string{
				mayIn("south", "ops-7/op"), runs("ops-7", "op"), namespaceWith("ops-7", "tier: s"),
				namespaceWith("south", "tier: s"),
			},
			want: []string{isForbiddenSaid, "ops-7/op"},
		},
		{
			name: "a namesake of the setter whose role is left here, without a binding", held: database("databases"),
			state: []string{
				mayIn("south", "ops-7/databases"), runs("ops-7", "databases"), looseRole("a", "databases"),
			},
			want: []string{isForbiddenSaid, "ops-7/databases"},
		},
		{
			name: "an operator of several namespaces has lost a right", held: database(),
			state: []string{mayIn("south", "ops/database-operator"), mayIn("west", "ops/database-operator"),
				runs("ops", "database-operator")},
			want: []string{isForbiddenSaid, "ops/database-operator"},
		},
		{
			name: "a namesake of the setter serves several namespaces", held: database("database-operator"),
			state: []string{mayIn("south", "ops/database-operator"), mayIn("west", "ops/database-operator"),
				runs("ops", "database-operator")},
			want: []string{isUnknownSaid, "ops/database-operator"}, not: []string{isForbiddenSaid, isMissingSaid},
		},
		{
			name: "a namesake of the setter serves several namespaces, and is at 0", held: database("database-operator"),
			state: []string{mayIn("south", "ops/database-operator"), mayIn("west", "ops/database-operator"),
				stopped("ops", "database-operator")},
			not: []string{isForbiddenSaid, isMissingSaid, isDownSaid},
		},
		{
			name: "an operator of several namespaces, that set the finalizer by a name of its own, has lost a right",
			held: database("database-operator-coast"),
			state: []string{mayIn("south", "ops/database-operator-coast"), mayIn("west", "ops/database-operator-coast"),
				runs("ops", "database-operator-coast")},
			want: []string{isForbiddenSaid, "ops/database-operator-coast"},
		},
		{
			name: "an operator of several namespaces, that its template names, has lost a right",
			held: database("database-operator"),
			state: []string{mayIn("south", "ops/database-operator"), mayIn("west", "ops/database-operator"),
				runsWith("ops", "database-operator", "--watch-namespaces=south,west,a")},
			want: []string{isForbiddenSaid, "ops/database-operator"},
		},
	}
}

// looseRole lets no one do everything with a Database in one namespace.
func looseRole(namespace, name string) string {
	return "\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n" +
		"metadata: {namespace: " + namespace + ", name: " + name + "}\n" +
		`rules: [{apiGroups: [shop.example.com], resources: [databases], verbs: [get, list, watch, update, patch]}]`
}
