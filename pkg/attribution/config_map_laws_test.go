package attribution

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// toldByMap is a program that runs, and gets variables from a ConfigMap: what its container has for that, and the data.
func toldByMap(container, data string) []string {
	const account = "template: {spec: {serviceAccountName: "
	told := fmt.Sprintf("template: {spec: {containers: [{name: main, %s}], serviceAccountName: ", container)
	settings := "\napiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: ops, name: settings, uid: settings}\n"
	return []string{
		databases("ops/database-operator"), strings.Replace(runs("ops", "database-operator"), account, told, 1),
		settings + "data: {" + data + "}\n",
	}
}

const (
	variableFromMap  = "env: [{name: WATCH_NAMESPACE, valueFrom: {configMapKeyRef: {name: settings, key: where}}}]"
	variablesFromMap = "envFrom: [{configMapRef: {name: settings}}]"
)

// configMapLaws are about instances that read from a ConfigMap what they act on.
func configMapLaws() (laws []law) {
	for _, c := range []struct {
		name, container, data string
		others                bool
	}{
		{"other namespaces, by a variable", variableFromMap, "where: 'b,c'", true},
		{"the object's namespace, by a variable", variableFromMap, "where: 'a,c'", false},
		{"other namespaces, by all variables", variablesFromMap, "WATCH_NAMESPACE: b", true},
		{"the object's namespace, by all variables", variablesFromMap, "WATCH_NAMESPACE: a", false},
		{"something else, by all variables", variablesFromMap, "LOG_NAMESPACE: b", false},
		{"nothing, by a variable", variableFromMap, "other: b", false},
	} {
		l := law{name: "a ConfigMap says " + c.name, held: database(), state: toldByMap(c.container, c.data)}
		if c.others {
			l.want = []string{
				isMissingSaid, "Likely", "acts on other objects", "ConfigMap ops/settings gives it WATCH_NAMESPACE=b",
			}
			l.not = []string{"its template has"}
		} else {
			l.not = []string{isMissingSaid, isDownSaid, isForbiddenSaid}
		}
		laws = append(laws, l)
	}
	return laws
}

// TestUnreadConfigMap makes sure that nothing is said of a program, up or down, where a ConfigMap that may say what it
// acts on can't be read.
func TestUnreadConfigMap(t *testing.T) {
	for _, container := range []string{variableFromMap, variablesFromMap} {
		state := strings.Join(toldByMap(container, "WATCH_NAMESPACE: b, where: b"), "\n---\n")
		memory, err := clustertest.New(now, state+"\n---\n"+database().document())
		if err != nil {
			t.Fatal(err)
		}
		memory.Deny("configmaps")
		got := told(t, finderOf(memory, &plugins.Set{}), database())
		if strings.Contains(got, isMissingSaid) || strings.Contains(got, isDownSaid) ||
			!strings.Contains(got, "ConfigMap ops/settings could not be read") {
			t.Errorf("%s, without the ConfigMap:\n%s", container, got)
		}
	}
}
