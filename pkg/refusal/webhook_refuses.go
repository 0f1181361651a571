package refusal

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// calls reports whether a webhook is called, by all that can be read.
func (l *admissionLook) calls(ctx context.Context, hook *admission.Hook) (called admission.Called) {
	l.decided(ctx, func() admission.Match {
		called = l.checker.evaluator.Calls(ctx, hook, l.request)
		return called.Match
	})
	return called
}

// hook notes that a webhook refuses the request, or may: one that fails closed and whose backend does not answer.
func (l *admissionLook) hook(ctx context.Context, registered session.RegisteredHook) {
	called := l.calls(ctx, &registered.Hook)
	match := called.Match
	if match == admission.No {
		return
	}
	configuration, write := registered.Configuration, l.write.String()
	if called.Costly && registered.Hook.FailsClosed() { // it is called, or the request is refused
		l.unsure(configuration, registered.String()+" may be called for "+write+": "+tooCostly())
		return
	}
	is := registered.String() + " is called for " + write
	personal := l.personal(func(anybody *admission.Request) admission.Match {
		return l.checker.evaluator.Calls(ctx, &registered.Hook, anybody).Match
	})
	service, inCluster := health.HookService(registered.Hook.ClientConfig)
	switch failsClosed := registered.Hook.FailsClosed(); {
	case called.Refused != "":
		l.refuse(configuration, hookFails(l.checker.Session, registered, l.write, called), personal)
		return
	case !inCluster:
		url := deref(registered.Hook.ClientConfig.URL)
		l.doubt(configuration, is+" and may refuse it; it is called by URL ("+url+
			"), and this cluster doesn't show whether that answers")
		l.called(registered, failsClosed)
		return
	case !failsClosed && l.checker.Health.Backend(ctx, service).State == health.BackendBroken:
		return // the API server does without its answer
	case !failsClosed:
		l.doubt(configuration, is+" and may refuse it")
		l.called(registered, false)
		return
	}
	behind := l.checker.Health.Backend(ctx, service)
	words := "its backend " + l.checker.Health.Words(behind.Words)
	switch {
	case behind.State == health.BackendBroken && match == admission.Yes:
		by := intercepts(registered, l.write)
		l.refuse(configuration, webhookUnavailable(l.checker.Session, registered, l.write.Request(), by, behind), personal)
	case behind.State == health.BackendBroken:
		l.unsure(configuration, registered.String()+" may be called for "+write+" (that is not clear), and "+words)
	case behind.State == health.BackendUnknown:
		l.unsure(configuration, is+"; "+words)
	default:
		l.doubt(configuration, is+" and may refuse it; its backend is up")
		l.called(registered, false)
	}
}

func intercepts(hook session.RegisteredHook, write Write) finding.Evidence {
	return session.ObservedOf(hook.Configuration, hook.String()+" intercepts "+write.String()+" (failurePolicy Fail)")
}
