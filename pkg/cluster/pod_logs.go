package cluster

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// LogReader reads what containers have written. It is no part of Reader on purpose: what programs write may hold
// anything, so that a recording, which is a Reader in front of another, never gets to see it.
type LogReader interface {
	// Log returns the last lines that a container of a pod has written, each with its time in front as RFC 3339 has it.
	// If a log is cut off because it is too long, the last line is left out, and all is false.
	Log(ctx context.Context, namespace, pod string, wanted LogPart) (lines []byte, all bool, err error)
}

// LogPart is a part of the log of one container.
type LogPart struct {
	Container string
	Previous  bool      // what it wrote before it was restarted
	Since     time.Time // zero for all of it
	Lines     int64     // at most so many, the last
	Bytes     int64     // and no more than so many
}

// PodLogs is the subresource by which the logs of pods are read.
func PodLogs() Resource {
	logs := schema.GroupVersionResource{Version: "v1", Resource: "pods/log"}
	return Resource{GroupVersionResource: logs, Kind: "Pod", Namespaced: true}
}

// logPatience is how long a kubelet may take to answer for one log.
const logPatience = 10 * time.Second

// Log implements LogReader.
func (l *Live) Log(ctx context.Context, namespace, pod string, wanted LogPart) (lines []byte, all bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, logPatience)
	defer cancel()
	request, err := l.request(http.MethodGet, Pods().object(namespace, pod, "log"))
	if err != nil {
		return nil, false, err
	}
	request.Param("container", wanted.Container).Param("timestamps", "true").
		Param("tailLines", strconv.FormatInt(wanted.Lines, 10)).
		Param("limitBytes", strconv.FormatInt(wanted.Bytes, 10))
	if wanted.Previous {
		request = request.Param("previous", "true")
	}
	if !wanted.Since.IsZero() {
		request = request.Param("sinceTime", wanted.Since.UTC().Format(time.RFC3339))
	}
	stream, err := request.Stream(ctx)
	if err != nil {
		return nil, false, l.failedFor(ctx, PodLogs(), pod, err)
	}
	defer func() { _ = stream.Close() }()
	lines, err = io.ReadAll(io.LimitReader(stream, wanted.Bytes))
	if err != nil {
		return nil, false, unreadable(PodLogs(), namespace, pod, err)
	}
	if err = expectLog(lines); err != nil {
		return nil, false, unreadable(PodLogs(), namespace, pod, err)
	}
	if all = int64(len(lines)) < wanted.Bytes; !all {
		lines = lines[:bytes.LastIndexByte(lines, '\n')+1]
	}
	return lines, all, nil
}

// expectLog returns a WrongAnswer where lines don't begin with a time, which was asked for: what is there instead are
// words of a kubelet, a runtime or a proxy, and would look as if nothing had been logged.
func expectLog(lines []byte) error {
	start := bytes.TrimSpace(lines)
	stamp, _, _ := bytes.Cut(start, []byte(" "))
	switch _, err := time.Parse(time.RFC3339Nano, string(stamp)); {
	case len(start) == 0, err == nil:
		return nil
	case start[0] == '<':
		return &WrongAnswer{Got: "HTML"}
	}
	return &WrongAnswer{Got: "something that is not a log"}
}
