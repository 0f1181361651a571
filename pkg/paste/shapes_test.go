package paste_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/paste"
)

// TestBareRows knows rows without their heading by their cells, and leaves other lines alone.
func TestBareRows(t *testing.T) {
	for line, want := range map[string]string{
		"shop  web-0  1/1  Terminating  2 (14d ago)  30d  10.2.2.8  w2  <none>  <none>": "Pod/web-0",
		"web-0   0/1   Terminating   0   12d":                                           "Pod/web-0",
		"w2   NotReady,SchedulingDisabled   <none>   90d   v1.27.4":                     "Node/w2",
		"v1.a.example.com   shop/a   False (MissingEndpoints)   34d":                    "APIService/v1.a.example.com",
		"data   Terminating   pvc-1   5Gi   RWO   fast   40d":                           "PersistentVolumeClaim/data",
		"pv1   5Gi   RWO   Delete   Released   shop/data   fast      40d":               "PersistentVolume/pv1",
		"shop   Terminating   12d":                                                      "", // it may be in several tables
		"the pod 1/1 was Terminating  for 12 days":                                      "",
		"$ kubectl get ns | grep Term\nshop   Terminating   12d":                        "Namespace/shop",
		"$ kubectl get pvc | grep Term\nshop   Terminating   12d":                       "",
	} {
		if got := read(t, line+"\n").names(); got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
	nodeless := read(t, "web-0   0/1   Terminating   0   12d\n").objects
	if len(nodeless) != 1 || nodeless[0].Partial != paste.MetadataOnly {
		t.Errorf("a pod whose node isn't shown is %+v", nodeless)
	}
}

// TestMargins reads objects behind numbers and bars, as editors show files, and what else programs make of a text.
func TestMargins(t *testing.T) {
	numbers := func(text, gap string) string {
		out := ""
		for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			out += "  " + string(rune('1'+i)) + gap + line + "\n"
		}
		return out
	}
	data := "{\n\"apiVersion\": \"v1\",\n\"kind\": \"Pod\",\n\"metadata\": {\n\"name\": \"web\"\n}\n}\n"
	curly := strings.NewReplacer("\n\"", "\n“", "\":", "”:").Replace(data)
	for name, text := range map[string]string{
		"numbers":          numbers(pod, "  "),
		"numbers, a colon": numbers(pod, ": "),
		"cat -n":           numbers(pod, "\t"),
		"bars":             indented(pod, "| "),
		"entities":         strings.ReplaceAll(data, `"`, "&quot;"),
		"quotation marks":  curly,
		"left out":         strings.Replace(data, "\"kind\"", "...\n\"kind\"", 1),
		"a comma is left":  strings.Replace(data, "\"web\"\n", "\"web\",\n  [...]\n", 1),
		"YAML, left out":   strings.Replace(pod, "  namespace", "  ...\n  namespace", 1),
	} {
		if got := read(t, text).names(); got != "Pod/web" {
			t.Errorf("%s: found %q in\n%s", name, got, text)
		}
	}
	if broken := read(t, numbers(pod[:strings.Index(pod, "spec")], " ")+"9 lives\n").names(); broken != "Pod/web" {
		t.Errorf("found %q before a number that doesn't follow", broken)
	}
}

// TestLeftOut counts nothing as whole in which lines were left out.
func TestLeftOut(t *testing.T) {
	list := "$ kubectl get pods -n shop -o yaml\napiVersion: v1\nitems:\n- " + indented(pod, "  ")[2:]
	if found := read(t, list+"  ...\nkind: List\n$\n"); len(found.questions) != 0 {
		t.Errorf("a list counts as complete: %v", found.questions)
	}
	cut := read(t, strings.Replace(pod, "spec: {}", "spec: {}\n  ...", 1)).objects
	if len(cut) != 1 || cut[0].Partial == paste.Whole {
		t.Errorf("found %+v", cut)
	}
}

// TestUsedBy takes in the pods that the description of a claim names, and what other descriptions only name.
func TestUsedBy(t *testing.T) {
	const claim = "Name:          data\nNamespace:     db\nStatus:        Terminating (lasts 2d)\nVolume:        pv1\n" +
		"Finalizers:    [kubernetes.io/pvc-protection]\nAccess Modes:  RWO\nUsed By:       mysql-0\n" +
		"               backup-1\nEvents:        <none>\n"
	if got := read(t, claim).names(); got != "PersistentVolumeClaim/data Pod/mysql-0 Pod/backup-1" {
		t.Errorf("found %q", got)
	}
	if got := read(t, strings.Replace(claim, "mysql-0\n               backup-1", "<none>", 1)).names(); got !=
		"PersistentVolumeClaim/data" {
		t.Errorf("found %q", got)
	}
	named := read(t, "$ kubectl describe widget.example.com a\nName:   a\nNamespace:   shop\nSize:   3\n").mentions
	if last := len(named) - 1; last < 0 || named[last].Resource == "" || named[last].Namespace != "shop" {
		t.Errorf("found %+v", named)
	}
}

// TestNamedByCommands notes what commands name: in a prompt, behind what runs them, in a pipeline and in a sentence.
func TestNamedByCommands(t *testing.T) {
	for text, want := range map[string]string{
		"$ kubectl delete ledger q3 -n payroll --timeout 2s": "ledger payroll/q3, namespaces payroll",
		"$ sudo k3s kubectl delete ns/shop --wait=true":      "ns shop",
		"$ KUBECONFIG=a.yaml kubectl get ns shop -o yaml":    "ns shop",
		"$ kubectl patch pvc data -n db --type merge -p '{\"metadata\": {\"finalizers\": null}}'": "pvc db/data, " +
			"namespaces db",
		"I ran `kubectl delete ns shop` an hour ago":                               "ns shop",
		"we did kubectl delete ns shop and it hangs":                               "ns shop",
		"kubectl delete ns shop-1 shop-2":                                          "ns shop-1, ns shop-2",
		"Every 2.0s: kubectl get pvc a -n shop     host: Sun Nov 29 22:30:00 2026": "pvc shop/a, namespaces shop",
		"our namespace payroll is stuck in Terminating":                            "namespaces payroll",
		"the namespace `payroll` won't go away, we deleted it":                     "namespaces payroll",
		"a namespace that is stuck in Terminating":                                 "",
		"the namespace payroll is fine":                                            "",
		`E1129 10:01 controller.go:329] "Reconciler error" err="denied" controller="vault" ` +
			`controllerGroup="fin.example.com" controllerKind="Vault" Vault="a/silver" namespace="a" name="silver"`: "" +
			"vault.fin.example.com a/silver",
		`2026-11-29T22:10:01Z ERROR Reconciler error {"controllerGroup": "fin.example.com", "controllerKind": "Vault", ` +
			`"Vault": {"name":"silver","namespace":"a"}, "namespace": "a", "name": "silver", "error": "denied"}`: "" +
			"vault.fin.example.com a/silver",
		`{"level":"error","controllerKind":"Node","name":"w1","error":"no"}`:           "node w1",
		"$ kubectl describe pvc data -n $NS":                                           "pvc data",
		"$ kubectl describe ../secrets/data x -n shop":                                 "namespaces shop",
		`E1129 controllerKind="Pod" namespace="../x" name="a"`:                         "pod a",
		`E1129 controllerKind="Vault" but no name`:                                     "",
		"$ kubectl logs web -n shop":                                                   "",
		"$ kubectl get pods -l app=web":                                                "",
		"the kubectl get command":                                                      "",
		"$ kubectl api-resources -o name | xargs -n 1 kubectl get --show-kind -n shop": "namespaces shop",
		"$ kubectl api-resources -o name | xargs -n 1 kubectl get --show-kind -n shop\n" +
			"NAME                    AGE\nledger.fin.example.com/q3   36s": "namespaces shop, ledger.fin.example.com shop/q3",
		"$ kubectl api-resources -o name | xargs -I{} kubectl get {} -A\n" +
			"NAMESPACE   NAME                        AGE\nshop        ledger.fin.example.com/q3   36s": "" +
			"ledger.fin.example.com shop/q3",
	} {
		if got := read(t, text+"\n").named(); got != want {
			t.Errorf("%s\nnames %q, want %q", text, got, want)
		}
	}
}

// TestDashesInValues reads values with lines of dashes, which begin another object only at the left.
func TestDashesInValues(t *testing.T) {
	const roots = "apiVersion: v1\ndata:\n  ca.crt: |\n    -----BEGIN CERTIFICATE-----\n    MIIB\n" +
		"    -----END CERTIFICATE-----\n  all.yaml: |\n    a: 1\n    ---\n    b: 2\n" +
		"kind: ConfigMap\nmetadata:\n  name: roots\n"
	list := "$ kubectl get cm -n shop -o yaml\napiVersion: v1\nitems:\n- " + indented(roots, "  ")[2:] + "kind: List\n$\n"
	for text, want := range map[string]string{
		roots + "---\n" + pod:                    "ConfigMap/roots Pod/web",
		roots + "-----Original Message-----\nhi": "ConfigMap/roots",
		list:                                     "ConfigMap/roots",
	} {
		got := read(t, text)
		if got.names() != want || len(got.problems) != 0 {
			t.Errorf("found %q, and %v, in\n%s", got.names(), got.problems, text)
		}
	}
	if got := read(t, list); len(got.questions) != 1 {
		t.Error("the list is not complete")
	}
}
