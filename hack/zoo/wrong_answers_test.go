package zoo_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
)

// wrongAnswers are what something before the API server answers in place of a list.
func wrongAnswers() map[string]http.HandlerFunc {
	with := func(contentType, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			_, _ = io.WriteString(w, body)
		}
	}
	return map[string]http.HandlerFunc{
		"404": func(w http.ResponseWriter, _ *http.Request) {
			refuse(w, apierrors.NewNotFound(schema.GroupResource{}, ""))
		},
		"an empty object": with("application/json", "{}"),
		"a Status":        with("application/json", `{"kind":"Status","apiVersion":"v1","status":"Success"}`),
		"HTML":            with("text/html", "<!DOCTYPE html><title>Log in</title>"),
	}
}

// withWrongLists lacks the lists of a resource: another answer comes in their place.
func withWrongLists(listed controlplane.Permission, what string, answer http.HandlerFunc) lack {
	return lack{
		what: fmt.Sprintf("while the list of %s is answered with %s", listed.QualifiedResource(), what),
		hits: func(needed controlplane.Permission) bool {
			return needed.Verb == "list" && needed.Group == listed.Group && needed.Resource == listed.Resource
		},
		named:  func(resource string) bool { return resource == listed.QualifiedResource() },
		answer: answer,
	}
}

// TestWrongAnswers answers each list that an answer rests on with what is none: nothing may be concluded from that.
func TestWrongAnswers(t *testing.T) {
	scenarios, err := zoo.All()
	if err != nil {
		t.Fatal(err)
	}
	k := newKeeper(t, controlplane.ForTest(t))
	t.Run("list and check", k.checkWrongScans) // of a cluster in which nothing is stuck yet
	t.Run("why", func(t *testing.T) {
		for _, scenario := range scenarios {
			switch scenario.ID {
			case "S01b", "S13", "S19", "S29", "S60":
				t.Run(scenario.ID, func(t *testing.T) {
					t.Parallel()
					k.checkWrongLists(t, scenario)
				})
			}
		}
	})
}

func (k *keeper) checkWrongLists(t *testing.T, scenario zoo.Scenario) {
	asker := k.breakFor(t, scenario)
	for _, question := range scenario.Questions() {
		full := asker.ask(t.Context(), question, "json").diagnosis(t)
		var lacks []lack
		seen := map[controlplane.Permission]bool{}
		for _, request := range asker.requests(t) {
			needed, about := request.Permission()
			if !about || needed.Verb != "list" || seen[needed] {
				continue
			}
			seen[needed] = true
			for what, answer := range wrongAnswers() {
				lacks = append(lacks, withWrongLists(needed, what, answer))
			}
		}
		if len(lacks) == 0 {
			t.Errorf("%s rests on no list", question.Target)
		}
		t.Logf("%s: %d asks", question.Target, len(lacks))
		answers := k.front.Answers()
		each(lacks, func(lacking lack) { k.askWithout(t, question, full, lacking, false, asker, answers) })
	}
}

// checkWrongScans lets the lists of one kind, and of all, be answered with something else.
func (k *keeper) checkWrongScans(t *testing.T) {
	secrets := controlplane.Permission{Verb: "list", Resource: "secrets"}
	for what, answer := range wrongAnswers() {
		for _, command := range []string{"list", "check"} {
			one := withWrongLists(secrets, what, answer)
			code, out := k.scanThrough(t, command, one)
			if code != 4 || !strings.Contains(out, "secrets (answered with ") {
				t.Errorf("%s %s: exit code %d\n%s", command, one.what, code, out)
			}
			all := lack{hits: func(needed controlplane.Permission) bool { return needed.Verb == "list" }, answer: answer}
			if code, out = k.scanThrough(t, command, all); code != 1 || !strings.Contains(out, "nothing could be listed: ") {
				t.Errorf("%s while all lists are answered with %s: exit code %d\n%s", command, what, code, out)
			}
		}
	}
}

func (k *keeper) scanThrough(t *testing.T, command string, lacking lack) (code int, said string) {
	t.Helper()
	server := k.front.Put(t.Context(), func(w http.ResponseWriter, r *http.Request) bool {
		needed, about := controlplane.PermissionFor(r.Method, r.URL.RequestURI())
		if hit := about && lacking.hits(needed); !hit {
			return false
		}
		lacking.answer(w, r)
		return true
	})
	var out bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &out}
	code = cli.Execute(t.Context(), streams, []string{command, "-A", "--exit-code", "--kubeconfig", k.nobody, "--server",
		server})
	return code, out.String()
}
