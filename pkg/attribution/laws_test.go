package attribution

import (
	"slices"
	"testing"
)

const (
	isDownSaid, isMissingSaid, isForbiddenSaid = "ControllerDown", "ControllerMissing", "ControllerForbidden"
	isUnknownSaid                              = "ControllerUnknown"
)

// databases are what the accounts may do with Databases.
func databases(accounts ...string) string {
	return may(writesKind, "shop.example.com", "databases", accounts...)
}

func readsDatabases(accounts ...string) string {
	return may("get, list, watch", "shop.example.com", "databases", accounts...)
}

// TestLaws asks about clusters that were made to mislead, and their twins.
func TestLaws(t *testing.T) {
	all := slices.Concat(nameLaws(), setterLaws(), goneLaws(), voiceLaws(), kindLaws(), lockLaws(), classLaws(),
		servedNameLaws(), tenantLaws(), familyLaws(), configMapLaws(), actsLaws(), admissionLaws(), goneRightsLaws(),
		lateNameLaws(), leaseLaws(), otherPartLaws(), shardLaws(), personLaws(),
		equalLaws())
	for _, l := range all {
		t.Run(l.name, func(t *testing.T) { l.check(t) })
	}
}

// nameLaws are about names, which nominate and never convict.
func nameLaws() []law {
	const pod = "-6d4cf56db6-x7k2p_1"
	return []law{
		{
			name: "a name, and a Lease of that name", held: challenge(),
			state: []string{operatorOf("acme", "acme", 0), staleLease("acme", "acme", "acme"+pod)},
			want:  []string{isMissingSaid}, not: []string{isDownSaid},
		},
		{
			name: "a Lease with the name of the whole group", held: database(),
			state: []string{operatorOf("ops", "runner", 0), staleLease("ops", "leader.shop.example.com", "runner"+pod)},
			want:  []string{isDownSaid, "ops/runner"},
		},
		{
			name: "a dashboard of the kind is down, and a program that may change its whole group runs", held: database(),
			state: []string{
				databases("ops/database-dashboard"), stopped("ops", "database-dashboard"),
				may(writesKind, "shop.example.com", "*", "ops/conductor"), runs("ops", "conductor"),
			},
			want: []string{isUnknownSaid, "ops/conductor"}, not: []string{isDownSaid},
		},
		{
			name: "the dashboard runs, and the program that may change its whole group is down", held: database("conductor"),
			state: []string{
				databases("ops/database-dashboard"), runs("ops", "database-dashboard"),
				may(writesKind, "shop.example.com", "*", "ops/conductor"), stopped("ops", "conductor"),
			},
			want: []string{isDownSaid, "ops/conductor"},
		},
		{
			name: "a Lease with one word of the group", held: database(),
			state: []string{operatorOf("ops", "shop", 0), staleLease("ops", "shop", "shop"+pod)},
			not:   []string{isDownSaid},
		},
		{
			name: "another project's controller reads the kind", held: database(),
			state: []string{readsDatabases("sigstore/policy-controller"), runs("sigstore", "policy-controller")},
			want:  []string{isMissingSaid, "Likely"}, not: []string{isForbiddenSaid},
		},
		{
			name: "a dashboard reads the kind, and another program set the finalizer", held: database("shop-operator"),
			state: []string{readsDatabases("ops/shop-dashboard"), runs("ops", "shop-dashboard")},
			want:  []string{isMissingSaid, "Likely"}, not: []string{"runs as ops/shop-dashboard", "Proven"},
		},
		{
			name: "a program reads the kind, and another one set the finalizer", held: database("shop-operator"),
			state: []string{readsDatabases("ops/keeper"), runs("ops", "keeper")},
			want:  []string{isMissingSaid, "Likely", "runs as ops/keeper"},
		},
		{
			name: "another project's controller reads the kind, at 0", held: database(),
			state: []string{readsDatabases("sigstore/policy-controller"), stopped("sigstore", "policy-controller")},
			not:   []string{isForbiddenSaid, isDownSaid},
		},
		{
			name: "another project's controller reads the kind, and is gone", held: database(),
			state: []string{readsDatabases("sigstore/policy-controller")},
			not:   []string{isForbiddenSaid, isDownSaid, "policy-controller was"},
		},
		{
			name: "the kind's operator reads it", held: database(),
			state: []string{readsDatabases("ops/database-operator"), runs("ops", "database-operator")},
			want:  []string{isForbiddenSaid, "Likely"},
		},
		{
			name: "an administrator with one word of the kind", held: database(),
			state: []string{may(`"*"`, "*", "*", "kube-system/database-backup"), stopped("kube-system", "database-backup")},
			not:   []string{isDownSaid},
		},
		{
			name: "an administrator that is the kind's operator", held: database(),
			state: []string{may(`"*"`, "*", "*", "ops/database-operator"), stopped("ops", "database-operator")},
			want:  []string{isDownSaid, "ops/database-operator"},
		},
		{
			name: "an administrator of the kind's operator's name, gone", held: database(),
			state: []string{may(`"*"`, "*", "*", "ops/database-operator")},
			not:   []string{"Proven"},
		},
		{
			name: "a catalogued name in another namespace, at 0, and the real one under another name",
			held: challenge(),
			state: []string{
				operatorOf("lab", "cert-manager", 0), may(writesKind, "acme.cert-manager.io", "challenges", "pki/certs-controller"),
				runs("pki", "certs-controller"),
			},
			not: []string{isDownSaid, isForbiddenSaid},
		},
		{
			name:  "a catalogued name in another namespace, and nothing else",
			held:  challenge(),
			state: []string{operatorOf("lab", "cert-manager", 0)},
			not:   []string{isDownSaid},
		},
		{
			name: "a catalogued name in another namespace, with the rights", held: challenge(),
			state: []string{
				stopped("lab", "cert-manager"), may(writesKind, "acme.cert-manager.io", "challenges", "lab/cert-manager"),
			},
			want: []string{isDownSaid, "lab/cert-manager"},
		},
	}
}

// setterLaws are about who set the finalizer.
func setterLaws() []law {
	return []law{
		{
			name: "the setter was uninstalled, and two others with equal rights are up", held: database("archiver"),
			state: []string{databases("ops/reports", "ops/charts"), runs("ops", "reports"), runs("ops", "charts")},
			want:  []string{"archiver"}, not: []string{isDownSaid, "may be the controller", "is probably"},
		},
		{
			name: "the setter is unseen, and of two others with equal rights one is at 0", held: database("archiver"),
			state: []string{
				databases("ops/reports", "ops/charts"), stopped("ops", "reports"), runs("ops", "charts"),
			},
			want: []string{"archiver"}, not: []string{isDownSaid},
		},
		{
			name: "the setter has a User's name, and the only account with rights is at 0", held: database("archiver"),
			state: []string{databases("archiver", "ops/reports"), stopped("ops", "reports")},
			want:  []string{isUnknownSaid, "archiver"}, not: []string{isDownSaid, "is probably"},
		},
		{
			name: "the setter has a User's name, and the only account with rights runs", held: database("archiver"),
			state: []string{databases("archiver", "ops/reports"), runs("ops", "reports")},
			want:  []string{isUnknownSaid, "archiver"}, not: []string{"controller may be"},
		},
		{
			name: "another User may, and the only account with rights is at 0", held: database("archiver"),
			state: []string{databases("auditor", "ops/reports"), stopped("ops", "reports")},
			want:  []string{isDownSaid, "ops/reports"},
		},
		{
			name: "the setter is unseen, and the only one with rights of its own is at 0", held: database("archiver"),
			state: []string{databases("ops/reports"), stopped("ops", "reports")},
			want:  []string{isDownSaid, "ops/reports"},
		},
		{
			name:  "the setter is unseen, and the only one with rights, at 0, writes under its own name",
			held:  writtenBy(database("archiver"), "reports"),
			state: []string{databases("ops/reports"), stopped("ops", "reports")},
			want:  []string{isUnknownSaid, "archiver"}, not: []string{isDownSaid},
		},
		{
			name: "the setter is unseen, and the only one with rights runs and writes under its own name",
			held: writtenBy(database("archiver"), "reports"), state: []string{databases("ops/reports"), runs("ops", "reports")},
			want: []string{isUnknownSaid, "archiver"}, not: []string{"may be the controller", "is probably"},
		},
		{
			name: "the setter is unseen, and the only one with rights runs and was never seen to write",
			held: database("archiver"), state: []string{databases("ops/reports"), runs("ops", "reports")},
			want: []string{isUnknownSaid, "ops/reports"},
		},
		{
			name: "the setter is unseen, and the only one with rights is gone", held: database("archiver"),
			state: []string{databases("ops/reports")},
			want:  []string{isMissingSaid, "Likely"}, not: []string{"Proven"},
		},
		{
			name: "the setter is gone, and was the only one with rights", held: database("reports"),
			state: []string{databases("ops/reports")},
			want:  []string{isMissingSaid, "Proven"},
		},
		{
			name: "the setter is unseen, and the only one with rights leads no more", held: database("archiver"),
			state: []string{
				databases("ops/reports"), runs("ops", "reports"), staleLease("ops", "reports", "reports-6d4cf56db6-x7k2p_1"),
			},
			not: []string{"Proven"},
		},
		{
			name: "a name that many programs have set it", held: database("manager"),
			state: []string{databases("ops/reports"), stopped("ops", "reports")},
			want:  []string{isDownSaid, "ops/reports"},
		},
		{
			name: "the setter has another name, and the kind's operator is at 0", held: database("archiver"),
			state: []string{databases("ops/database-operator"), stopped("ops", "database-operator")},
			want:  []string{isDownSaid, "ops/database-operator"},
		},
		{
			name: "the setter's name begins another's", held: database("vault"),
			state: []string{databases("ops/vault-backup"), stopped("ops", "vault-backup")},
			not:   []string{isDownSaid},
		},
		{
			name: "the setter's own words are another's", held: database("vault"),
			state: []string{databases("ops/vault-controller"), stopped("ops", "vault-controller")},
			want:  []string{isDownSaid, "ops/vault-controller"},
		},
		{
			name: "equals that are both at 0", held: database(),
			state: []string{databases("ops/one", "ops/two"), stopped("ops", "one"), stopped("ops", "two")},
			want:  []string{"ops/one", "ops/two"}, not: []string{isDownSaid},
		},
		{
			name: "one at 0, and nothing like it", held: database(),
			state: []string{databases("ops/one"), stopped("ops", "one")},
			want:  []string{isDownSaid, "ops/one"},
		},
		{
			name: "equals of the catalogue that are both at 0", held: challenge(),
			state: []string{
				may(writesKind, "acme.cert-manager.io", "challenges", "east/cert-manager", "west/cert-manager"),
				stopped("east", "cert-manager"), stopped("west", "cert-manager"),
			},
			want: []string{isUnknownSaid, "east/cert-manager", "west/cert-manager"}, not: []string{isDownSaid},
		},
		{
			name: "equals of the catalogue, one of them where it usually is", held: challenge(),
			state: []string{
				may(writesKind, "acme.cert-manager.io", "challenges", "cert-manager/cert-manager", "west/cert-manager"),
				stopped("cert-manager", "cert-manager"), stopped("west", "cert-manager"),
			},
			want: []string{isDownSaid, "Deployment cert-manager/cert-manager"},
		},
		{
			name: "four equals", held: database(),
			state: []string{
				databases("ops/one", "ops/two", "ops/three", "ops/four"), runs("ops", "one"), runs("ops", "two"),
				runs("ops", "three"), runs("ops", "four"),
			},
			want: []string{"ops/one", "ops/two", "ops/three", "ops/four"}, not: []string{"fewer signs"},
		},
		{
			name: "a User set it, and another account is gone", held: database("herder"),
			state: []string{databases("herder", "old/leftover")},
			not:   []string{isMissingSaid},
		},
		{
			name: "a User may, and the setter's account is gone", held: database("leftover"),
			state: []string{databases("herder", "old/leftover")},
			want:  []string{isMissingSaid, "old/leftover"},
		},
	}
}
