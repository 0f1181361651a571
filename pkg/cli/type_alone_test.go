package cli

import (
	"encoding/json"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"testing"
)

// demoRecording is a cluster with a Terminating namespace (payments, with two pods), and in shop a claim and a
// Deployment with all that is below it.
const demoRecording = "../../hack/demo/demo.snapshot"

// TestTypeAlone means whatever of a type is Terminating.
func TestTypeAlone(t *testing.T) {
	for _, c := range []struct {
		args          string
		code          int
		out, complain string // part of it; of out, empty means nothing at all
	}{
		{args: "why pods -n shop", out: "3 objects are Terminating, all stuck (1 root cause)."},
		{args: "why pods -A", out: "5 objects are Terminating, all stuck (3 causes, 1 of them unknown)."},
		{args: "why po,pods -n payments", out: "2 objects are Terminating"},
		{args: "why pvc -n shop", out: "Stuck: PersistentVolumeClaim shop/data has been Terminating"},
		{args: "why ns", out: "Stuck: Namespace payments has been Terminating"},
		{args: "why pvc,ns -n shop", out: "2 objects are Terminating"},
		{args: "why all -n shop", out: "5 objects are Terminating, all stuck (1 root cause)."},
		{args: "why pods -n shop --exit-code", code: exitStuck, out: "3 objects are Terminating"},
		{args: "why ns --exit-code", code: exitStuck, out: "Stuck: Namespace payments"},
		{args: "why pods -n shop -o name", out: "pod/web-"},
		{
			args: "why pods -n default",
			complain: "\nNo pods are Terminating in namespace \"default\". " +
				"5 objects are Terminating elsewhere: 3 in shop, 2 in payments. To see more, use -n or -A.\n",
		},
		{args: "why pods -n default --exit-code", complain: "No pods are Terminating"},
		{args: "why pv", complain: "\nNo persistentvolumes are Terminating.\n"},
		{args: "why cm,pv", complain: "No persistentvolumes are Terminating, and no configmaps in namespace \"default\".\n"},
		{args: "why all -n default",
			complain: `types) is Terminating in namespace "default". 7 objects are Terminating elsewhere:`},
		{args: "why svc -A", complain: "\nNo services are Terminating.\n"},
		{args: "why pods -n dfault", code: 1, complain: `error: there is no namespace "dfault"; did you mean default?`},
		{
			args: "list -n dfault -o json --exit-code", code: 1,
			complain: `error: there is no namespace "dfault"; did you mean default?`,
		},
		{args: "tree -n dfault", code: 1, complain: `error: there is no namespace "dfault"; did you mean default?`},
		{args: "check -n dfault", code: 1, complain: `error: there is no namespace "dfault"; did you mean default?`},
		{args: "list -n dfault --ignore-not-found", complain: `there is no namespace "dfault"; did you mean default?`},
		{args: "check -n dfault --ignore-not-found", out: "No problems found", complain: `there is no namespace "dfault"`},
		{args: "why cm -l app=web -n dfault", code: 1, complain: `there is no namespace "dfault"`},
		{
			args: "list -n default",
			complain: "\nNothing is Terminating in namespace \"default\". " +
				"9 objects are Terminating elsewhere: 6 in shop, 2 in payments, 1 cluster-scoped.",
		},
		{args: "tree -n default", complain: "9 objects are Terminating elsewhere"},
		{
			args:     "list -n default --older-than 2d",
			complain: "\nNothing has been Terminating for longer than 2d in namespace \"default\".\n",
		},
		{args: "why pods -n shop --logs", code: 1, complain: "--logs requires the name of an object"},
		{args: "why podz", code: 1, complain: "did you mean pods?"},
		{args: "why pods web -A", code: 1, complain: "--all-namespaces requires a selector"},
		{args: "preview pods", code: 1, complain: "a type alone is not enough"},
		{args: "list pods", code: 1, complain: "\nTo look in a namespace: kubectl finalizers list -n pods\n" +
			"To ask about all objects of a type: kubectl finalizers why pods\n"},
		{args: "check ns/shop", code: 1, complain: "\nTo look in a namespace: kubectl finalizers check -n shop\n" +
			"To ask about one object: kubectl finalizers why ns/shop\n"},
		{args: "list pods/web", code: 1, complain: "\nUse -n NAMESPACE or -A.\nTo ask about one object: "},
		{args: "list --watch=2", code: 1, complain: "error: --watch was given \"2\", but takes no value: " +
			"write --watch alone.\nIt has no interval: it looks again when something changes. " +
			"To limit how long it watches, use --timeout, "},
		{args: "check -A=yes", code: 1, complain: "error: --all-namespaces was given \"yes\", but takes no value: " +
			"write --all-namespaces alone.\n"},
		{args: "why -A", code: 1, complain: "name an object"},
	} {
		t.Run(c.args, func(t *testing.T) {
			code, out, errOut := executed(t, "", append(strings.Fields(c.args), "--snapshot", demoRecording)...)
			answered := strings.Contains(out, c.out) && (c.out != "" || out == "")
			if code != c.code || !answered || !strings.Contains(errOut, c.complain) {
				t.Errorf("exit code %d, want %d with %q and %q\n%s%s", code, c.code, c.out, c.complain, out, errOut)
			}
		})
	}
}

// TestTypeAloneForPrograms has one form, however many there are.
func TestTypeAloneForPrograms(t *testing.T) {
	for args, want := range map[string]int{"why pods -A": 5, "why ns": 1, "why pods -n default": 0} {
		_, out, errOut := executed(t, "", append(strings.Fields(args), "-o", "json", "--snapshot", demoRecording)...)
		var list result.List
		if err := json.Unmarshal([]byte(out), &list); err != nil {
			t.Fatal(err)
		}
		if list.Kind != "DiagnosisList" || list.Items == nil || strings.Contains(errOut, "Terminating") {
			t.Errorf("%s: %s%s", args, out, errOut)
		}
		if len(list.Items) != want {
			t.Errorf("%s: %d objects, want %d\n%s%s", args, len(list.Items), want, out, errOut)
		}
	}
}

// TestUnreadableTypeAlone never says of what it could not list that nothing of it is Terminating.
func TestUnreadableTypeAlone(t *testing.T) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop, uid: x}\n"
	code, out, errOut := executed(t, pod, "why", "pods", "-n", "shop", "--exit-code", "--snapshot", "-")
	if code != exitUndetermined || !strings.Contains(out, "In what could be read, no pods are") {
		t.Errorf("manifests: exit code %d\n%s%s", code, out, errOut)
	}
	code, _, errOut = executed(t, "", "why", "all", "-n", "s05", "--snapshot", zooRecording(t, "S05"))
	if code != exitFailed || !strings.Contains(errOut, `namespace "s05", because no kind in it was recorded completely`) {
		t.Errorf("a recording of one object: exit code %d\n%s", code, errOut)
	}
}

// TestRecordingIsIntroducedOnce has explain ask a recording twice: about the kind, and about the controller.
func TestRecordingIsIntroducedOnce(t *testing.T) {
	code, out, errOut := executed(t, "", "explain", "lagoon.dev/drain", "--kind", "Reservoir.lagoon.dev",
		"--snapshot", zooRecording(t, "P06a"))
	if strings.Count(errOut, "From a recording") != 1 {
		t.Errorf("exit code %d\n%s%s", code, out, errOut)
	}
}
