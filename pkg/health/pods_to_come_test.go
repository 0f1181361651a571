package health

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestBeforeStart puts what a new pod can't be created without before the start of a workload that was stopped, and
// nothing that is there, has room, or can't be read.
func TestBeforeStart(t *testing.T) {
	const template = "template: {spec: {serviceAccountName: op, priorityClassName: urgent, runtimeClassName: small, " +
		"containers: [{name: main, resources: {requests: {cpu: 300m}, limits: {memory: 1Gi}}}]}}"
	classes := "\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: urgent}\n---" +
		"\napiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: small}\n---"
	quota := func(spec, hard, used string) string {
		return "\napiVersion: v1\nkind: ResourceQuota\nmetadata: {namespace: shop, name: q}\n" +
			"spec: {" + spec + "}\nstatus: {hard: {" + hard + "}, used: {" + used + "}}\n---"
	}
	limits := func(item string) string {
		return "\napiVersion: v1\nkind: LimitRange\nmetadata: {namespace: shop, name: l}\n" +
			"spec: {limits: [{" + item + "}]}\n---"
	}
	scaler := func(meta, spec string) string {
		return "\napiVersion: autoscaling/v1\nkind: HorizontalPodAutoscaler\nmetadata: {namespace: shop, name: h" + meta +
			"}\nspec: {" + spec + "}\n---"
	}
	const scales = "scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: op}, maxReplicas: 3"
	const ofKeda = ", ownerReferences: " +
		"[{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, name: s, uid: '7', controller: true}]"
	stopped := apps("Deployment", "replicas: 0, "+template, "")
	for _, c := range []struct {
		name, objects, denied string
		lost                  bool
		want                  []string // a step each, before the start
	}{
		{name: "all is there", objects: stopped + classes},
		{name: "its account is gone", objects: stopped + classes, lost: true, want: []string{"create serviceaccount op"}},
		{
			name: "its classes are gone", objects: stopped,
			want: []string{"get priorityclasses.scheduling.k8s.io", "get runtimeclasses.node.k8s.io"},
		},
		{
			name: "Kubernetes' own class and account",
			objects: strings.NewReplacer("urgent", "system-node-critical", ", runtimeClassName: small", "",
				"serviceAccountName: op", "serviceAccountName: default").Replace(stopped),
			lost: true,
		},
		{
			name: "no room for one more pod", objects: stopped + classes + quota("", "pods: '5'", "pods: '5'"),
			want: []string{"describe resourcequota/q", `{"spec":{"hard":{"pods":"6"}}}`},
		},
		{name: "room for one more", objects: stopped + classes + quota("", "pods: '5'", "pods: '4'")},
		{
			name: "no room for what it requests and is limited to",
			objects: stopped + classes + quota("", "requests.cpu: 1, cpu: 2, limits.memory: 2Gi",
				"requests.cpu: 800m, cpu: 800m, limits.memory: 1536Mi"),
			want: []string{
				"describe resourcequota/q", `{"spec":{"hard":{"limits.memory":"2560Mi","requests.cpu":"1100m"}}}`,
			},
		},
		{
			name:    "a quota that need not count the pod",
			objects: stopped + classes + quota("scopes: [BestEffort]", "pods: '5'", "pods: '5'"),
		},
		{name: "a quota that nothing has counted yet", objects: stopped + classes + quota("", "", "")},
		{
			name: "more than a container may have", objects: stopped + classes + limits("type: Container, max: {memory: 512Mi}"),
			want: []string{"describe limitrange/l"},
		},
		{name: "as much as one may have", objects: stopped + classes + limits("type: Container, max: {memory: 1Gi}")},
		{
			name: "less than a container needs", objects: stopped + classes + limits("type: Container, min: {cpu: 400m}"),
			want: []string{"describe limitrange/l"},
		},
		{
			name:    "what it doesn't say is given to it",
			objects: stopped + classes + limits("type: Container, max: {cpu: 1}, default: {cpu: 1}"),
		},
		{
			name: "a pod without a limit", objects: stopped + classes + limits("type: Pod, max: {cpu: 1}"),
			want: []string{"describe limitrange/l"},
		},
		{name: "a range for claims", objects: stopped + classes + limits("type: PersistentVolumeClaim, max: {storage: 1Gi}")},
		{
			name: "ranges can't be read", objects: stopped + classes + limits("type: Container, max: {memory: 512Mi}"),
			denied: "limitranges",
		},
		{
			name: "an autoscaler that scales to zero", objects: stopped + classes + scaler("", scales+", minReplicas: 0"),
			want: []string{`patch horizontalpodautoscaler.autoscaling/h --type merge -p '{"spec":{"minReplicas":1}}'`},
		},
		{name: "one that doesn't", objects: stopped + classes + scaler("", scales+", minReplicas: 1")},
		{
			name:    "one of another workload",
			objects: stopped + classes + scaler("", strings.Replace(scales, "op}", "web}", 1)+", minReplicas: 0"),
		},
		{name: "KEDA's with a higher minimum", objects: stopped + classes + scaler(ofKeda, scales+", minReplicas: 2")},
		{
			name: "KEDA's", objects: stopped + classes + scaler(ofKeda, scales+", minReplicas: 1"),
			want: []string{`patch scaledobject.keda.sh/s --type merge -p '{"spec":{"minReplicaCount":1}}'`},
		},
		{
			name: "another project's of that kind", objects: stopped + classes +
				scaler(strings.Replace(ofKeda, "keda.sh", "scaling.acme.io", 1), scales+", minReplicas: 1"),
		},
		{name: "accounts can't be read", objects: stopped + classes, lost: true, denied: "serviceaccounts"},
		{
			name: "quotas can't be read", objects: stopped + classes + quota("", "pods: '5'", "pods: '5'"),
			denied: "resourcequotas",
		},
		{
			name: "a suspended Job", objects: job("suspend: true, "+template, "") + classes, lost: true,
			want: []string{"create serviceaccount op"},
		},
		{
			name:    "a suspended CronJob",
			objects: cronJob("suspend: true, jobTemplate: {spec: {"+template+"}}") + classes, lost: true,
			want: []string{"create serviceaccount op"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			checker, memory := outageChecker(t, c.objects)
			if c.lost {
				memory.Lost = []string{"shop/op", "shop/default"}
			}
			workload, pods := readOutage(t, checker, workloadIn(c.objects, false))
			memory.Deny(c.denied)
			steps := checker.Outage(t.Context(), workload, pods).Remedies
			if len(steps) != len(c.want)+1 {
				t.Fatalf("%d steps, want %d: %v", len(steps), len(c.want)+1, steps)
			}
			for i, want := range c.want {
				details, _ := steps[i].Details.(finding.StepDetails)
				if !strings.Contains(steps[i].Command.String(), want) || !details.Partial {
					t.Errorf("step %d is %q, partial %t; want %q", i+1, steps[i].Command, details.Partial, want)
				}
			}
			if last := steps[len(steps)-1]; !slices.Contains([]string{"ScaleUp", "Resume"}, last.Step) {
				t.Errorf("the last step is %s", last.Step)
			}
		})
	}
}

// TestNeedsOfPod counts what a quota counts: a pod by both of its names, and requests by both of theirs.
func TestNeedsOfPod(t *testing.T) {
	amount := corev1.ResourceList{"cpu": resource.MustParse("2")}
	main := corev1.Container{Resources: corev1.ResourceRequirements{Requests: amount, Limits: amount}}
	needs := needsOf(&corev1.PodSpec{Containers: []corev1.Container{main, main}})
	for name, want := range map[corev1.ResourceName]int64{
		"pods": 1, "count/pods": 1, "cpu": 4, "requests.cpu": 4, "limits.cpu": 4,
	} {
		if got := needs[name]; got.Value() != want {
			t.Errorf("%s: %s, want %d", name, got.String(), want)
		}
	}
}
