package attribution

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// classPro is a class of Databases, which names a controller.
const classPro = `
apiVersion: shop.example.com/v1
kind: DatabaseClass
metadata: {name: pro, uid: pro}
spec: {controllerName: theirs.example.net/databases}
`

// runsWith is a program that runs, and is told something by an argument.
func runsWith(namespace, name string, arg string) string {
	const account = "template: {spec: {serviceAccountName: "
	containers := fmt.Sprintf("template: {spec: {containers: [{name: main, args: [%q]}], serviceAccountName: ", arg)
	return strings.Replace(runs(namespace, name), account, containers, 1)
}

func ofClassPro() stuck {
	held := database()
	held.spec = `{databaseClassName: pro}`
	return held
}

// classLaws are about instances for objects of other classes.
func classLaws() []law {
	var laws []law
	for _, c := range []struct {
		name, args string
		others     bool
	}{
		{"the controller of another class", "--controller-name=ours.example.net/databases", true},
		{"the controller of the class", "--controller-name=theirs.example.net/databases", false},
		{"another class", "--database-class=lite", true},
		{"the class among several", "--database-class=lite,pro", false},
		{"a class of something else", "--gateway-class=lite", false},
		{"what it calls itself", "--controller-name=databases", false},
	} {
		l := law{
			name: "an instance for " + c.name, held: ofClassPro(),
			state: []string{databases("ops/database-operator"), classPro, runsWith("ops", "database-operator", c.args)},
		}
		if c.others {
			l.want = []string{
				isMissingSaid, "Likely", "names the controller theirs.example.net/databases",
				"Install theirs.example.net/databases",
			}
		} else {
			l.not = []string{isMissingSaid, isDownSaid, isForbiddenSaid}
		}
		laws = append(laws, l)
	}
	return laws
}

// TestUnreadClass makes sure that nothing is said of a program for some classes where the object's class can't be read.
func TestUnreadClass(t *testing.T) {
	state := strings.Join([]string{
		databases("ops/database-operator"), classPro,
		runsWith("ops", "database-operator", "--controller-name=ours.example.net/databases"),
	}, "\n---\n")
	memory, err := clustertest.New(now, state+"\n---\n"+ofClassPro().document())
	if err != nil {
		t.Fatal(err)
	}
	memory.Deny("databaseclasses")
	got := told(t, finderOf(memory, &plugins.Set{}), ofClassPro())
	if strings.Contains(got, isMissingSaid) || !strings.Contains(got, "DatabaseClass pro could not be read") {
		t.Errorf("without the class:\n%s", got)
	}
}
