package main

import (
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// TestAcross asks a hub about what waits in two other clusters, beside contexts of similar names, one that does not
// answer, and one that must never be asked.
func TestAcross(t *testing.T) {
	t.Parallel()
	lab := newAcrossLab(t)
	lab.play(t, testscript.Params{
		Dir: "testdata/across", ContinueOnError: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"break": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(breakWith(t, lab.planes[args[0]], lab.filled(ts.ReadFile(args[1]))))
			},
			// asked reports whether the program has asked a cluster so far.
			"asked": func(ts *testscript.TestScript, neg bool, args []string) {
				requests, err := lab.planes[args[0]].Requests(t.Context(), lab.user(args[0]), lab.admins[args[0]])
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
	})
}

// acrossLab is a fleet of three clusters. servers are their addresses by name.
type acrossLab struct {
	fleetLab
	servers map[string]string
}

func newAcrossLab(t *testing.T) acrossLab {
	t.Helper()
	lab := acrossLab{servers: map[string]string{"down": "https://127.0.0.1:1"}, fleetLab: emptyFleet("across-")}
	config := api.NewConfig()
	for _, name := range []string{"hub", "spoke", "member"} {
		lab.addPlane(t, config, name, "")
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
