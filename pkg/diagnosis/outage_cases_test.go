package diagnosis_test

import (
	"fmt"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"time"
)

// outageCases are custom resources whose controller has no ready pod, for a reason that the cluster tells.
func outageCases() []whyCase {
	const orders = "databases.shop.example.com/orders"
	writes := granted("shop-operator", mayWrite, "databases", theOperator)
	template := "template: {spec: {serviceAccountName: shop-operator}}"
	runner := func(api, kind, meta, spec, status string) string {
		return object(api, kind, "shop-system", "runner", meta, "spec: {"+spec+"}\nstatus: {"+status+"}")
	}
	job := func(status string) string { return runner("batch/v1", "Job", "", template, status) }
	cron := func(spec string) string {
		return runner("batch/v1", "CronJob", "", spec+"schedule: '@hourly', jobTemplate: {spec: {"+template+"}}", "")
	}
	jobPod := func(status string) string {
		return object("v1", "Pod", "shop-system", "runner-x",
			"ownerReferences: [{apiVersion: batch/v1, kind: Job, name: runner, uid: job-runner, controller: true}]",
			"spec: {nodeName: n1, serviceAccountName: shop-operator, containers: [{name: main, "+
				"image: 'example.com/gone:1'}]}\nstatus: {"+status+"}")
	}
	alone := func(status string) string {
		return object("v1", "Pod", "shop-system", "runner", "",
			"spec: {nodeName: n1, serviceAccountName: shop-operator}\nstatus: {"+status+"}")
	}
	created := func(kind, message string) string {
		return object("v1", "Event", "shop-system", "runner.1", "",
			fmt.Sprintf("involvedObject: {uid: %s-runner}\ntype: Warning\nreason: FailedCreate\nmessage: %q\nlastTimestamp: %q",
				kind, message, at(time.Minute)))
	}
	held := func(objects ...string) []string {
		return append([]string{database(time.Hour, "", ""), writes}, objects...)
	}
	const failed = `conditions: [{type: Failed, status: "True", reason: DeadlineExceeded, ` +
		`message: Job was active longer than specified deadline}]`
	return []whyCase{{
		name: "custom resource whose operator was on a node that stopped reporting a moment ago", target: orders,
		verdict: result.Undetermined,
		objects: held(account("shop-operator"), operator(1, ""), operatorPod("phase: Running"),
			node("n1", "True", ""), lease("kube-node-lease", "n1", 50*time.Second)),
		says: []string{
			"shop-operator, which is probably responsible for shop.example.com/cleanup and has no ready pod",
			"which last reported 50s ago and may only be late",
		},
	}, {
		name: "custom resource whose operator's ServiceAccount is missing", target: orders, verdict: result.Stuck,
		objects: held(runner("apps/v1", "StatefulSet", "", template, ""),
			created("statefulset",
				`create Pod runner-0 in StatefulSet runner failed error: pods "runner-0" is forbidden: error looking up service `+
					`account shop-system/shop-operator: serviceaccount "shop-operator" not found`)),
		causes: []string{"ControllerDown StatefulSet/shop-system/runner"},
		says:   []string{"ServiceAccount shop-system/shop-operator does not exist"},
		remedy: "-n shop-system create serviceaccount shop-operator",
	}, {
		name: "custom resource whose operator's pods violate Pod Security", target: orders, verdict: result.Stuck,
		objects: held(account("shop-operator"), runner("apps/v1", "DaemonSet", "generation: 1", template,
			"desiredNumberScheduled: 1"),
			created("daemonset",
				`Error creating: pods "runner-" is forbidden: violates PodSecurity "restricted:latest": privileged`)),
		causes: []string{"ControllerDown DaemonSet/shop-system/runner"},
		says:   []string{"they violate the Pod Security level restricted:latest of Namespace shop-system"},
		remedy: "get namespace/shop-system --show-labels",
	}, {
		name: "custom resource whose operator is a pod that was evicted", target: orders, verdict: result.Stuck,
		objects: held(account("shop-operator"),
			alone(`phase: Failed, reason: Evicted, message: "The node was low on resource: memory."`)),
		causes: []string{"ControllerDown Pod/shop-system/runner"}, says: []string{"was evicted"},
		remedy: "get pods/runner -o yaml",
	}, {
		name: "custom resource whose operator is a pod that has finished", target: orders, verdict: result.Stuck,
		objects: held(account("shop-operator"), alone("phase: Succeeded")),
		causes:  []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "custom resource whose uninstall Job failed", target: orders, verdict: result.Stuck,
		objects: held(account("shop-operator"), job(failed)),
		causes:  []string{"ControllerDown Job/shop-system/runner"}, says: []string{"failed (DeadlineExceeded)"},
		remedy: "describe jobs.batch/runner",
	}, {
		name: "custom resource whose uninstall Job's pods failed", target: orders, verdict: result.Stuck,
		objects: held(account("shop-operator"), job(strings.ReplaceAll(failed, "DeadlineExceeded", "BackoffLimitExceeded")),
			jobPod(`phase: Failed, containerStatuses: [{name: main, state: {terminated: {exitCode: 1, reason: Error, `+
				`message: "no route to host"}}}]`)),
		causes: []string{"ControllerDown Job/shop-system/runner"}, says: []string{"failed (BackoffLimitExceeded)"},
		remedy: "logs pods/runner-x --all-containers",
	}, {
		name: "custom resource whose uninstall Job's image is missing", target: orders, verdict: result.Stuck,
		objects: held(account("shop-operator"), job(""),
			jobPod("phase: Pending, containerStatuses: [{name: main, state: {waiting: {reason: ErrImagePull, "+
				"message: not found}}}]")),
		causes: []string{"ControllerDown Job/shop-system/runner"}, says: []string{"can't pull image example.com/gone:1"},
	}, {
		name: "custom resource whose uninstall Job has completed", target: orders, verdict: result.Stuck,
		objects: held(account("shop-operator"), job(`conditions: [{type: Complete, status: "True"}]`)),
		causes:  []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "custom resource whose cleaning CronJob is suspended", target: orders, verdict: result.Stuck,
		objects: held(account("shop-operator"), cron("suspend: true, ")),
		causes:  []string{"ControllerDown CronJob/shop-system/runner"}, says: []string{"is suspended"},
		remedy: "patch cronjobs.batch/runner",
	}, {
		name: "custom resource whose cleaning CronJob waits for its time", target: orders, verdict: result.Undetermined,
		objects: held(account("shop-operator"), cron("")),
		causes:  []string{"ControllerUnknown Database/shop/orders"}, says: []string{"waits for its next scheduled run"},
		remedy: "create job runner-now",
	}, {
		name: "custom resource whose operator has no pods, and its events may not be read", target: orders,
		verdict: result.Stuck, deny: "events",
		objects: held(account("shop-operator"), runner("apps/v1", "StatefulSet", "", template, "")),
		causes:  []string{"ControllerDown StatefulSet/shop-system/runner"}, says: []string{"which has no pods"},
	}}
}
