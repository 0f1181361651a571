package zoo_test

import (
	"context"
	_ "embed"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

//go:embed views/hostile_names.yaml
var hostileNames string

// Names that lead from any place of the API server to the bait: too many .. stop at the root.
const (
	toRoot    = "../../../../../../../.."
	toSecret  = toRoot + "/api/v1/namespaces/bait/secrets/precious"
	toProxy   = toRoot + "/api/v1/namespaces/bait/pods/p/proxy/quitquitquit"
	toBaitsNS = "../namespaces/bait"
)

// TestHostileNames asks everything, as an administrator, of a cluster whose objects refer to others by names that lead
// elsewhere. The API server's audit log shows that nothing outside of valid paths is requested, and nothing of the
// bait; the answers say that these references could not be read.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	breaker, err := zoo.NewBreaker(plane)
	if err != nil {
		t.Fatal(err)
	}
	filled := strings.NewReplacer("'SECRET'", "'"+toSecret+"'", "'PROXY'", "'"+toProxy+"'", `"SECRET"`, `"`+toSecret+`"`,
		"NAMESPACE", toBaitsNS).Replace(hostileNames)
	steps, err := zoo.ParseSteps([]byte(filled))
	if err != nil {
		t.Fatal(err)
	}
	if err := breaker.Break(t.Context(), steps); err != nil {
		t.Fatal(err)
	}
	v := &viewer{t: t, plane: plane}
	const user = "astray-admin"
	if v.admin, err = plane.UserKubeconfig(t.Context(), "zoo", user, controlplane.ClusterAdmins); err != nil {
		t.Fatal(err)
	}
	v.askAboutHostileNames()
	v.assistHostileNames()
	asker := &asker{plane: plane, user: user, kubeconfig: v.admin}
	requests := asker.requests(t)
	checkReads(t, requests)
	for _, request := range requests {
		if why := outside(request.RequestURI); why != "" {
			t.Errorf("%s %s: %s", request.Verb, request.RequestURI, why)
		}
	}
}

// askAboutHostileNames asks all commands that read. Each answer has to come, and those about owners name what was not
// requested.
func (v *viewer) askAboutHostileNames() {
	targets := []string{
		"configmap/owned", "configmap/held", "pvc/claim", "pv/astray", "pod/user",
		"resourceclaim/gpu", "things/held", "lease/things-controller", "apiservice/v1.dead.example.com",
		"crd/things.astray.example.com", "ns/astray", "validatingwebhookconfiguration/astray", "volumeattachment/astray",
		"volumesnapshot/astray", "volumesnapshotcontent/astray", "machine/astray", "usage/astray", "pvc/classed",
	}
	commands := [][]string{
		{"list", "-A"}, {"list", "-A", "-o", "wide"}, {"check", "-A"}, {"tree", "-A"}, {"metrics", "--once"},
		{"snapshot", "-A", "-o", filepath.Join(v.t.TempDir(), "all.snapshot")},
		{"list", "-A", "--watch", "--timeout", "2s"}, {"why", "things", "-n", "astray"}, {"why", "pvc", "-A"},
		{"explain", "astray.example.com/cleanup"}, {"explain", "machine.cluster.x-k8s.io"}, {"explain", toSecret},
		{"__complete", "why", "-n", "astray", "configmap/"}, {"__complete", "why", "-n", "../namespaces/bait", "secret/"},
		{"__complete", "remove", "-n", "astray", "things/held", "--finalizer", ""},
	}
	for _, target := range targets {
		for _, command := range []string{"why", "why --deep", "why --logs", "why --probe", "tree", "preview", "remove"} {
			commands = append(commands, append(strings.Fields(command), target, "-n", "astray"))
		}
		commands = append(commands, []string{"why", target, "-n", "astray", "--watch", "--timeout", "1s"})
	}
	for _, command := range commands {
		answer := v.run(v.admin, command...)
		if answer.code > 0 && answer.out == "" && !strings.Contains(answer.errOut, "not Terminating") &&
			command[0] != "__complete" && !slices.Contains(command, toSecret) {
			v.t.Errorf("%v: exit code %d\n%s", command, answer.code, answer.errOut)
		}
		if strings.Contains(answer.out+answer.errOut, "hunter2") {
			v.t.Errorf("%v prints the Secret", command)
		}
	}
	unread := func(command string, unreadable []finding.Unreadable, name string) {
		v.t.Helper()
		if !slices.ContainsFunc(unreadable, func(one finding.Unreadable) bool {
			return one.Name == name && strings.Contains(one.Error, "is not valid")
		}) {
			v.t.Errorf("%s doesn't say that %q could not be read: %+v", command, name, unreadable)
		}
	}
	var why result.Diagnosis
	for target, name := range map[string]string{
		"configmap/owned": toSecret, "pvc/claim": toSecret,
	} {
		v.decode(&why, v.admin, "why", target, "-n", "astray")
		unread("why "+target, why.Unreadable, name)
		why = result.Diagnosis{}
	}
	for _, target := range targets {
		v.decode(&why, v.admin, "why", target, "-n", "astray")
		for _, one := range why.Unreadable {
			if one.Why == "not a valid name" && !strings.Contains(one.Error, " of ") {
				v.t.Errorf("why %s doesn't say what names %q: %s", target, one.Name, one.Error)
			}
		}
		why = result.Diagnosis{}
	}
	var check result.Check
	v.decode(&check, v.admin, "check", "-A")
	unread("check", check.Unreadable, toSecret)
	for _, cause := range check.Findings {
		if cause.Reason == result.OwnerMissing && cause.Object.Namespace == "astray" {
			v.t.Errorf("check takes what was not requested for missing: %+v", cause)
		}
	}
}

// assistHostileNames asks as an assistant does, for names that lead elsewhere.
func (v *viewer) assistHostileNames() {
	in, fromClient := io.Pipe()
	toClient, out := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		streams := genericiooptions.IOStreams{In: in, Out: out, ErrOut: io.Discard}
		ended <- cli.Execute(context.WithoutCancel(v.t.Context()), streams, []string{"mcp", "--kubeconfig", v.admin})
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v0"}, nil)
	session, err := client.Connect(v.t.Context(), &mcp.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	for _, hostile := range []string{toSecret, toProxy, "..", "a%2fb"} {
		for tool, arguments := range map[string]map[string]any{
			"why":     {"targets": []string{"configmap/" + hostile}, "namespace": "astray"},
			"preview": {"targets": []string{"configmap", hostile}, "namespace": "astray"},
			"tree":    {"target": "pod/user", "namespace": hostile},
			"list":    {"namespace": hostile},
			"check":   {"namespace": hostile},
		} {
			answer, err := session.CallTool(v.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
			if err != nil || !answer.IsError {
				v.t.Errorf("%s %v: %v, %+v", tool, arguments, err, answer)
			}
		}
	}
	_ = session.Close()
	if code := <-ended; code != 0 {
		v.t.Errorf("mcp ended with %d", code)
	}
}

// outside says why a request of this test should not have been sent, or nothing.
func outside(uri string) string {
	parsed, err := url.Parse(uri)
	if err != nil {
		return err.Error()
	}
	switch {
	case strings.Contains(parsed.Path+"/", "/namespaces/bait/"):
		return "in the namespace that nobody asked about"
	case strings.Contains(parsed.Path, "/secrets/"):
		return "nobody asked about that"
	}
	return ""
}
