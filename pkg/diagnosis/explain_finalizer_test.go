package diagnosis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// presenceCase asks whether the controller of a finalizer is in a cluster.
type presenceCase struct {
	name, finalizer, kind string
	objects               []string
	deny                  string
	want                  []string // STATE CONTROLLER each
	says                  string   // of the first message
}

func presenceCases() []presenceCase {
	const cleanup, databases = "shop.example.com/cleanup", "Database.shop.example.com"
	writes := granted("shop-operator", mayWrite, "databases, databases/finalizers", theOperator)
	here := object("rbac.authorization.k8s.io/v1", "Role", "shop", "operates", "",
		"rules: [{apiGroups: [shop.example.com], resources: ['*'], verbs: ['*']}]") + "---\n" +
		object("rbac.authorization.k8s.io/v1", "RoleBinding", "shop", "operates", "",
			"roleRef: {kind: Role, name: operates}\nsubjects: [{kind: ServiceAccount, namespace: shop-system, "+
				"name: shop-operator}]")
	alive := operatorPod(podIsReady)
	rook := object("apps/v1", "Deployment", "rook-ceph", "rook-ceph-operator", "",
		"spec: {replicas: 0, template: {spec: {serviceAccountName: rook-ceph-system}}}")
	both := granted("both", mayWrite, "databases", theOperator, "ops/keeper") + "---\n" + program("ops", "keeper",
		"keeper", 0, "")
	set := func(by, fields string) string {
		return database(time.Hour, "managedFields: ["+managed(by, 4*time.Minute, fields)+"]", "")
	}
	outside := granted("hub", mayWrite, "databases") + "---\n" + strings.Replace(bound("hub", "{kind: User, name: hub}"),
		"name: hub\n", "name: hub-users\n", 1)
	named := strings.NewReplacer("shop-system", "yard", "shop-operator", "warden")
	warden, wardenPod := named.Replace(operator(1, "")), named.Replace(alive)
	written := object("shop.example.com/v1", "Database", "shop", "orders",
		`finalizers: [shop.example.com/cleanup], managedFields: [{manager: warden, operation: Update, `+
			`time: "2026-06-01T12:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:metadata": {"f:finalizers": `+
			`{'v:"shop.example.com/cleanup"': {}}}}}]`, "")
	return []presenceCase{
		{name: "one of two that might, which runs", finalizer: cleanup, kind: databases,
			objects: []string{both, operator(1, ""), alive}, want: []string{"Running Deployment/shop-system/shop-operator"}},
		{name: "the other one, which set it on an object", finalizer: cleanup, kind: databases,
			objects: []string{both, operator(1, ""), alive, set("keeper", setsFinalizer)},
			want:    []string{"Down Deployment/ops/keeper"}},
		{name: "somebody outside, who wrote to an object", finalizer: cleanup, kind: databases,
			objects: []string{outside, set("hub-agent", `{"f:status": {"f:phase": {}}}`)}, want: []string{"Unknown "},
			says: "hub-agent wrote to Database shop/orders 4m ago"},
		{name: "nobody may write the kind", finalizer: cleanup, kind: databases, want: []string{"Missing "},
			says: "RBAC lets only administrators update"},
		{name: "scaled to nothing", finalizer: cleanup, kind: databases, objects: []string{writes, account("shop-operator"),
			operator(0, "")}, want: []string{"Down Deployment/shop-system/shop-operator"}, says: "is scaled to 0"},
		{name: "runs", finalizer: cleanup, kind: databases, objects: []string{writes, operator(1, ""), alive},
			want: []string{"Running Deployment/shop-system/shop-operator"}},
		{name: "runs, with rights in one namespace", finalizer: cleanup, kind: databases,
			objects: []string{here, operator(1, ""), alive}, want: []string{"Running Deployment/shop-system/shop-operator"}},
		{name: "may only read", finalizer: cleanup, kind: databases,
			objects: []string{granted("shop-operator", mayRead, "databases", theOperator), operator(1, ""), alive},
			want:    []string{"Forbidden Deployment/shop-system/shop-operator"}},
		{name: "may only read, and nothing but an object that it wrote to tells of it", finalizer: cleanup, kind: databases,
			objects: []string{granted("warden", mayRead, "databases", "yard/warden"), warden, wardenPod, written},
			want:    []string{"Forbidden Deployment/yard/warden"}},
		{name: "its account is gone", finalizer: cleanup, kind: databases, objects: []string{writes},
			want: []string{"Missing "}, says: "its namespace no longer exists"},
		{name: "crashes", finalizer: cleanup, kind: databases, objects: []string{writes, operator(1, ""),
			operatorPod(podCrashes)}, want: []string{"Down Deployment/shop-system/shop-operator"}, says: "CrashLoopBackOff"},
		{name: "the kind is that of the group in its name", finalizer: "databases." + cleanup,
			objects: []string{writes, operator(0, "")}, want: []string{"Down Deployment/shop-system/shop-operator"}},
		{name: "a name that leads to no kind", finalizer: "nobody.example.org/x"},
		{name: "a bare word", finalizer: "plain", kind: databases, want: []string{"Unknown "}},
		{name: "on a kind of Kubernetes", finalizer: "ops.intra/keep", kind: "ConfigMap", want: []string{"Unknown "}},
		{name: "what RBAC allows may not be read", finalizer: cleanup, kind: databases, deny: "roles",
			objects: []string{writes, operator(0, "")}, want: []string{"Unknown "},
			says: "the RBAC rules could not be read (forbidden)"},
		{name: "known, and scaled to nothing", finalizer: "cephobjectstore.ceph.rook.io", objects: []string{rook},
			want: []string{"Down Deployment/rook-ceph/rook-ceph-operator"}},
		{name: "known, and not there", finalizer: "cephobjectstore.ceph.rook.io", want: []string{"Missing "},
			says: "no workload here looks like rook-ceph-operator"},
		{name: "known, on no kind that is served", finalizer: "longhorn.io", want: []string{"NotServed "}},
		{name: "of kube-controller-manager, which runs", finalizer: "orphan", objects: []string{managerAlive()},
			want: []string{"Running "}},
		{name: "of kube-controller-manager, which is down", finalizer: "orphan", objects: []string{managerDead()},
			want: []string{"Down Lease/kube-system/kube-controller-manager"}},
		{name: "of kube-controller-manager, whose Lease is hidden", finalizer: "orphan", want: []string{"Unknown "}},
	}
}

func TestPresence(t *testing.T) {
	for _, c := range presenceCases() {
		t.Run(c.name, func(t *testing.T) {
			memory := c.memory(t)
			if c.deny != "" {
				memory.Deny(c.deny)
			}
			result := c.ask(t, memory)
			if got := presencesOf(result); !slices.Equal(got, c.want) {
				t.Errorf("present: %q, want %q\n%+v", got, c.want, result.Controllers)
			}
			if c.says != "" && !strings.Contains(result.Controllers[0].Message, c.says) {
				t.Errorf("it doesn't say %q: %s", c.says, result.Controllers[0].Message)
			}
			for _, one := range result.Controllers {
				if (one.State == "Down" || one.State == "Missing" || one.State == "Forbidden") != (one.Reason != "" &&
					len(one.Remedies) > 0) {
					t.Errorf("%s with reason %q and %d remedies", one.State, one.Reason, len(one.Remedies))
				}
			}
		})
	}
}

// TestPresenceIsAsSureAsWhy looks at an object for its kind, and then says of that what why says, as surely. Without
// one, it is not known whether a program writes from elsewhere.
func TestPresenceIsAsSureAsWhy(t *testing.T) {
	c := presenceCase{finalizer: "shop.example.com/cleanup", kind: "Database.shop.example.com"}
	sureOf := func(found *result.InCluster) finding.Certainty {
		if len(found.Controllers) != 1 || found.Controllers[0].State != "Missing" {
			t.Fatalf("want one controller that is missing: %+v", found.Controllers)
		}
		return found.Controllers[0].Certainty
	}
	if sure := sureOf(c.ask(t, c.memory(t))); sure != finding.Likely {
		t.Errorf("without an object it is %s", sure)
	}
	c.objects = []string{database(time.Hour, "", "")}
	memory := c.memory(t)
	servedKinds, err := memory.ServedKinds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	databases, _ := servedKinds.Find(schema.GroupResource{Group: "shop.example.com", Resource: "databases"})
	target := session.Target{Resource: databases, Namespace: "shop", Name: "orders"}
	why, err := diagnosis.Why(t.Context(), memory, target, asking(t))
	if err != nil {
		t.Fatal(err)
	}
	cause, sure := why.RootCauses[0], sureOf(c.ask(t, memory))
	if cause.Reason != finding.ControllerMissing || cause.Certainty != finding.Proven || sure != cause.Certainty {
		t.Errorf("explain is %s, where why says: %s (%s)", sure, cause.Message, cause.Certainty)
	}
}

// TestPresenceWithEachReadDenied wants the same answer or none where something can't be read, and what that is.
func TestPresenceWithEachReadDenied(t *testing.T) {
	for _, c := range presenceCases() {
		full := c.memory(t)
		want := presencesOf(c.ask(t, full))
		for _, read := range full.Reads {
			resource, _, _ := strings.Cut(read, " ")
			resource, _, _ = strings.Cut(resource, ".")
			t.Run(c.name+"/"+resource, func(t *testing.T) {
				memory := c.memory(t)
				memory.Deny(resource)
				result := c.ask(t, memory)
				for _, text := range presencesOf(result) {
					if state, _, _ := strings.Cut(text, " "); state != "Unknown" && !slices.Contains(want, text) {
						t.Errorf("without %s: %s, and %q with it", resource, text, want)
					}
				}
				if len(result.Unreadable) == 0 {
					t.Errorf("without %s, nothing is called unreadable", resource)
				}
			})
		}
	}
}

func (c presenceCase) memory(t *testing.T) *clustertest.Memory {
	t.Helper()
	memory, err := clustertest.New(now, strings.Join(c.objects, "---\n"))
	if err != nil {
		t.Fatal(err)
	}
	return memory
}

func (c presenceCase) ask(t *testing.T, memory *clustertest.Memory) *result.InCluster {
	t.Helper()
	set := knowledge(t)
	options := mechanism.Options{Plugins: set}
	answer, err := diagnosis.Presence(t.Context(), memory, c.finalizer, set.Named(c.finalizer), c.kind, options)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func presencesOf(answer *result.InCluster) (found []string) {
	for _, presence := range answer.Controllers {
		controller := ""
		if presence.Controller != nil {
			controller = presence.Controller.Kind + "/" + presence.Controller.Path()
		}
		found = append(found, fmt.Sprintf("%s %s", presence.State, controller))
	}
	return found
}
