package zoo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// lack is something that an asker must do without.
type lack struct {
	what string
	// hits reports whether a request meets it.
	hits func(needed controlplane.Permission) bool
	// named reports whether a resource, as the unreadable list spells it, is one of the missing ones.
	named func(resource string) bool
	// unnamed says that the unreadable list need not name it.
	unnamed bool
	// answer is how the API server answers a request that meets it.
	answer http.HandlerFunc
	// flags are further arguments of why.
	flags []string
	// mostHits is how many requests may wait for what never answers; 0 for what answers.
	mostHits int
}

// hangs reports whether requests that meet it are never answered.
func (l lack) hangs() bool { return l.mostHits > 0 }

// patience bounds an answer that never comes. Where a group hangs, it is --request-timeout that ends the waiting;
// how soon the others answer is the machine's affair.
const patience = 5 * time.Minute

// withoutPermission lacks one permission. A proxy plays it: roles and bindings for every permission
// of every scenario would be thousands, and each would have to be waited for.
func withoutPermission(lacking controlplane.Permission) lack {
	// A dry run that is refused is an answer, and nothing that could not be read.
	writes := !slices.Contains([]string{"get", "list", "watch"}, lacking.Verb)
	return lack{
		what:    "without the right to " + lacking.String(),
		hits:    func(needed controlplane.Permission) bool { return needed == lacking },
		named:   func(resource string) bool { return resource == lacking.QualifiedResource() },
		unnamed: writes,
		answer: func(w http.ResponseWriter, _ *http.Request) {
			resource := schema.GroupResource{Group: lacking.Group, Resource: lacking.Resource}
			refuse(w, apierrors.NewForbidden(resource, "", fmt.Errorf("you cannot %s", lacking)))
		},
	}
}

// withoutGroup lacks an API group that always fails.
func withoutGroup(group string) lack {
	return lack{
		what:  "while " + group + " fails",
		hits:  func(needed controlplane.Permission) bool { return needed.Group == group },
		named: func(resource string) bool { return strings.HasSuffix(resource, "."+group) },
		answer: func(w http.ResponseWriter, _ *http.Request) {
			refuse(w, apierrors.NewServiceUnavailable("the zoo has switched this group off"))
		},
	}
}

// withHangingGroup lacks an API group that never answers.
func withHangingGroup(group string) lack {
	hanging := withoutGroup(group)
	hanging.what = "while " + group + " hangs"
	hanging.flags = []string{"--request-timeout=20s"} // of every request: the others must be answered by then
	// The kinds of a group are read once each, and storage.k8s.io has six.
	hanging.mostHits = 12
	hanging.answer = func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	return hanging
}

func refuse(w http.ResponseWriter, err *apierrors.StatusError) {
	status := err.Status()
	status.APIVersion, status.Kind = "v1", "Status"
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(status.Code))
	_ = json.NewEncoder(w).Encode(status)
}

// askWithLess asks again without each permission that the whole answer used, and with each API group that it used
// failing; and lets a group hang unless another scenario has. If resources are only scanned, it tries some of them.
func (k *keeper) askWithLess(
	t *testing.T, question zoo.Question, full *result.Diagnosis, used []controlplane.Request, now *moment,
) {
	t.Helper()
	target := readOf(full.Target, used)
	var lacks []lack
	seen := map[string]bool{}
	once := func(key string, scanned bool, tried *counts, most int) bool {
		if seen[key] || scanned && !tried.among(key, most) {
			return false
		}
		seen[key] = true
		return true
	}
	for _, request := range used {
		needed, about := request.Permission()
		if !about {
			continue
		}
		// A scan reads each kind in the same way, so that the lack of one is tried in a few scenarios, not in all.
		scanned := strings.Contains(request.RequestURI, "limit=50000")
		if once(needed.String(), scanned, &k.scans, fewScans) {
			lacks = append(lacks, withoutPermission(needed))
		}
		group := needed.Group
		if group == "" {
			continue
		}
		if once("group "+group, scanned, &k.scans, fewScans) {
			lacks = append(lacks, withoutGroup(group))
		}
		if once("hangs "+group, true, &k.hung, 1) {
			lacks = append(lacks, withHangingGroup(group))
		}
	}
	started := time.Now()
	each(lacks, func(lacking lack) {
		k.askWithout(t, question, full, lacking, lacking.hits(target), now.asker, now.answers)
	})
	t.Logf("%d asks with less took %s", len(lacks), time.Since(started).Round(time.Millisecond))
}

// readOf returns what the read of an object needed: the log has requests that were sent side by side in any order.
func readOf(object finding.Ref, used []controlplane.Request) controlplane.Permission {
	stem := strings.ToLower(object.Kind[:len(object.Kind)-1]) // what a singular and a plural have in common
	for _, request := range used {
		needed, about := request.Permission()
		parsed, err := url.Parse(request.RequestURI)
		if about && err == nil && needed.Verb == "get" && needed.Group == object.Group() &&
			strings.HasPrefix(needed.Resource, stem) && path.Base(parsed.Path) == object.Name {
			return needed
		}
	}
	return controlplane.Permission{}
}

// fewScans is in how many scenarios the lack of something that is only scanned is tried.
const fewScans = 3

// counts is how often each of some names was met.
type counts struct {
	mu    sync.Mutex
	known map[string]int
}

// among reports whether a name is met for one of the first times.
func (c *counts) among(name string, most int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[string]int{}
	}
	c.known[name]++
	return c.known[name] <= most
}

// each does something with all of several things that wait for nine tenths of their time: an answer of a cluster that
// changes takes a second look after some seconds.
func each[T any](things []T, do func(T)) {
	const width = 16
	var all sync.WaitGroup
	places := make(chan struct{}, width)
	for _, thing := range things {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			do(thing)
		})
	}
	all.Wait()
}

// askWithout asks through the proxy and holds the lesser answer against the whole one. What isn't lacking is answered
// from what is known by now.
func (k *keeper) askWithout(
	t *testing.T, question zoo.Question, full *result.Diagnosis, lacking lack, targetToo bool, asker *asker,
	answers *controlplane.Answers,
) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if lacking.hangs() {
		asker = asker.outOfTurn()
	}
	got, met := k.lacking(t, lacking, answers, func(flags ...string) reply { return asker.why(ctx, question, flags...) })
	problems := judgeLesser(full, got, lacking, met, targetToo)
	if lacking.hangs() && met.hits > lacking.mostHits {
		problems = append(problems, fmt.Sprintf("%d requests waited for it, and %d may", met.hits, lacking.mostHits))
	}
	if ctx.Err() != nil {
		problems = append(problems, fmt.Sprintf("it took longer than %s", patience))
	}
	for _, problem := range problems {
		t.Errorf("%s: %s\n%s%s", lacking.what, problem, summaryOf(got), got.errOut)
	}
}

func summaryOf(got reply) string {
	var diagnosis result.Diagnosis
	if json.Unmarshal([]byte(got.out), &diagnosis) != nil {
		return got.out
	}
	return fmt.Sprintf("%s: %s %v; unreadable: %v\n", diagnosis.Verdict, diagnosis.Summary, causesOf(&diagnosis),
		diagnosis.Unreadable)
}

// lacking has something asked through a proxy that lacks something, and returns what met that.
func (k *keeper) lacking(
	t *testing.T, lacking lack, answers *controlplane.Answers, ask func(flags ...string) reply,
) (reply, *meeting) {
	met := &meeting{}
	server := k.front.Put(t.Context(), func(w http.ResponseWriter, r *http.Request) bool {
		needed, about := controlplane.PermissionFor(r.Method, r.URL.RequestURI())
		hit := about && lacking.hits(needed)
		if about {
			met.note(r, needed, hit)
		}
		if hit {
			lacking.answer(w, r)
		} else {
			answers.ServeHTTP(w, r)
		}
		return true
	})
	flags := append(slices.Clone(lacking.flags), "--kubeconfig", k.nobody, "--server", server, "-o", "json")
	return ask(flags...), met
}
