package follow

import (
	"context"
	"errors"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// asks answers about ConfigMaps by their names.
type asks struct{ answers map[string]error }

func (a *asks) Why(_ context.Context, target session.Target) (*result.Diagnosis, error) {
	ref := named(target.Name)
	if err := a.answers[target.Name]; errors.Is(err, errRecreated) {
		ref.UID = "another"
	} else if err != nil {
		return nil, err
	}
	return &result.Diagnosis{Target: ref, Verdict: result.Stuck}, nil
}

func (*asks) Explain(_ context.Context, _ session.Target, err error) error { return err }

func (*asks) Versions() map[finding.Ref]string { return nil }

func (*asks) Kinds() *cluster.ServedKinds { return nil }

var errRecreated = errors.New("another object has its name")

func TestTargets(t *testing.T) {
	kind := schema.GroupResource{Resource: "configmaps"}
	notFound, unserved := apierrors.NewNotFound(kind, "one"), apierrors.NewNotFound(kind, "")
	for _, c := range []struct {
		name  string
		says  error
		looks int // after which one is gone; 0 if it is an error
	}{
		{"not found", notFound, 1},
		{"gone meanwhile", &session.GoneError{Ref: named("one")}, 1},
		{"another one", errRecreated, 1},
		{"its kind isn't served, as by a server that has just started", unserved, mostUnserved},
		{"forbidden", apierrors.NewForbidden(kind, "one", nil), 0},
		{"no connection", errors.New("connection refused"), 0},
	} {
		asker, failed := &asks{answers: map[string]error{"three": notFound}}, 0
		targets := &Targets{
			Open:   func(context.Context) (Asker, error) { return asker, nil },
			Result: func([]result.Diagnosis) result.Result { return nil },
			Failed: func(error) { failed++ },
		}
		for _, name := range []string{"one", "two", "three"} {
			targets.Add(session.Target{Resource: configMaps(), Namespace: "shop", Name: name})
		}
		if answer, err := targets.Look(t.Context()); err != nil || len(answer.Items) != 2 || failed != 1 {
			t.Fatalf("%s: the first look: %v, %v, %d failures", c.name, answer, err, failed)
		}
		asker.answers["one"] = c.says
		for look := 1; look <= 2*mostUnserved; look++ {
			answer, err := targets.Look(t.Context())
			switch isGone := c.looks > 0 && look >= c.looks; {
			case isGone && (err != nil || len(answer.Items) != 1 || answer.Items[0].Target != named("two")):
				t.Errorf("%s: look %d: %v, %v; want the other one alone", c.name, look, answer, err)
			case isGone && look == c.looks && (len(answer.Gone) != 1 || answer.Gone[0].Objects[0] != named("one")):
				t.Errorf("%s: it isn't told that it is gone: %v", c.name, answer.Gone)
			case !isGone && err == nil:
				t.Errorf("%s: look %d is no error: %v", c.name, look, answer)
			}
		}
		asker.answers["two"] = apierrors.NewNotFound(kind, "two")
		if c.looks > 0 {
			if answer, err := targets.Look(t.Context()); err != nil || !answer.Over {
				t.Errorf("%s: when all are gone: %v, %v", c.name, answer, err)
			}
		}
	}
}
