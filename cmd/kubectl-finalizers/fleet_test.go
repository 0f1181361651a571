package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/testenv"
)

// fleetLab is some control planes, and a kubeconfig that has more contexts than these.
type fleetLab struct {
	planes     map[string]*controlplane.ControlPlane
	admins     map[string]string // kubeconfigs of one user of each
	kubeconfig string
	users      string        // what the names of its users begin with
	unnamed    *atomic.Int64 // connections to the cluster that no script names
}

// TestFleet asks two clusters at once, beside others that don't answer.
func TestFleet(t *testing.T) {
	t.Parallel()
	fleet := newFleetLab(t)
	fleet.play(t, testscript.Params{
		Dir: "testdata/fleet",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"break": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(breakWith(t, fleet.planes[args[0]], ts.ReadFile(args[1])))
			},
		},
	})
}

// play runs scripts with the kubeconfig. All that the program has sent must be reads, and nothing may have been sent to
// the cluster that no script names.
func (l fleetLab) play(t *testing.T, params testscript.Params) {
	t.Helper()
	schemas, err := filepath.Abs("../../docs/schema")
	if err != nil {
		t.Fatal(err)
	}
	params.Setup = func(env *testscript.Env) error {
		env.Vars = append(env.Vars, testenv.Fixed()...)
		env.Setenv("KUBECONFIG", l.kubeconfig)
		env.Setenv("HOME", env.WorkDir)
		env.Setenv(schemasVariable, schemas)
		env.Setenv(driftVariable, os.Getenv(driftVariable))
		return nil
	}
	t.Run("scripts", func(t *testing.T) { testscript.Run(t, params) })
	for name, plane := range l.planes {
		onlyReads(t, plane, l.user(name), l.admins[name])
	}
	if count := l.unnamed.Load(); count > 0 {
		t.Errorf("the cluster that no script names was connected to %d times", count)
	}
}

// user is the name of the program's user in a cluster.
func (l fleetLab) user(cluster string) string { return l.users + cluster }

// addPlane adds a control plane to a kubeconfig, with a context of its name.
func (l fleetLab) addPlane(t *testing.T, config *api.Config, name, namespace string) {
	t.Helper()
	plane := controlplane.ForTest(t)
	kubeconfig, err := plane.UserKubeconfig(t.Context(), name, l.user(name), controlplane.ClusterAdmins)
	if err != nil {
		t.Fatal(err)
	}
	read, err := clientcmd.LoadFromFile(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	l.planes[name], l.admins[name] = plane, kubeconfig
	config.Clusters[name] = read.Clusters[read.Contexts[name].Cluster]
	config.AuthInfos[name] = read.AuthInfos[read.Contexts[name].AuthInfo]
	config.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name, Namespace: namespace}
}

// emptyFleet is a fleet without clusters. users is what the names of its users begin with.
func emptyFleet(users string) fleetLab {
	return fleetLab{
		planes: map[string]*controlplane.ControlPlane{}, admins: map[string]string{}, unnamed: &atomic.Int64{}, users: users,
	}
}

func newFleetLab(t *testing.T) fleetLab {
	t.Helper()
	fleet, config := emptyFleet("fleet-"), api.NewConfig()
	for _, name := range []string{"hub", "spoke"} {
		fleet.addPlane(t, config, name, "fleet")
	}
	config.CurrentContext = "hub"
	fleet.addBroken(t, config)
	fleet.kubeconfig = filepath.Join(t.TempDir(), "config")
	if err := clientcmd.WriteToFile(*config, fleet.kubeconfig); err != nil {
		t.Fatal(err)
	}
	return fleet
}

// addBroken adds contexts of similar names that don't answer, each for a reason of its own, another context of a
// cluster that does, and one that must never be asked.
func (l fleetLab) addBroken(t *testing.T, config *api.Config) {
	t.Helper()
	add := func(name, server string, user *api.AuthInfo) {
		config.Clusters[name] = &api.Cluster{Server: server}
		config.AuthInfos[name] = user
		config.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name}
	}
	nobody := api.NewAuthInfo()
	add("spoke-down", "https://127.0.0.1:1", nobody)
	add("spoke-silent", silentServer(t), nobody)
	add("unnamed", l.countingServer(t), nobody)
	expired := config.Clusters["spoke"].DeepCopy()
	expired.Server = strings.Replace(expired.Server, "127.0.0.1", "localhost", 1)
	config.Clusters["expired"] = expired
	config.AuthInfos["expired"] = &api.AuthInfo{Token: "expired"}
	config.Contexts["spoke-expired"] = &api.Context{Cluster: "expired", AuthInfo: "expired"}
	config.Contexts["spoke-again"] = &api.Context{Cluster: "spoke", AuthInfo: "expired"}
	for name, mode := range map[string]api.ExecInteractiveMode{
		"spoke-plugin": api.IfAvailableExecInteractiveMode, "spoke-login": api.AlwaysExecInteractiveMode,
	} {
		add(name, "https://127.0.0.1:2/"+name, &api.AuthInfo{Exec: &api.ExecConfig{
			APIVersion: "client.authentication.k8s.io/v1", Command: "sleep", Args: []string{"60"}, InteractiveMode: mode,
		}})
	}
}

func (l fleetLab) countingServer(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			l.unnamed.Add(1)
			_ = connection.Close()
		}
	}()
	return fmt.Sprintf("https://%s", listener.Addr())
}
