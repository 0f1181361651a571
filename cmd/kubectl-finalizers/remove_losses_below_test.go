package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// below is an object with an owner in namespace losses-below.
func below(kind, name, owner, more string) string {
	if owner != "" {
		owner = fmt.Sprintf(", ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: %[1]s, "+
			"uid: '${uid:configmap/%[1]s}'}]", owner)
	}
	return fmt.Sprintf(`
- apply: |
    apiVersion: v1
    kind: %s
    metadata: {name: %s, namespace: losses-below%s}
    %s
`, kind, name, owner, more)
}

// held is a ConfigMap that a finalizer will hold.
func held(name string) string {
	steps := below("ConfigMap", name, "", "")
	return strings.Replace(steps, "losses-below}", "losses-below, finalizers: [example.com/hold]}", 1)
}

// dataBelow is a claim with an owner, which is bound to a volume.
func dataBelow(name, owner, policy string) string {
	const spec = "spec: {storageClassName: losses-%[1]s, accessModes: [ReadWriteOnce], " +
		"resources: {requests: {storage: 1Gi}}}"
	return fmt.Sprintf(`
- apply: |
    apiVersion: v1
    kind: PersistentVolume
    metadata: {name: below-%[1]s, annotations: {pv.kubernetes.io/provisioned-by: losses.csi.example.com}}
    spec:
      storageClassName: losses-%[1]s
      capacity: {storage: 1Gi}
      accessModes: [ReadWriteOnce]
      persistentVolumeReclaimPolicy: %[2]s
      csi: {driver: losses.csi.example.com, volumeHandle: handle-%[1]s}
`, name, policy) + below("PersistentVolumeClaim", name, owner, fmt.Sprintf(spec, name)) + fmt.Sprintf(`
- until: {object: pvc/%s, namespace: losses-below, path: '{.status.phase}', is: Bound}
`, name)
}

// TestLossesBelow has data below one of 200 dependents, at the end of a chain, and beside them what is kept: each
// command says the loss before anybody consents, and none where there is none.
func TestLossesBelow(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	steps := "- apply: |\n    apiVersion: v1\n    kind: Namespace\n    metadata: {name: losses-below}\n" +
		held("crowd") + held("chain") + held("keeps") + held("shares") + below("ConfigMap", "other", "", "") + `
- many:
    count: 200
    object: |
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: crowd, namespace: losses-below, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: crowd,
        uid: '${uid:configmap/crowd}'}]}
` + below("ConfigMap", "last", "crowd", "") + dataBelow("crowd", "last", "Delete") +
		below("ConfigMap", "chain-1", "chain", "") + below("ConfigMap", "chain-2", "chain-1", "") +
		dataBelow("chain", "chain-2", "Delete") + below("Secret", "key", "chain-2", "") +
		below("ConfigMap", "keeps-1", "keeps", "") + dataBelow("keeps", "keeps-1", "Retain") +
		strings.Replace(below("ConfigMap", "shared", "shares", ""), "'}]", "'}, {apiVersion: v1, kind: ConfigMap, name: "+
			"other, uid: '${uid:configmap/other}'}]", 1) + dataBelow("shares", "shared", "Delete")
	mustBreak(t, plane, steps)
	l := newLab(t, plane, "remove-losses-below", controlplane.ClusterAdmins)
	lost := map[string]string{"crowd": "below-crowd", "chain": "below-chain", "keeps": "", "shares": ""}
	check := func(where, name, says string) {
		t.Helper()
		if volume := lost[name]; volume == "" && strings.Contains(says, "DATA") || !strings.Contains(says, volume) {
			t.Errorf("%s %s says %q, want volume %q", where, name, says, volume)
		}
	}
	for name := range lost {
		var preview result.Preview
		l.answer(t, &preview, "preview", "configmap/"+name, "-n", "losses-below")
		check("preview", name, dataOf(preview.Takes))
	}
	for name := range lost {
		mustBreak(t, plane, "- delete: {object: configmap/"+name+", namespace: losses-below, cascade: background}\n")
	}
	for name := range lost {
		var why result.Diagnosis
		l.answer(t, &why, "why", "configmap/"+name, "-n", "losses-below")
		check("why", name, lostByForce(why.RootCauses))
		plan := l.remove(t, "configmap/"+name, "-n", "losses-below", "--finalizer", "example.com/hold").report
		check("remove", name, dataOf(plan.Items[0].Takes))
		var tree result.Tree
		l.answer(t, &tree, "tree", "configmap/"+name, "-n", "losses-below")
		check("tree", name, lostByForce(tree.RootCauses))
		check("tree as people read it", name, l.read(t, "tree", "configmap/"+name, "-n", "losses-below"))
	}
	var list result.List
	l.answer(t, &list, "list", "-n", "losses-below")
	asTold := l.read(t, "list", "-n", "losses-below")
	wide := l.read(t, "list", "-n", "losses-below", "-o", "wide")
	for _, name := range []string{"crowd", "chain"} {
		check("list", name, lostByForce(list.RootCauses))
		check("list as people read it", name, asTold)
		check("list -o wide", name, wide)
	}
}

// answer runs a command that reads, and decodes what it says.
func (l *lab) answer(t *testing.T, into any, args ...string) {
	t.Helper()
	cmd, stdout, stderr := program(t, append(args, "--kubeconfig", l.kubeconfig, "-o", "json")...)
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, stderr)
	}
	if err := json.Unmarshal(stdout.Bytes(), into); err != nil {
		t.Fatal(err)
	}
}

// read runs a command and returns what people read.
func (l *lab) read(t *testing.T, args ...string) string {
	t.Helper()
	cmd, stdout, stderr := program(t, append(args, "--kubeconfig", l.kubeconfig)...)
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, stderr)
	}
	return stdout.String()
}

// lostByForce is what the removals by force lose that are offered.
func lostByForce(causes []result.RootCause) string {
	var lost []string
	for _, cause := range causes {
		for _, remedy := range cause.Remedies {
			if remedy.Forces() {
				lost = append(lost, remedy.Loses)
			}
		}
	}
	return strings.Join(lost, "\n")
}

// dataOf are the data that go, as a command says it.
func dataOf(taken []finding.Taken) string {
	var lost []string
	for _, one := range taken {
		if one.Risk == finding.DataLoss && !one.Depends() {
			lost = append(lost, one.Message)
		}
	}
	return strings.Join(lost, "\n")
}
