package zoo_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// fault is what comes in place of an answer.
type fault struct {
	name string
	// answer answers a request; pass has the API server answer it.
	answer func(w http.ResponseWriter, r *http.Request, pass http.HandlerFunc)
	flags  []string // further arguments of the program
	passes bool     // what was asked for may come in the end
}

// faults are the ways in which something between a program and its API server can block, break or lie.
func faults() []fault {
	short := []string{"--request-timeout=1s"}
	return []fault{
		{name: "401", answer: status(apierrors.NewUnauthorized("who are you?"))},
		{name: "403", answer: refusing(http.StatusForbidden, metav1.StatusReasonForbidden, 0)},
		{name: "404", answer: refusing(http.StatusNotFound, metav1.StatusReasonNotFound, 0)},
		{name: "405", answer: refusing(http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed, 0)},
		{name: "410", answer: refusing(http.StatusGone, metav1.StatusReasonExpired, 0)},
		{name: "429", answer: refusing(http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests, 0)},
		{name: "429, try again", answer: refusing(http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests, 1),
			flags: short},
		{name: "500", answer: refusing(http.StatusInternalServerError, metav1.StatusReasonInternalError, 0)},
		{name: "503", answer: refusing(http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable, 0)},
		{name: "503, try again much later", answer: refusing(http.StatusServiceUnavailable,
			metav1.StatusReasonServiceUnavailable, 600)},
		{name: "404 of no API server", answer: body(http.StatusNotFound, "text/plain", "404 page not found")},
		{name: "502 in HTML", answer: body(http.StatusBadGateway, "text/html", "<html><h1>502 Bad Gateway</h1></html>")},
		{name: "a redirect", answer: func(w http.ResponseWriter, r *http.Request, _ http.HandlerFunc) {
			http.Redirect(w, r, "https://login.example.com/", http.StatusFound)
		}},
		{name: "a redirect to itself", answer: func(w http.ResponseWriter, r *http.Request, _ http.HandlerFunc) {
			http.Redirect(w, r, r.RequestURI, http.StatusTemporaryRedirect)
		}},
		{name: "HTML", answer: body(http.StatusOK, "text/html", "<!DOCTYPE html><title>Log in</title>")},
		{name: "an empty object", answer: inJSON("{}")},
		{name: "null", answer: inJSON("null")},
		{name: "nothing", answer: inJSON("")},
		{name: "a Status of success", answer: inJSON(
			`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}`,
		)},
		{name: "a Status of failure", answer: inJSON(
			`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`,
		)},
		{name: "another kind", answer: inJSON(
			`{"kind":"BindingList","apiVersion":"v1","metadata":{},"items":[]}`,
		)},
		{name: "protobuf of nothing", answer: body(http.StatusOK, "application/vnd.kubernetes.protobuf", "k8s\x00")},
		{name: "half of it", answer: changed(func(answer []byte) []byte { return answer[:len(answer)/2] })},
		{name: "half of it garbled", answer: changed(garbled)},
		{name: "half of it, and a reset", answer: broken, flags: short},
		{name: "a reset", answer: func(w http.ResponseWriter, _ *http.Request, _ http.HandlerFunc) { reset(w) },
			flags: short},
		{name: "silence", answer: hang, flags: short},
		{name: "a drip", answer: drip, flags: short},
		{name: "every second time a reset", answer: everySecond(), passes: true},
		{name: "a page that comes again and again", answer: paged(again, nil)},
		{name: "pages without end", answer: paged(counted(), nil)},
		{name: "a list that ends too early", answer: paged(nil, 7)},
	}
}

// refusing answers with a Status of a code, and after how many seconds to try again.
func refusing(
	code int32, reason metav1.StatusReason, retryAfter int32,
) func(http.ResponseWriter, *http.Request, http.HandlerFunc) {
	said := metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: reason, Message: "the zoo says " + strconv.Itoa(int(code)),
	}
	if retryAfter > 0 {
		said.Details = &metav1.StatusDetails{RetryAfterSeconds: retryAfter}
	}
	return status(&apierrors.StatusError{ErrStatus: said})
}

// inJSON answers with a text.
func inJSON(text string) func(http.ResponseWriter, *http.Request, http.HandlerFunc) {
	return body(http.StatusOK, "application/json", text)
}

func status(err *apierrors.StatusError) func(http.ResponseWriter, *http.Request, http.HandlerFunc) {
	return func(w http.ResponseWriter, _ *http.Request, _ http.HandlerFunc) {
		if details := err.ErrStatus.Details; details != nil && details.RetryAfterSeconds > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(details.RetryAfterSeconds)))
		}
		refuse(w, err)
	}
}

func body(code int, contentType, content string) func(http.ResponseWriter, *http.Request, http.HandlerFunc) {
	return func(w http.ResponseWriter, _ *http.Request, _ http.HandlerFunc) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(code)
		_, _ = io.WriteString(w, content)
	}
}

// real is what the API server answers, not compressed: half of that would be one fault only.
func real(r *http.Request, pass http.HandlerFunc) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	r.Header.Del("Accept-Encoding")
	r.Header.Del("If-None-Match")
	pass(answer, r)
	return answer
}

// changed answers with what becomes of the true answer.
func changed(by func([]byte) []byte) func(http.ResponseWriter, *http.Request, http.HandlerFunc) {
	return func(w http.ResponseWriter, r *http.Request, pass http.HandlerFunc) {
		answer := real(r, pass)
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(by(answer.Body.Bytes()))
	}
}

// garbled writes over the second half of an answer what neither JSON nor protobuf is.
func garbled(answer []byte) []byte {
	half := len(answer) / 2
	return append(bytes.Clone(answer[:half]), bytes.Repeat([]byte{0xff}, len(answer)-half)...)
}

func broken(w http.ResponseWriter, r *http.Request, pass http.HandlerFunc) {
	answer := real(r, pass)
	w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
	w.Header().Set("Content-Length", strconv.Itoa(answer.Body.Len()))
	_, _ = w.Write(answer.Body.Bytes()[:answer.Body.Len()/2])
	_ = http.NewResponseController(w).Flush()
	reset(w)
}

func reset(w http.ResponseWriter) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // which ends the connection in its own way
	}
	if tcp, is := connection.(*net.TCPConn); is {
		_ = tcp.SetLinger(0)
	}
	_ = connection.Close()
}

func hang(_ http.ResponseWriter, r *http.Request, _ http.HandlerFunc) { <-r.Context().Done() }

// drip begins to answer and never comes to an end.
func drip(w http.ResponseWriter, r *http.Request, _ http.HandlerFunc) {
	w.Header().Set("Content-Type", "application/json")
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for r.Context().Err() == nil {
		_, _ = io.WriteString(w, " ")
		_ = http.NewResponseController(w).Flush()
		select {
		case <-tick.C:
		case <-r.Context().Done():
		}
	}
}

func everySecond() func(http.ResponseWriter, *http.Request, http.HandlerFunc) {
	var count atomic.Int64
	return func(w http.ResponseWriter, r *http.Request, pass http.HandlerFunc) {
		if count.Add(1)%2 == 0 {
			pass(w, r)
			return
		}
		reset(w)
	}
}
