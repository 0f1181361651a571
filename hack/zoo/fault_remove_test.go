package zoo_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// attempt is one attempt to remove a finalizer, of an object of its own, with a fault somewhere.
type attempt struct {
	fault
	place
	flags  []string // --force and what goes with it; with "--confirm" last, the token follows
	writes bool     // it writes, as far as it gets
	passes bool     // what meets the fault is carried out, and only the answer is lost
	after  bool     // the fault begins with the write
}

// removals are all faults in all places in which a removal may meet them.
func removals() (all []attempt) {
	force := []string{"--force", "--timeout", "2s", "--confirm"}
	write := func(r *http.Request, _ controlplane.Permission, about bool) bool { return about && isWrite(r) }
	get := func(r *http.Request, needed controlplane.Permission, about bool) bool {
		return about && needed.Verb == "get"
	}
	either := func(r *http.Request, needed controlplane.Permission, about bool) bool {
		return write(r, needed, about) || get(r, needed, about)
	}
	for number, fault := range faults() {
		var met []attempt
		for _, place := range places() {
			if !place.spares {
				met = append(met, attempt{place: place, flags: force, writes: true})
			}
			if place.name == "dry runs" {
				met = append(met, attempt{place: place, flags: []string{"--force", "--dry-run=server"}}, attempt{place: place})
			}
		}
		met = append(met,
			attempt{place: place{name: "the write", meets: write}, flags: force, writes: true},
			attempt{place: place{name: "reads after the write", meets: get}, flags: force, writes: true, after: true},
		)
		if code := fault.name[0]; code < '0' || code > '9' || code == '5' { // or the answer would be a lie
			answer := place{name: "the answer to the write", meets: write}
			rest := place{name: "every answer from the write on", meets: either}
			met = append(met,
				attempt{place: answer, flags: force, writes: true, passes: true},
				attempt{place: rest, flags: force, writes: true, passes: true, after: true},
			)
		}
		for j, one := range met {
			one.fault = fault
			if (number+j)%3 == 0 || os.Getenv(allFaults) != "" {
				all = append(all, one)
			}
		}
	}
	return all
}

func isWrite(r *http.Request) bool {
	return r.Method != http.MethodGet && r.Method != http.MethodHead && r.URL.Query().Get("dryRun") == ""
}

// removeWithFaults holds what every removal tells to what became of the object.
func (k *keeper) removeWithFaults(t *testing.T) {
	client, err := k.plane.AdminClient()
	if err != nil {
		t.Fatal(err)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "removals"}}
	if _, err := client.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	var outcomes counts
	var number atomic.Int64
	each(removals(), func(one attempt) {
		name := fmt.Sprintf("held-%d", number.Add(1))
		if err := makeHeld(t, client, "removals", name); err != nil {
			t.Error(err)
			return
		}
		outcome, problems := k.removeWithFault(t, client, one, name)
		outcomes.among(string(outcome), 0)
		for _, problem := range problems {
			t.Errorf("remove %v, %s in place of %s: %s", one.flags, one.fault.name, one.place.name, problem)
		}
	})
	t.Logf("%v", outcomes.known)
	for _, outcome := range []result.RemovalOutcome{result.Gone, result.Refused, result.Failed, result.Unknown,
		result.Planned} {
		if outcomes.known[string(outcome)] == 0 {
			t.Errorf("no removal ended as %s", outcome)
		}
	}
}

func makeHeld(t *testing.T, client kubernetes.Interface, namespace, name string) error {
	t.Helper()
	maps := client.CoreV1().ConfigMaps(namespace)
	held := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Finalizers: []string{"example.com/hold"}}}
	if _, err := maps.Create(t.Context(), held, metav1.CreateOptions{}); err != nil {
		return err
	}
	return maps.Delete(t.Context(), name, metav1.DeleteOptions{})
}

func (k *keeper) removeWithFault(
	t *testing.T, client kubernetes.Interface, one attempt, name string,
) (outcome result.RemovalOutcome, problems []string) {
	args := []string{
		"remove", "cm/" + name, "-n", "removals", "--finalizer", "example.com/hold", "--backup-dir", t.TempDir(),
		"-o", "json", "--kubeconfig", k.nobody,
	}
	met, written, armed := &meeting{}, &atomic.Int64{}, &atomic.Bool{}
	server := k.front.Put(t.Context(), func(w http.ResponseWriter, r *http.Request) bool {
		return armed.Load() && k.hinder(w, r, one, met, written)
	})
	args = append(args, "--server", server)
	if slices.Contains(one.flags, "--confirm") {
		var plan result.RemovalReport
		planned := run(t.Context(), args...)
		if err := json.Unmarshal([]byte(planned.out), &plan); err != nil || plan.Token == "" {
			return "", []string{fmt.Sprintf("there is no plan: %v %s%s", err, planned.out, planned.errOut)}
		}
		one.flags = append(slices.Clone(one.flags), plan.Token)
	}
	armed.Store(true)
	got := run(t.Context(), slices.Concat(args, one.flags, one.fault.flags)...)

	now, err := client.CoreV1().ConfigMaps("removals").Get(t.Context(), name, metav1.GetOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return "", []string{err.Error()}
	}
	truth := removalTruth{gone: err != nil, held: err == nil && len(now.Finalizers) > 0, writes: written.Load(),
		met: met.hits}
	outcome, problems = truth.judge(one, got)
	if len(problems) > 0 {
		problems = append(problems, fmt.Sprintf("%+v, exit code %d\n%s%s", truth, got.code, got.out, got.errOut))
	}
	return outcome, problems
}

// hinder handles one request of a removal.
func (k *keeper) hinder(w http.ResponseWriter, r *http.Request, one attempt, met *meeting, written *atomic.Int64) bool {
	needed, about := controlplane.PermissionFor(r.Method, r.URL.RequestURI())
	if about && isWrite(r) {
		written.Add(1)
	}
	if !one.meets(r, needed, about) || one.after && written.Load() == 0 {
		return false
	}
	met.count()
	if one.passes && isWrite(r) {
		k.front.Pass(httptest.NewRecorder(), r)
	}
	one.answer(w, r, k.front.Pass)
	return true
}

// removalTruth is what really became of an object, and what was sent.
type removalTruth struct {
	gone, held bool
	writes     int64
	met        int // by the fault
}

// judge says what of a report isn't true.
func (truth removalTruth) judge(one attempt, got reply) (outcome result.RemovalOutcome, problems []string) {
	wrong := func(when bool, format string, args ...any) {
		if when {
			problems = append(problems, fmt.Sprintf(format, args...))
		}
	}
	wrong(truth.writes > 1, "it wrote %d times", truth.writes)
	wrong(truth.writes > 0 && !one.writes, "it wrote without having been asked to")
	if got.out == "" {
		wrong(got.code != 1 || !strings.Contains("\n"+got.errOut, "\nerror: "), "there is no answer, and no error")
		wrong(truth.writes > 0, "it wrote, and doesn't tell")
		return "", problems
	}
	var report result.RemovalReport
	if err := json.Unmarshal([]byte(got.out), &report); err != nil {
		return "", append(problems, err.Error())
	}
	is := func(outcomes ...result.RemovalOutcome) bool { return slices.Contains(outcomes, report.Outcome) }
	done := is(result.Gone, result.NotNeeded, result.Written, result.Passed)
	wrong((got.code == 0) != done || !done && got.code != 5, "%s ends with %d", report.Outcome, got.code)
	wrong(is(result.Gone, result.NotNeeded) && !truth.gone, "it says %s, and the object is there", report.Outcome)
	nothingDone := is(result.Planned, result.Refused, result.Passed, result.Failed)
	wrong(nothingDone && !truth.held, "it says %s, and the finalizer is removed", report.Outcome)
	wrong(is(result.Written, result.StillHeld) && truth.held, "it says %s, and the finalizer is there", report.Outcome)
	wrong(is(result.Passed) && truth.met > 0 && !one.fault.passes, "a dry run passed that nobody has answered")
	unanswered := one.place.name == "dry runs" && truth.met > 0 && !one.fault.passes
	wrong(unanswered && len(one.flags) == 0 && passedAll(report),
		"the plan would pass although its dry run was not answered")
	wrong(report.Summary == "" || len(report.Items) != 1, "it tells of %d objects: %q", len(report.Items), report.Summary)
	return report.Outcome, problems
}

func passedAll(report result.RemovalReport) bool {
	return !slices.ContainsFunc(report.Items, func(removal result.Removal) bool {
		return slices.ContainsFunc(removal.Writes, func(write result.Write) bool { return write.Refusal != "" })
	})
}
