package attribution

import "strings"

// equalLaws are about programs between which nothing decides. All are named, with how each fares.
func equalLaws() []law {
	shard := func(name string, replicas int) string {
		document := strings.Replace(
			operatorOf("ops", name, replicas), "serviceAccountName: "+name, "serviceAccountName: database-operator", 1,
		)
		if replicas == 0 {
			return document
		}
		pod := strings.Replace(
			readyPod("ops", name), "serviceAccountName: "+name, "serviceAccountName: database-operator", 1,
		)
		return document + "\n---\n" + pod
	}
	shards := func(replicas ...int) []string {
		state := []string{databases("ops/database-operator"), accountIn("ops", "database-operator")}
		for i, count := range replicas {
			state = append(state, shard("database-operator-"+string(rune('a'+i)), count))
		}
		return state
	}
	everything := func(account string) string { return may(`"*"`, "*", "*", account) }
	return []law{
		{
			name: "two programs of the setter's name are down", held: database("shop-operator"),
			state: []string{
				databases("east/shop-operator", "west/shop-operator"), stopped("east", "shop-operator"),
				stopped("west", "shop-operator"),
			},
			want: []string{isUnknownSaid, "east/shop-operator", "west/shop-operator"}, not: []string{isDownSaid},
		},
		{
			name: "two programs of the setter's name are down, and one of them has rights", held: database("shop-operator"),
			state: []string{
				databases("east/shop-operator"), stopped("east", "shop-operator"), stopped("west", "shop-operator"),
			},
			want: []string{isDownSaid, "east/shop-operator"}, not: []string{"west/shop-operator"},
		},
		{
			name: "the third of three shards is down", held: database("database-operator"), state: shards(1, 1, 0),
			want: []string{
				isUnknownSaid, "ops/database-operator-a", "ops/database-operator-b", "ops/database-operator-c",
				"spec.replicas is 0",
			},
			not: []string{isDownSaid},
		},
		{
			name: "the first two of three shards are down", held: database("database-operator"), state: shards(0, 0, 1),
			want: []string{isUnknownSaid, "ops/database-operator-c", "spec.replicas is 0"}, not: []string{isDownSaid},
		},
		{
			name: "no shard is down", held: database("database-operator"), state: shards(1, 1, 1),
			not: []string{isDownSaid, "spec.replicas is 0"},
		},
		{
			name: "a pipeline with rights on the kind is down, and the kind's operator may do everything", held: database(),
			state: []string{
				databases("ci/pipeline"), stopped("ci", "pipeline"), everything("ops/database-operator"),
				runs("ops", "database-operator"),
			},
			want: []string{isUnknownSaid, "ops/database-operator", "ci/pipeline"}, not: []string{isDownSaid},
		},
		{
			name: "a pipeline with rights on the kind runs, and its operator may do everything and is down", held: database(),
			state: []string{
				databases("ci/pipeline"), runs("ci", "pipeline"), everything("ops/database-operator"),
				stopped("ops", "database-operator"),
			},
			want: []string{isUnknownSaid, "ops/database-operator"}, not: []string{isDownSaid},
		},
		{
			name: "a pipeline that set the finalizer is down, and the kind's operator may do everything",
			held: database("pipeline"),
			state: []string{
				databases("ci/pipeline"), stopped("ci", "pipeline"), everything("ops/database-operator"),
				runs("ops", "database-operator"),
			},
			want: []string{isDownSaid, "ci/pipeline"},
		},
		{
			name: "a pipeline with rights on the kind is down, and an administrator has one word of the kind",
			held: database(),
			state: []string{
				databases("ci/pipeline"), stopped("ci", "pipeline"), everything("ops/database-backup"),
				runs("ops", "database-backup"),
			},
			want: []string{isDownSaid, "ci/pipeline"}, not: []string{"ops/database-backup"},
		},
	}
}
