package cli

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// TestSuggestedNames compares names that aren't there with what is Terminating.
func TestSuggestedNames(t *testing.T) {
	for args, want := range map[string]string{
		"why ns/paymnets":     "namespaces/paymnets: not found; did you mean namespaces/payments, which is Terminating?\n",
		"why pvc/data":        "/data -n default: not found; shop/data is Terminating (add -n shop)\n",
		"tree pvc/data":       "shop/data is Terminating (add -n shop)\n",
		"preview pvc/data":    "shop/data is Terminating (add -n shop)\n",
		"why pvc/dta -n shop": "not found; did you mean persistentvolumeclaims/data, which is Terminating?\n",
		"why pvc/dta":         "not found; did you mean persistentvolumeclaims/data -n shop, which is Terminating?\n",
		"why pvc/data -n shpo": "there is no namespace \"shpo\"; did you mean shop?; " +
			"shop/data is Terminating (add -n shop)\n",
		"why pod/other -n shop": "not found; it may already be gone, or be in another namespace than \"shop\" (-n)\n",
		"why data":              "did you mean persistentvolumeclaims/data -n shop, which is Terminating?\n",
		"why data -n shop":      "did you mean persistentvolumeclaims/data, which is Terminating?\n",
		"why dta -n shop":       "did you mean persistentvolumeclaims/data, which is Terminating?\n",
		"why podz -n shop":      "did you mean pods?\n",
		"why quux -n shop":      " and 13 more\n",
		"why shop":              "resource type \"shop\"; did you mean namespaces/shop?\n",
		"why shpo":              " and 13 more\n",
		"explain pvc/data": "does not have the finalizer \"pvc/data\".\nIf that is an object, ask about it:\n" +
			"  kubectl finalizers why pvc/data\nTo look for its controller, name the kind of the object with --kind\n",
		"why ns/defaul":   "did you mean namespaces/default, which is not being deleted?\n",
		"why ns/PAYMENTS": "did you mean namespaces/payments, which is Terminating?\n",
	} {
		code, out, errOut := executed(t, "", append(strings.Fields(args), "--snapshot", demoRecording)...)
		if code != exitFailed || out != "" || !strings.HasSuffix(errOut, want) {
			t.Errorf("%s: exit code %d, want %q\n%s%s", args, code, want, out, errOut)
		}
	}
}

// TestIgnoreNotFound takes it for an answer that an object is gone, and nothing else.
func TestIgnoreNotFound(t *testing.T) {
	for _, c := range []struct {
		args      string
		code      int
		out, says string
	}{
		{args: "why pod/gone -n shop", says: "\npods/gone -n shop: not found; it may already be gone"},
		{args: "why pod/gone -n shop -o json", says: "\npods/gone -n shop: not found"},
		{
			args: "why pod/gone pvc/data -n shop --exit-code",
			code: exitStuck, out: "shop/data", says: "pods/gone -n shop: not found",
		},
		{args: "why ns/paymnets", says: "did you mean namespaces/payments, which is\nTerminating?\n"},
		{args: "why podz/gone", code: exitFailed, says: "error: "},
	} {
		args := append(strings.Fields(c.args), "--ignore-not-found", "--snapshot", demoRecording)
		code, out, errOut := executed(t, "", args...)
		if code != c.code || !strings.Contains(out, c.out) || c.out == "" && out != "" || !strings.Contains(errOut, c.says) {
			t.Errorf("%s: exit code %d, want %d with %q and %q\n%s%s", c.args, code, c.code, c.out, c.says, out, errOut)
		}
	}
	// What could not be looked at is not gone.
	zoo := zooRecording(t, "S29")
	code, _, errOut := executed(t, "", "why", "pvc/none", "-n", "s29", "--ignore-not-found", "--snapshot", zoo)
	if code != exitFailed || !strings.Contains(errOut, "error: ") {
		t.Errorf("exit code %d\n%s", code, errOut)
	}
}

// TestSuggestedLiveNames compares names that aren't there with what is alive: its name, and its kind.
func TestSuggestedLiveNames(t *testing.T) {
	zoo := zooRecording(t, "N40")
	for args, want := range map[string]string{
		"why deploy/web -n n40":       "not found; did you mean statefulsets.apps/web?\n",
		"uninstall deploy/web -n n40": "not found; did you mean statefulsets.apps/web?\n",
		"why sts/webb -n n40":         "; did you mean statefulsets.apps/web, which is Terminating?\n",
		"preview sts/webb -n n40":     "; did you mean statefulsets.apps/web, which is Terminating?\n",
		"tree sts/webb -n n40":        "; did you mean statefulsets.apps/web, which is Terminating?\n",
		"why deploy/other -n n40":     "it may already be gone, or be in another namespace than \"n40\" (-n)\n",
	} {
		code, _, errOut := executed(t, "", append(strings.Fields(args), "--snapshot", zoo)...)
		if code != exitFailed || !strings.HasSuffix(errOut, want) {
			t.Errorf("%s: exit code %d, want %q\n%s", args, code, want, errOut)
		}
	}
}

// TestIsMeant takes one wrong letter of a short name for a slip, also where the object is alive.
func TestIsMeant(t *testing.T) {
	claim := session.Target{Resource: cluster.PersistentVolumeClaims(), Namespace: "shop", Name: "dat"}
	for name, want := range map[string]bool{"data": true, "DAT": true, "logs": false} {
		if got := isMeant(claim, name); got != want {
			t.Errorf("%s: %t, want %t", name, got, want)
		}
	}
}
