package main

import (
	"net"
	"net/url"
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

// TestAcross asks a hub about what waits in two other clusters, beside contexts of similar names, one that does not
// answer, and one that must never be asked.
func TestAcross(t *testing.T) {
	t.Parallel()
	lab := newAcrossLab(t)
	schemas, err := filepath.Abs("../../docs/schema")
	if err != nil {
		t.Fatal(err)
	}
	params := testscript.Params{
		Dir: "testdata/across", ContinueOnError: true,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, testenv.Fixed()...)
			env.Setenv("KUBECONFIG", lab.kubeconfig)
			env.Setenv("HOME", env.WorkDir)
			env.Setenv(schemasVariable, schemas)
			env.Setenv(driftVariable, os.Getenv(driftVariable))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"break": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(breakWith(t, lab.planes[args[0]], lab.filled(ts.ReadFile(args[1]))))
			},
			// asked reports whether the program has asked a cluster so far.
			"asked": func(ts *testscript.TestScript, neg bool, args []string) {
				requests, err := lab.planes[args[0]].Requests(t.Context(), "across-"+args[0], lab.admins[args[0]])
				ts.Check(err)
				asked := false
				for _, request := range requests {
					asked = asked || strings.HasPrefix(request.UserAgent, "kubectl-finalizers/")
				}
				if asked == neg {
					ts.Fatalf("cluster %s: asked is %t", args[0], asked)
				}
			},
		},
	}
	t.Run("scripts", func(t *testing.T) { testscript.Run(t, params) })
	for name, plane := range lab.planes {
		onlyReads(t, plane, "across-"+name, lab.admins[name])
	}
	if count := lab.unnamed.Load(); count > 0 {
		t.Errorf("the cluster that nothing names was connected to %d times", count)
	}
}

// acrossLab is a fleet of three clusters. servers are their addresses by name.
type acrossLab struct {
	fleetLab
	servers map[string]string
}

func newAcrossLab(t *testing.T) acrossLab {
	t.Helper()
	lab := acrossLab{servers: map[string]string{"down": "https://127.0.0.1:1"}, fleetLab: fleetLab{
		planes: map[string]*controlplane.ControlPlane{}, admins: map[string]string{}, unnamed: &atomic.Int64{},
	}}
	config := api.NewConfig()
	for _, name := range []string{"hub", "spoke", "member"} {
		plane := controlplane.ForTest(t)
		kubeconfig, err := plane.UserKubeconfig(t.Context(), name, "across-"+name, controlplane.ClusterAdmins)
		if err != nil {
			t.Fatal(err)
		}
		read, err := clientcmd.LoadFromFile(kubeconfig)
		if err != nil {
			t.Fatal(err)
		}
		lab.planes[name], lab.admins[name] = plane, kubeconfig
		config.Clusters[name] = read.Clusters[read.Contexts[name].Cluster]
		config.AuthInfos[name] = read.AuthInfos[read.Contexts[name].AuthInfo]
		config.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name}
		lab.servers[name] = config.Clusters[name].Server
	}
	config.CurrentContext = "hub"
	config.Contexts["spoke-again"] = &api.Context{Cluster: "spoke", AuthInfo: "spoke"}
	for name, server := range map[string]string{"down": lab.servers["down"], "member-2": lab.countingServer(t)} {
		config.Clusters[name] = &api.Cluster{Server: server}
		config.AuthInfos[name] = api.NewAuthInfo()
		config.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name}
	}
	lab.kubeconfig = filepath.Join(t.TempDir(), "config")
	if err := clientcmd.WriteToFile(*config, lab.kubeconfig); err != nil {
		t.Fatal(err)
	}
	return lab
}

// filled replaces what stands for the address of a cluster: {spoke}, {spoke.host} and {spoke.port}.
func (l acrossLab) filled(text string) string {
	for name, server := range l.servers {
		text = strings.ReplaceAll(text, "{"+name+"}", server)
		if parsed, err := url.Parse(server); err == nil {
			host, port, _ := net.SplitHostPort(parsed.Host)
			text = strings.ReplaceAll(text, "{"+name+".host}", host)
			text = strings.ReplaceAll(text, "{"+name+".port}", port)
		}
	}
	return text
}
