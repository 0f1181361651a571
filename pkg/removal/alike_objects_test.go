package removal_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
)

// TestAlikeIsOneBlock plans ten objects with one finalizer, and one that a second finalizer holds as well: the ten are
// one block with all their names, and nothing about them is repeated.
func TestAlikeIsOneBlock(t *testing.T) {
	const one = `
apiVersion: v1
kind: ConfigMap
metadata:
  name: n%d
  namespace: shop
  uid: u%d
  resourceVersion: "7"
  deletionTimestamp: 2026-01-02T03:0%d:00Z
  finalizers: [%s]
`
	var objects, targets []string
	for i := range 11 {
		finalizers := "a/x"
		if i == 4 {
			finalizers = "a/x, b/y"
		}
		objects = append(objects, fmt.Sprintf(one, i, i, i%4, finalizers))
		targets = append(targets, fmt.Sprintf("configmaps/n%d", i))
	}
	b := newBench(t, strings.Join(objects, "---"), removal.Options{Finalizers: []string{"a/x"}}, targets...)
	b.Again = slices.Concat(strings.Fields("kubectl finalizers remove -n shop --finalizer a/x"), targets)
	text := b.printed(t, b.run(t))
	for says, times := range map[string]int{
		"10 × ConfigMap (Undetermined, Terminating for up to 4m5s)":              1,
		"shop/n0, shop/n1, shop/n2, shop/n3, shop/n5, shop/n6, shop/n7, shop/n8": 1,
		"shop/n9, shop/n10": 1,
		"This is for shop/n0; the same applies to the other 9.": 1,
		"ConfigMap shop/n4 (Undetermined":                       1,
		"b/y":                                                   1,
		"Loses:":                                                2, "Would send a PATCH": 2, "(ControllerUnknown)": 2,
	} {
		if got := strings.Count(strings.Join(strings.Fields(text), " "), says); got != times {
			t.Errorf("the plan says %q %d times, want %d:\n%s", says, got, times, text)
		}
	}
	for _, target := range targets {
		if _, command, _ := strings.Cut(text, "TO CARRY IT OUT"); !strings.Contains(command, target) {
			t.Errorf("the command doesn't name %s:\n%s", target, command)
		}
	}
}

// TestRefusalSaysTheNextStep has a refusal name the command that plans the same with the objection overridden, which
// passes then: for one object, and for two, which are one reason.
func TestRefusalSaysTheNextStep(t *testing.T) {
	another := strings.NewReplacer("name: data", "name: more", "data-1", "more-1", "claimName: data", "claimName: more")
	claims, both := used+"---"+another.Replace(used), []string{"persistentvolumeclaims/data",
		"persistentvolumeclaims/more"}
	for _, targets := range [][]string{both[:1], both} {
		options := removal.Options{Finalizers: []string{"kubernetes.io/pvc-protection"}}
		b := newBench(t, claims, options, targets...)
		b.Again = slices.Concat(strings.Fields("kubectl finalizers remove"), targets)
		done := b.run(t)
		text := strings.Join(strings.Fields(b.printed(t, done)), " ")
		if got := strings.Count(text, "--override StillInUse"); got != 2 || strings.Count(text, "Next: ") != 1 {
			t.Errorf("it says %d times what overrides it, want in a sentence and in one command:\n%s", got, text)
		}
		for _, guard := range done.Guards {
			plans := strings.Contains(guard.Command.String(), "--override StillInUse") && !slices.Contains(guard.Command,
				"--force")
			if !guard.Passed && !plans {
				t.Errorf("the next step is %q", guard.Command)
			}
		}
		options.Overrides = []string{"StillInUse"}
		b = newBench(t, claims, options, targets...)
		for _, guard := range b.run(t).Guards {
			if !guard.Passed {
				t.Errorf("with the override it is refused: %s", guard.Why)
			}
		}
	}
}

const used = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
  namespace: shop
  uid: data-1
  resourceVersion: "7"
  deletionTimestamp: 2026-01-02T03:00:00Z
  finalizers: [kubernetes.io/pvc-protection]
---
apiVersion: v1
kind: Pod
metadata: {name: data, namespace: shop, uid: data-1-pod}
spec: {nodeName: n1, containers: [{name: main}], volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]}
status: {phase: Running}
`
