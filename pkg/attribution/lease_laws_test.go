package attribution

import "strings"

// leaseLaws are clusters in which a Lease has a program's name, and another program holds it.
func leaseLaws() []law {
	const lease, holder = "shop-leader-election-rbac", "shop-rbac-6d4cf56db6-x7k2p"
	held := databaseSetBy("shop")
	sameAccount := strings.ReplaceAll(readyPod("ops", "shop-rbac"),
		"serviceAccountName: shop-rbac", "serviceAccountName: shop")
	return []law{
		{
			name: "a Lease that a program of another account holds", held: held,
			state: []string{
				databases("ops/shop"), stopped("ops", "shop"), runs("ops", "shop-rbac"),
				liveLease("ops", lease, holder+"_1"),
			},
			want: []string{isDownSaid, "ops/shop"}, not: []string{lease},
		}, {
			name: "a Lease that another program of the account holds", held: held,
			state: []string{
				databases("ops/shop"), stopped("ops", "shop"), sameAccount, liveLease("ops", lease, holder+"_1"),
			},
			not: []string{isDownSaid},
		},
	}
}

// databaseSetBy is a Database whose finalizer a program has set.
func databaseSetBy(manager string) stuck {
	return stuckOn("Database", "shop.example.com/cleanup", manager)
}
