package attribution

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// law is a cluster that leads to a wrong answer where a law about signs isn't kept, or its twin.
type law struct {
	name      string
	state     []string // documents
	held      stuck
	want, not []string
}

// check asks about a law's object, and asks again with all reads denied: then nothing is concluded.
func (l law) check(t *testing.T) {
	got := toldIn(t, strings.Join(l.state, "\n---\n"), l.held)
	for _, want := range l.want {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	for _, not := range l.not {
		if strings.Contains(got, not) {
			t.Errorf("%q is said in\n%s", not, got)
		}
	}
	memory, err := clustertest.New(now, strings.Join(l.state, "\n---\n")+"\n---\n"+l.held.document())
	if err != nil {
		t.Fatal(err)
	}
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	memory.Before = func(what string) {
		if !strings.HasPrefix(what, l.held.resource().QualifiedName()+" ") {
			memory.Deny("*")
		}
	}
	denied := told(t, finderOf(memory, known), l.held)
	for _, verdict := range []string{"ControllerDown", "ControllerMissing", "ControllerForbidden", "ControllerFailing"} {
		if strings.Contains(denied, verdict) {
			t.Errorf("with all reads denied, %s is concluded:\n%s", verdict, denied)
		}
	}
}

// readyPod is a pod of operatorOf's workload, named after it.
func readyPod(namespace, name string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata: {namespace: %[1]s, name: %[2]s-6d4cf56db6-x7k2p, uid: %[1]s-%[2]s, labels: {app: %[2]s}}
spec: {serviceAccountName: %[2]s, containers: [{name: main, image: x}]}
status:
  phase: Running
  conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-06-01T12:00:00Z"}]
`, namespace, name)
}

// runs is a program that runs as the ServiceAccount of its name; stopped, one at 0.
func runs(namespace, name string) string {
	return strings.Join([]string{accountIn(namespace, name), operatorOf(namespace, name, 1), readyPod(namespace, name)},
		"\n---\n")
}

func stopped(namespace, name string) string {
	return accountIn(namespace, name) + "\n---\n" + operatorOf(namespace, name, 0)
}

// staleLease is one that no one has renewed for a month.
func staleLease(namespace, name, holder string) string {
	return fmt.Sprintf(`
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {namespace: %s, name: %s, uid: lease-%s}
spec: {holderIdentity: %s, renewTime: "2026-06-01T12:00:00.000000Z", leaseDurationSeconds: 15}
`, namespace, name, name, holder)
}

// liveLease is one that its holder has just renewed.
func liveLease(namespace, name, holder string) string {
	return strings.ReplaceAll(
		staleLease(namespace, name, holder), "2026-06-01T12:00:00.000000Z", now.UTC().Format("2006-01-02T15:04:05.000000Z"),
	)
}

// may lets ServiceAccounts, NAMESPACE/NAME, do something with a kind everywhere.
func may(verbs, group, resource string, accounts ...string) string {
	role := strings.NewReplacer(" ", "", ",", "-", "*", "all").Replace(group + "." + resource + "." + verbs)
	role = strings.Join(append([]string{role}, accounts...), "-")
	role = strings.ReplaceAll(role, "/", "-")
	return fmt.Sprintf(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: %[1]s}
rules: [{apiGroups: [%[2]q], resources: [%[3]q], verbs: [%[4]s]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: %[1]s}
roleRef: {kind: ClusterRole, name: %[1]s}
subjects: [%[5]s]
`, role, group, resource, verbs, subjectsOf(accounts))
}

func subjectsOf(accounts []string) string {
	var subjects []string
	for _, account := range accounts {
		namespace, name, isAccount := strings.Cut(account, "/")
		if !isAccount {
			subjects = append(subjects, fmt.Sprintf("{kind: User, name: %s}", account))
			continue
		}
		subjects = append(subjects, fmt.Sprintf("{kind: ServiceAccount, namespace: %s, name: %s}", namespace, name))
	}
	return strings.Join(subjects, ", ")
}

// mayIn lets a ServiceAccount do everything with a Database in one namespace.
func mayIn(namespace, account string) string {
	return fmt.Sprintf(`
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {namespace: %[1]s, name: databases}
rules: [{apiGroups: [shop.example.com], resources: [databases], verbs: ["get", "list", "watch", "update", "patch"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {namespace: %[1]s, name: databases}
roleRef: {kind: Role, name: databases}
subjects: [%[2]s]
`, namespace, subjectsOf([]string{account}))
}

func namespaceWith(name, labels string) string {
	const document = "\napiVersion: v1\nkind: Namespace\nmetadata: {name: %s, uid: %[1]s, labels: {%[2]s}}\n"
	return fmt.Sprintf(document, name, labels)
}

const writesKind = "get, list, watch, update, patch"

// database is a Database that is stuck, with who set its finalizer.
func database(managers ...string) stuck {
	return stuck{
		kind: "Database", namespace: "a", name: "x", finalizer: "shop.example.com/cleanup",
		managers: slices.Clone(managers),
	}
}

func challenge(managers ...string) stuck {
	return stuckOn("Challenge", "acme.cert-manager.io/finalizer", managers...)
}

func stuckOn(kind, finalizer string, managers ...string) stuck {
	return stuck{kind: kind, namespace: "a", name: "x", finalizer: finalizer, managers: managers}
}

// writtenBy is a stuck object whose status some programs wrote.
func writtenBy(held stuck, programs ...string) stuck {
	held.writers = programs
	return held
}
