package diagnosis_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// now is noon; the fixtures count back from it.
var now = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func at(ago time.Duration) string { return now.Add(-ago).Format(time.RFC3339) }

// deleted is the metadata of something whose deletion was requested some time ago.
func deleted(ago time.Duration, finalizers ...string) string {
	return fmt.Sprintf("deletionTimestamp: %q, finalizers: [%s]", at(ago), strings.Join(finalizers, ", "))
}

func object(apiVersion, kind, namespace, name, meta, rest string) string {
	if meta != "" {
		meta = ", " + meta
	}
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {namespace: %q, name: %s, uid: %s-%s%s}\n%s\n", apiVersion,
		kind, namespace, name, strings.ToLower(kind), name, meta, rest)
}

// pod was deleted some time ago and has a grace period of 30 s.
func pod(name string, requested time.Duration, node, rest string) string {
	meta := fmt.Sprintf("deletionTimestamp: %q, deletionGracePeriodSeconds: 30", at(requested-30*time.Second))
	return object("v1", "Pod", "shop", name, meta, fmt.Sprintf("spec: {nodeName: %q%s}", node, rest))
}

func node(name, ready string, rest string) string {
	return object("v1", "Node", "", name, "",
		fmt.Sprintf("spec: {%s}\nstatus: {conditions: [{type: Ready, status: %q, reason: Told, "+
			"lastTransitionTime: %q}]}", rest, ready, at(time.Hour)))
}

func lease(namespace, name string, renewed time.Duration) string {
	return object("coordination.k8s.io/v1", "Lease", namespace, name, "",
		fmt.Sprintf("spec: {holderIdentity: me, leaseDurationSeconds: 40, renewTime: %q}",
			now.Add(-renewed).Format("2006-01-02T15:04:05.000000Z07:00")))
}

func managerAlive() string { return lease("kube-system", "kube-controller-manager", 2*time.Second) }
func managerDead() string  { return lease("kube-system", "kube-controller-manager", time.Hour) }

func owned(owner string, block bool) string {
	return fmt.Sprintf("ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: %s, uid: configmap-%s, "+
		"blockOwnerDeletion: %t}]", owner, owner, block)
}

func configMap(name, meta string) string { return object("v1", "ConfigMap", "shop", name, meta, "") }

func claim(meta string) string {
	return object("v1", "PersistentVolumeClaim", "shop", "data", meta, "")
}

func crd(ago time.Duration) string {
	return object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "databases.shop.example.com",
		deleted(ago, "customresourcecleanup.apiextensions.k8s.io"),
		"spec: {group: shop.example.com, scope: Namespaced, names: {plural: databases, kind: Database}, "+
			"versions: [{name: v0, served: false}, {name: v1, served: true, storage: true}]}")
}

// ephemeralClaim is the claim of volume scratch of pod web.
func ephemeralClaim() string {
	return object("v1", "PersistentVolumeClaim", "shop", "web-scratch",
		deleted(10*time.Second, "kubernetes.io/pvc-protection")+
			", ownerReferences: [{apiVersion: v1, kind: Pod, name: web, uid: pod-web}]", "")
}

const usesData = ", volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]"

func namespace(ago time.Duration, conditions string) string {
	return object("v1", "Namespace", "", "shop", deleted(ago),
		"spec: {finalizers: [kubernetes]}\nstatus: {phase: Terminating, conditions: ["+conditions+"]}")
}

func condition(kind, status, message string) string {
	return fmt.Sprintf("{type: %s, status: %q, reason: Told, message: %q, lastTransitionTime: %q}", kind, status,
		message, at(time.Minute))
}

type whyCase struct {
	name    string
	objects []string
	target  string // resource/name; in namespace shop unless cluster-scoped
	failed  string // group versions whose discovery fails
	deny    string
	leaves  string                                        // a finalizer that is still there after each dry run
	probe   func() error                                  // what the server answers to dry runs; nil without --probe
	review  func() (allowed bool, said string, err error) // what the server answers to reviews of rights
	damaged map[string]string                             // what reads of RESOURCE or VERSION/RESOURCE fail with
	verdict result.Verdict
	stated  bool              // the cause is in the target itself, or in the answer to a dry run
	causes  []string          // REASON Kind/path, × count
	says    []string          // in the summary, or in what explains it
	remedy  string            // part of a command that must be offered
	sure    finding.Certainty // of the first cause, where it matters
	notes   []string          // text that one of the observations must have, or a command that it offers
	broken  string            // a resource that the server fails to list
	lost    string            // a namespace that doesn't exist although something is in it
	deep    bool
	// meanwhile changes the cluster before a second look.
	meanwhile func(*clustertest.Memory)
	logs      cluster.LogReader // nil without --logs
}

func whyCases() []whyCase {
	return slices.Concat(
		basicCases(), contentCases(), foregroundCases(), damageCases(), ownerCases(), admissionCases(),
		refusedCases(), storageCases(), attributesClassCases(), jobCases(), deviceCases(), rangeCases(),
		balancerCases(), pluginCases(), controllerCases(), keptDependentCases(), attributionCases(), pipelineCases(),
		sharedAccountCases(), domainCases(), toldCases(), misleadingCases(), mentionCases(), goingNodeCases(),
		outageCases(), drainCases(), usageCases(), belowCases(), lostRightsCases(), voiceCases(), otherWordsCases(),
		leaseCases(), liveCases(), misspeltCases(), bystanderCases(), switchCases(), instanceCases(), progressCases(),
		agentCases(), lackedCases(), deletesFirstCases(), unseenSetterCases(), namesakeCases(),
		createdJobCases(),
	)
}
