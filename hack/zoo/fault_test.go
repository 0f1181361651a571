package zoo_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

// allFaults has each fault met everywhere, and each kind of request fail by itself, too, which takes long.
const allFaults = "FAULTS_ALL"

// inquiry is a question in the program's words, and what its answer claims.
type inquiry struct {
	args   []string
	claims func(answer string) (*claims, error)
	exits  bool // it has --exit-code
	file   bool // it writes a recording, which is asked by args
	plain  bool // it knows no formats
	// run runs the program, if that isn't done within this process.
	run func(ctx context.Context, args ...string) reply

	full    *claims      // without any fault
	answers atomic.Int64 // in spite of faults
}

// TestFaults puts a proxy in front of the control plane that fails in every way there is. Whatever the answer, it ends
// in time and with the right code, claims nothing that is not so, and says what could not be read.
func TestFaults(t *testing.T) {
	all, err := zoo.All()
	if err != nil {
		t.Fatal(err)
	}
	k := newKeeper(t, controlplane.ForTest(t))
	var scenarios []zoo.Scenario
	for _, scenario := range all {
		if slices.Contains([]string{"S01b", "S19", "S29", "S60"}, scenario.ID) {
			scenarios = append(scenarios, scenario)
		}
	}
	each(scenarios, func(scenario zoo.Scenario) {
		if err := k.breaker.Break(t.Context(), scenario); err != nil {
			t.Errorf("%s: %v", scenario.ID, err)
		}
	})
	breakOwners(t, k.plane, k.breaker)
	k.broken = time.Now()
	k.answers = k.front.Answers()
	t.Run("reads", func(t *testing.T) { k.askWithFaults(t) })
	t.Run("bombs", func(t *testing.T) { k.readBombs(t) })
	t.Run("certificates", func(t *testing.T) { k.changeCertificates(t) })
	t.Run("watches", func(t *testing.T) { k.watchWithFaults(t) })
	t.Run("removals", func(t *testing.T) { k.removeWithFaults(t) }) // which would be news to who lists meanwhile
}

// inquiries are the commands that read, each of something that rests on much.
func inquiries() []*inquiry {
	database := []string{"databases.s60.example.com/orders", "-n", "s60"}
	return []*inquiry{
		{args: append([]string{"why"}, database...), claims: read(claimsOfDiagnosis), exits: true},
		{
			args:   []string{"why", "databases.s01b.example.com/orders", "-n", "s01b", "--probe"},
			claims: read(claimsOfDiagnosis), exits: true,
		},
		{args: []string{"why", "ns/s19"}, claims: read(claimsOfDiagnosis), exits: true},
		{args: []string{"why", "pvc/data", "-n", "s29"}, claims: read(claimsOfDiagnosis), exits: true},
		{args: []string{"list", "-A"}, claims: read(claimsOfList), exits: true},
		{args: append([]string{"why", "--logs"}, database...), claims: read(claimsOfDiagnosis), exits: true},
		{args: append([]string{"tree"}, database...), claims: read(claimsOfTree)},
		{args: []string{"tree", "-A"}, claims: read(claimsOfTree)},
		{args: []string{"check", "-A"}, claims: read(claimsOfCheck), exits: true},
		{args: []string{"metrics", "--once"}, claims: claimsOfMetrics, plain: true},
		{
			args:   []string{"explain", "s60.example.com/cleanup", "--kind", "Database.s60.example.com"},
			claims: read(claimsOfExplanation),
		},
		{args: []string{"list", "-A"}, claims: read(claimsOfList), exits: true, file: true},
		{args: append([]string{"why"}, database...), claims: read(claimsOfDiagnosis), exits: true, file: true},
	}
}

// trial is one question with one fault in one place.
type trial struct {
	*inquiry
	fault
	place
}

// askWithFaults asks each question with each fault somewhere, and with FAULTS_ALL everywhere.
func (k *keeper) askWithFaults(t *testing.T) {
	var trials []trial
	questions := inquiries()
	for i, question := range questions {
		used := k.askWithAll(t, question)
		for j, place := range slices.Concat(places(), single(used)) {
			for number, fault := range faults() {
				if number%len(places()) == (i+j)%len(places()) || os.Getenv(allFaults) != "" {
					trials = append(trials, trial{question, fault, place})
				}
			}
		}
	}
	began := time.Now()
	each(trials, func(one trial) { k.askWithFault(t, one) })
	for _, question := range questions {
		if question.answers.Load() == 0 {
			t.Errorf("%v: no fault was survived, so that nothing was proven", question.args)
		}
	}
	t.Logf("%d asks took %s", len(trials), time.Since(began).Round(time.Second))
}

// askWithAll asks without a fault, for what the answer claims, and returns what it rests on.
func (k *keeper) askWithAll(t *testing.T, question *inquiry) (used *sync.Map) {
	t.Helper()
	used = &sync.Map{}
	met := &meeting{}
	got := k.through(t, question, nil,
		func(_ http.ResponseWriter, r *http.Request, needed controlplane.Permission, about bool) bool {
			if about {
				used.Store(needed, true)
				met.note(r, needed, false)
			}
			return false
		})
	for _, problem := range met.problems {
		t.Errorf("%v: %s", question.args, problem)
	}
	var err error
	if question.full, err = question.claims(got.out); err != nil || len(question.full.made) == 0 {
		t.Fatalf("%v: without any fault it claims nothing: %v %s", question.args, err, got.errOut)
	}
	return used
}

// askWithFault asks once and judges the answer.
func (k *keeper) askWithFault(t *testing.T, one trial) {
	got, met, took := k.throughFault(t, one)
	problems := met.problems
	if took > patience {
		problems = append(problems, fmt.Sprintf("it took %s", took))
	}
	certain := met.hits > 0 && !one.passes && !one.spares && !one.file
	problems = append(problems, judgeReply(one.inquiry, got, certain)...)
	for _, problem := range problems {
		t.Errorf("%v, %s in place of %s (%d times, exit code %d): %s\n%s",
			one.args, one.fault.name, one.place.name, met.hits, got.code, problem, got.errOut)
	}
	if met.hits > 0 && got.out != "" {
		one.answers.Add(1)
	}
}

// throughFault asks once, and returns how long that took, too.
func (k *keeper) throughFault(t *testing.T, one trial) (got reply, met *meeting, took time.Duration) {
	met = &meeting{}
	began := time.Now()
	got = k.through(t, one.inquiry, one.flags,
		func(w http.ResponseWriter, r *http.Request, needed controlplane.Permission, about bool) bool {
			hit := one.meets(r, needed, about)
			if about {
				met.note(r, needed, hit)
			} else if hit {
				met.count()
			}
			switch {
			case hit:
				one.answer(w, r, k.answers.ServeHTTP)
			case one.prepares != nil:
				one.prepares(r)
			}
			return hit
		})
	return got, met, time.Since(began)
}

func judgeReply(question *inquiry, got reply, certain bool) (problems []string) {
	if comfort := falseComfort(got.out + got.errOut); comfort != "" {
		problems = append(problems, fmt.Sprintf("it says %q", comfort))
	}
	if got.out == "" {
		if got.code != 1 || !strings.Contains("\n"+got.errOut, "\nerror: ") {
			problems = append(problems, "there is no answer, and no error")
		}
		return problems
	}
	claimed, err := question.claims(got.out)
	if err != nil {
		return append(problems, err.Error())
	}
	if want := claimed.code; question.exits && got.code != want {
		problems = append(problems, fmt.Sprintf("the exit code is %d, and %d by the answer", got.code, want))
	}
	return append(problems, claimed.judge(question.full, certain)...)
}

// through asks through a hurdle. A command that writes a recording is asked of the recording, without a hurdle.
func (k *keeper) through(
	t *testing.T, question *inquiry, flags []string,
	hurdle func(w http.ResponseWriter, r *http.Request, needed controlplane.Permission, about bool) bool,
) reply {
	server := k.front.Put(t.Context(), func(w http.ResponseWriter, r *http.Request) bool {
		needed, about := controlplane.PermissionFor(r.Method, r.URL.RequestURI())
		if !hurdle(w, r, needed, about) {
			k.answers.ServeHTTP(w, r)
		}
		return true
	})
	return k.askAt(t, question, append([]string{"--server", server}, flags...))
}

// askAt asks a server that flags name.
func (k *keeper) askAt(t *testing.T, question *inquiry, flags []string) reply {
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	to := append([]string{"--kubeconfig", k.nobody}, flags...)
	args := slices.Clone(question.args)
	if !question.plain {
		args = append(args, "-o", "json")
	}
	if question.exits {
		args = append(args, "--exit-code")
	}
	run := question.run
	if run == nil {
		run = (&asker{at: k.broken}).run
	}
	if !question.file {
		return run(ctx, append(args, to...)...)
	}
	file := filepath.Join(t.TempDir(), "recording")
	record := slices.Concat([]string{"snapshot", "-o", file}, question.args[1:], to)
	if got := run(ctx, record...); got.code != 0 {
		return got
	}
	return run(ctx, append(args, "--snapshot", file)...)
}
