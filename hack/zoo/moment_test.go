package zoo_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// moment is a cluster that many ask about as if nothing changed meanwhile: each request is answered as it was the first
// time, and nothing is fetched twice.
type moment struct {
	*asker
	answers *controlplane.Answers
	server  string
}

// newMoment returns the moment in which its first requests will be answered, and a cluster administrator who asks then.
func (k *keeper) newMoment(t *testing.T, at time.Time) *moment {
	t.Helper()
	now := &moment{asker: &asker{at: at, turns: k.turns, met: &meeting{}}, answers: k.front.Answers()}
	now.server = k.front.Put(t.Context(), func(w http.ResponseWriter, r *http.Request) bool {
		if needed, about := controlplane.PermissionFor(r.Method, r.URL.RequestURI()); about {
			now.met.note(r, needed, false)
		}
		now.answers.ServeHTTP(w, r)
		return true
	})
	now.kubeconfig = kubeconfigOf(t, now.server)
	return now
}

// within returns who asks in the moment with less than all rights: what isn't allowed is refused, and counted.
func (k *keeper) within(
	t *testing.T, now *moment, allows func(r *http.Request, needed controlplane.Permission) bool,
) *asker {
	t.Helper()
	met := &meeting{}
	server := k.front.Put(t.Context(), func(w http.ResponseWriter, r *http.Request) bool {
		needed, about := controlplane.PermissionFor(r.Method, r.URL.RequestURI())
		lacks := about && !allows(r, needed)
		if about {
			met.note(r, needed, lacks)
		}
		if lacks {
			withoutPermission(needed).answer(w, r)
		} else {
			now.answers.ServeHTTP(w, r)
		}
		return true
	})
	return &asker{at: now.at, turns: k.turns, met: met, kubeconfig: kubeconfigOf(t, server)}
}

// kubeconfigOf writes a kubeconfig without a user, for who asks a server through the proxy.
func kubeconfigOf(t *testing.T, server string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	content := "apiVersion: v1\nkind: Config\ncurrent-context: zoo\ncontexts: [{name: zoo, context: " +
		"{cluster: zoo}}]\nclusters: [{name: zoo, cluster: {server: '" + server + "'}}]\n"
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// mayRead reports whether rules allow a request.
func mayRead(rules []rbacv1.PolicyRule) func(*http.Request, controlplane.Permission) bool {
	return func(_ *http.Request, needed controlplane.Permission) bool { return allowed(rules, needed) }
}
