package attribution

// actsLaws are about programs that act as another account, about finalizers that are named after another kind, and
// about finalizers that a person has set.
func actsLaws() []law {
	const runner, deployer = "ops/runner", "ops/kit-deployer"
	impersonates := may("impersonate", "", "serviceaccounts", deployer)
	asUser := may("impersonate", "", "users", deployer)
	return []law{
		{
			name: "the setter acts as the account with the rights", held: database("kit-deployer"),
			state: []string{databases(runner), accountIn("ops", "runner"), impersonates, runs("ops", "kit-deployer")},
			want:  []string{isUnknownSaid, deployer}, not: []string{isMissingSaid},
		},
		{
			name: "another than the setter acts as the account with the rights", held: database("runner"),
			state: []string{databases(runner), accountIn("ops", "runner"), impersonates, runs("ops", "kit-deployer")},
			want:  []string{isMissingSaid, runner}, not: []string{deployer},
		},
		{
			name: "the setter acts as the User with the rights", held: database("kit-deployer"),
			state: []string{databases("keeper"), asUser, runs("ops", "kit-deployer")},
			want:  []string{isUnknownSaid, deployer}, not: []string{isMissingSaid},
		},
		{
			name: "the setter acts as the User with the rights, and is down", held: database("kit-deployer"),
			state: []string{databases("keeper"), asUser, stopped("ops", "kit-deployer")},
			want:  []string{isDownSaid, deployer},
		},
		{
			name: "another than the setter acts as the User with the rights", held: database("runner"),
			state: []string{databases("keeper"), asUser, runs("ops", "kit-deployer")},
			want:  []string{isMissingSaid}, not: []string{deployer},
		},
		{
			name: "the finalizer of another kind's operator, which is down",
			held: stuckOn("Database", "backups.shop.example.com/protect", "manager"),
			state: []string{
				databases("ops/database-operator"), databases("ops/backup-operator"), runs("ops", "database-operator"),
				may(writesKind, "shop.example.com", "backups", "ops/backup-operator"), stopped("ops", "backup-operator"),
			},
			want: []string{isDownSaid, "ops/backup-operator"},
		},
		{
			name: "a finalizer named after another kind, set by the operator of its own kind",
			held: stuckOn("Database", "backups.shop.example.com/protect", "database-operator"),
			state: []string{
				databases("ops/database-operator"), databases("ops/backup-operator"), runs("ops", "database-operator"),
				may(writesKind, "shop.example.com", "backups", "ops/backup-operator"), stopped("ops", "backup-operator"),
			},
			want: []string{isUnknownSaid, "ops/database-operator"}, not: []string{isDownSaid},
		},
		{
			name: "a finalizer of another domain, set by hand, and the kind's operator runs",
			held: stuckOn("Database", "ops.initech-labs.dev/audit", "kubectl-edit"),
			state: []string{
				databases("ops/database-operator"), runs("ops", "database-operator"),
			},
			want: []string{isUnknownSaid, "nothing shows that it removes this finalizer"},
		},
	}
}
