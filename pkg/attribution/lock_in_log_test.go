package attribution

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// logLine is all that each container has written.
type logLine string

// Log implements cluster.LogReader.
func (l logLine) Log(context.Context, string, string, cluster.LogPart) ([]byte, bool, error) {
	return []byte(l), true, nil
}

// TestLockInLog asks about a program that runs and elects a leader, and whose log quotes a denial, or something else.
func TestLockInLog(t *testing.T) {
	denied := func(user, resource, group string, ago time.Duration) string {
		return fmt.Sprintf("%s E0601 leaderelection.go:332] error retrieving resource lock ops/lock: %s.%s \"lock\" is "+
			"forbidden: User \"system:serviceaccount:ops:%s\" cannot get resource %q in API group %q in the namespace \"ops\"",
			now.Add(-ago).Format(time.RFC3339Nano), resource, group, user, resource, group)
	}
	const group = "coordination.k8s.io"
	const elects = "--leader-elect"
	its := denied("reports", "leases", group, time.Second)
	mayLock := may("get, create, update", group, "leases", "ops/reports")
	for name, c := range map[string]struct {
		log, arg, more string
		denied         bool
	}{
		"it is denied its lock":       {log: its, arg: elects, denied: true},
		"it was denied it before":     {log: denied("reports", "leases", group, time.Hour), arg: elects},
		"it may have it now":          {log: its, arg: elects, more: mayLock},
		"another one is denied it":    {log: denied("charts", "leases", group, time.Second), arg: elects},
		"it is denied something else": {log: denied("reports", "pods", "", time.Second), arg: elects},
		"it elects no leader":         {log: its, arg: "--leader-elect=false"},
		"it writes of something else": {log: now.Format(time.RFC3339Nano) + " lock acquired", arg: elects},
	} {
		program := strings.Replace(runsWith("ops", "reports", c.arg), "status:\n  phase: Running",
			"status:\n  phase: Running\n  containerStatuses: [{name: main, state: {running: {}}}]", 1)
		container := fmt.Sprintf("{name: main, image: x, args: [%q]}", c.arg)
		program = strings.Replace(program, "{name: main, image: x}", container, 1)
		held := database()
		state := strings.Join([]string{databases("ops/reports"), program, held.document(), c.more}, "\n---\n")
		memory, err := clustertest.New(now, strings.TrimSuffix(state, "\n---\n"))
		if err != nil {
			t.Fatal(err)
		}
		f := finderOf(memory, &plugins.Set{})
		f.LogReader = logLine(c.log)
		got := told(t, f, held)
		says := strings.Contains(got, isForbiddenSaid) && strings.Contains(got, "Lease ops/lock") &&
			strings.Contains(got, "log of Pod ops/reports")
		if says != c.denied {
			t.Errorf("%s: forbidden is %t in\n%s", name, says, got)
		}
		f = finderOf(memory, &plugins.Set{})
		if without := told(t, f, held); strings.Contains(without, isForbiddenSaid) {
			t.Errorf("%s: forbidden without the log:\n%s", name, without)
		}
	}
}
