package cluster

import (
	"context"
	"net/http"
)

// cancelTransport ends every request when ctx ends. kubectl's resource.Builder and RESTMapper take
// no context, and a person who presses Ctrl-C must not wait for them.
type cancelTransport struct {
	ctx  context.Context
	next http.RoundTripper
}

type finishing struct{}

// Finishing returns a context for what must come to its end although ctx has ended: a write on its way, and
// the look at what became of it. Both end with the request's own timeout.
func Finishing(ctx context.Context) context.Context {
	return context.WithValue(context.WithoutCancel(ctx), finishing{}, true)
}

func (t cancelTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Context().Value(finishing{}) != nil {
		return t.next.RoundTrip(request)
	}
	ctx, cancel := context.WithCancelCause(request.Context())
	// Neither function is undone when the answer has arrived, because its body is still to be
	// read. They go with t.ctx, at the end of the command.
	context.AfterFunc(t.ctx, func() { cancel(context.Cause(t.ctx)) })
	return t.next.RoundTrip(request.WithContext(ctx))
}
