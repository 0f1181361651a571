package attribution

import (
	"fmt"
	"strings"
)

// shardLaws are about StatefulSets whose pods may have the objects divided among them. Some of the pods crash.
func shardLaws() []law {
	const name = "database-shards"
	const crash = `containerStatuses: [{name: main, restartCount: 41, state: {waiting: {reason: CrashLoopBackOff}}, ` +
		`lastState: {terminated: {exitCode: 2}}}]`
	set := fmt.Sprintf(`
apiVersion: apps/v1
kind: StatefulSet
metadata: {namespace: ops, name: %[1]s, uid: set, generation: 1}
spec:
  replicas: 2
  selector: {matchLabels: {app: %[1]s}}
  template: {metadata: {labels: {app: %[1]s}}, spec: {serviceAccountName: %[1]s, containers: [{name: main, image: x}]}}
status: {observedGeneration: 1, replicas: 2, readyReplicas: 1}
`, name)
	pod := func(ordinal int, ready, rest string) string {
		return fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata:
  namespace: ops
  name: %[1]s-%[2]d
  uid: pod-%[2]d
  labels: {app: %[1]s}
  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: %[1]s, uid: set, controller: true}]
spec: {serviceAccountName: %[1]s, containers: [{name: main, image: x}]}
status:
  phase: Running
  conditions: [{type: Ready, status: %[3]q, lastTransitionTime: "2026-06-01T12:00:00Z"}]
  %[4]s
`, name, ordinal, ready, rest)
	}
	of := func(documents ...string) []string {
		return append([]string{databases("ops/" + name), accountIn("ops", name), set, pod(0, "True", "")}, documents...)
	}
	const said = `Pod ops/database-shards-1: its container "main" crashes, and was restarted 41 times`
	leads := strings.Replace(liveLease("ops", name, name+"-0"), "uid: lease-", "labels: {app: "+name+"}, uid: lease-", 1)
	return []law{
		{
			name: "one of several shards crashes", held: database(name), state: of(pod(1, "False", crash)),
			want: []string{isUnknownSaid, said}, not: []string{isDownSaid},
		},
		{
			name: "one of several pods crashes, and another one leads", held: database(name),
			state: of(pod(1, "False", crash), leads), not: []string{said, isDownSaid},
		},
		{name: "no shard crashes", held: database(name), state: of(pod(1, "True", "")), not: []string{"crashes", isDownSaid}},
	}
}
