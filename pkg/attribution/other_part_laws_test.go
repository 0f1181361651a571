package attribution

// otherPartLaws are about finalizers whose domain names another part of the kind's project.
func otherPartLaws() []law {
	const postOperator = "ops/post-operator"
	reports := may("get, list, watch", "post.acme.dev", "parcels", postOperator) + "\n---\n" +
		may("update", "post.acme.dev", "parcels/status", postOperator)
	return []law{
		{
			name:  "a finalizer of a neighbour, set by hand, and the kind's operator may only report",
			held:  stuckOn("Parcel", "customs.acme.dev/hold", "kubectl-edit"),
			state: []string{reports, runs("ops", "post-operator")},
			want:  []string{isUnknownSaid, "nothing shows that it removes this finalizer"}, not: []string{isForbiddenSaid},
		},
		{
			name:  "a finalizer of a neighbour, set by hand, and the kind's operator is down",
			held:  stuckOn("Parcel", "customs.acme.dev/hold", "kubectl-edit"),
			state: []string{reports, stopped("ops", "post-operator")},
			want:  []string{isUnknownSaid}, not: []string{isDownSaid, isForbiddenSaid},
		},
		{
			name: "a finalizer of the kind's own group, and its operator may only report",
			held: stuckOn("Parcel", "post.acme.dev/hold"), state: []string{reports, runs("ops", "post-operator")},
			want: []string{isForbiddenSaid},
		},
		{
			name: "a finalizer of the project's domain, and the kind's operator may only report",
			held: stuckOn("Parcel", "finalizers.acme.dev/hold"), state: []string{reports, runs("ops", "post-operator")},
			want: []string{isForbiddenSaid},
		},
		{
			name:  "a finalizer of a neighbour, set by the kind's operator, which may only report",
			held:  stuckOn("Parcel", "customs.acme.dev/hold", "post-operator"),
			state: []string{reports, runs("ops", "post-operator")},
			want:  []string{isForbiddenSaid, postOperator},
		},
	}
}
