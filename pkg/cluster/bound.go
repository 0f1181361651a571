package cluster

import (
	"context"
	"net/http"
)

// boundTransport ends every request when ctx ends. kubectl's resource.Builder and RESTMapper take
// no context, and a person who presses Ctrl-C must not wait for them.
type boundTransport struct {
	ctx  context.Context
	next http.RoundTripper
}

func (b boundTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(request.Context())
	// Neither function is undone when the answer has arrived, because its body is still to be
	// read. They go with b.ctx, at the end of the command.
	context.AfterFunc(b.ctx, func() { cancel(context.Cause(b.ctx)) })
	return b.next.RoundTrip(request.WithContext(ctx))
}
