package mcpserver

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// unanswered counts the requests of a client that are not answered yet: the protocol's library gives up what it is at
// when the input ends, and a client in a pipe ends it right behind its question.
type unanswered struct {
	mu   sync.Mutex
	left map[string]bool // by id
	none chan struct{}   // is closed when nothing is left; nil until someone waits
}

// asked takes notice of a message of the client's: of a request, and of one that the client has cancelled, which gets
// no answer.
func (u *unanswered) asked(message jsonrpc.Message) {
	request, is := message.(*jsonrpc.Request)
	if !is {
		return
	}
	var cancelled struct {
		RequestID any `json:"requestId"`
	}
	switch {
	case request.IsCall():
		u.set(request.ID.Raw(), true)
	case request.Method == "notifications/cancelled" && json.Unmarshal(request.Params, &cancelled) == nil:
		if id, err := jsonrpc.MakeID(cancelled.RequestID); err == nil {
			u.set(id.Raw(), false)
		}
	}
}

// answered takes notice of a line that the client gets.
func (u *unanswered) answered(line []byte) {
	message, err := jsonrpc.DecodeMessage(line)
	if response, is := message.(*jsonrpc.Response); err == nil && is && response.ID.IsValid() {
		u.set(response.ID.Raw(), false)
	}
}

func (u *unanswered) set(id any, open bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	key := fmt.Sprintf("%T %v", id, id)
	if open {
		u.left[key] = true
		return
	}
	delete(u.left, key)
	if len(u.left) == 0 && u.none != nil {
		close(u.none)
		u.none = nil
	}
}

// wait returns a channel that is closed when all that was asked is answered.
func (u *unanswered) wait() <-chan struct{} {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.none == nil {
		u.none = make(chan struct{})
	}
	none := u.none
	if len(u.left) == 0 {
		close(u.none)
		u.none = nil
	}
	return none
}
