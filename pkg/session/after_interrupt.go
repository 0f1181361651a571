package session

import (
	"context"
	"time"
)

// Lasting returns a context that ends a moment after another one: after an interrupt, nothing is read any more, but
// what is known is put together and printed, unless that takes long.
func Lasting(ctx context.Context, moment time.Duration) (context.Context, context.CancelFunc) {
	lasting, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(moment):
		case <-lasting.Done():
		}
		cancel()
	})
	return lasting, func() { stop(); cancel() }
}
