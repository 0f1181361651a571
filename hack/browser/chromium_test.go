package browser

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
)

// tab is a tab of a headless Chromium, spoken to by the DevTools protocol over pipes.
type tab struct {
	t       *testing.T
	ctx     context.Context
	out     *os.File
	session string

	mutex   sync.Mutex
	number  int
	answers map[int]chan message
	events  chan message
	faults  []string // what the console, and violations of the page's policy, have said
}

type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// newTab starts the browser, which ends with the test.
func newTab(t *testing.T, binary string) *tab {
	t.Helper()
	toBrowser, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in, fromBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), binary, "--headless=new", "--no-sandbox", "--disable-gpu",
		"--no-first-run",
		"--disable-background-networking", "--hide-scrollbars", "--remote-debugging-pipe", "--user-data-dir="+t.TempDir())
	command.ExtraFiles = []*os.File{toBrowser, fromBrowser}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = toBrowser.Close(), fromBrowser.Close()
	p := &tab{t: t, ctx: t.Context(), out: out, answers: map[int]chan message{}, events: make(chan message, 1000)}
	go p.listen(in)
	t.Cleanup(func() {
		_ = out.Close() // by which it ends
		_ = command.Wait()
	})
	var target struct{ TargetID, SessionID string }
	p.ask("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	p.ask("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &target)
	p.session = target.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		p.ask(domain+".enable", nil, nil)
	}
	return p
}

// listen takes messages in, which end with a zero byte each.
func (p *tab) listen(in *os.File) {
	for reader := bufio.NewReader(in); ; {
		line, err := reader.ReadBytes(0)
		if err != nil {
			close(p.events)
			return
		}
		var got message
		if err := json.Unmarshal(line[:len(line)-1], &got); err != nil {
			continue
		}
		p.mutex.Lock()
		answer := p.answers[got.ID]
		switch got.Method {
		case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening":
			p.faults = append(p.faults, fmt.Sprintf("%s %s", got.Method, got.Params))
		}
		p.mutex.Unlock()
		if answer != nil {
			answer <- got
		} else if got.Method == "Page.loadEventFired" || got.Method == "Network.requestWillBeSent" {
			p.events <- got
		}
	}
}

// ask sends a command, and waits for its answer.
func (p *tab) ask(method string, params, into any) {
	p.t.Helper()
	answer := make(chan message, 1)
	p.mutex.Lock()
	p.number++
	number := p.number
	p.answers[number] = answer
	p.mutex.Unlock()
	text, err := json.Marshal(map[string]any{"id": number, "method": method, "params": params, "sessionId": p.session})
	if p.session == "" {
		text, err = json.Marshal(map[string]any{"id": number, "method": method, "params": params})
	}
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.out.Write(append(text, 0)); err != nil {
		p.t.Fatal(err)
	}
	select {
	case <-p.ctx.Done():
		p.t.Fatal(p.ctx.Err())
	case got := <-answer:
		if got.Error != nil {
			p.t.Fatalf("%s: %s", method, got.Error)
		}
		if into != nil {
			if err := json.Unmarshal(got.Result, into); err != nil {
				p.t.Fatal(err)
			}
		}
	}
}

// load opens a file, waits until it is loaded, and returns what was requested.
func (p *tab) load(file string) (requested []string) {
	p.t.Helper()
	return p.open("file://" + file)
}

// open opens an address, waits until it is loaded, and returns what was requested.
func (p *tab) open(address string) (requested []string) {
	p.t.Helper()
	p.ask("Page.navigate", map[string]any{"url": address}, nil)
	for event := range p.events {
		if event.Method == "Page.loadEventFired" {
			return requested
		}
		var sent struct{ Request struct{ URL string } }
		if err := json.Unmarshal(event.Params, &sent); err != nil {
			p.t.Fatal(err)
		}
		requested = append(requested, sent.Request.URL)
	}
	p.t.Fatal("the browser has ended")
	return nil
}

// run evaluates an expression of JavaScript.
func run[T any](p *tab, expression string) (value T) {
	p.t.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	p.ask("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true},
		&answer)
	if answer.ExceptionDetails != nil {
		p.t.Fatalf("%s: %s", expression, answer.ExceptionDetails)
	}
	if err := json.Unmarshal(answer.Result.Value, &value); err != nil {
		p.t.Fatalf("%s is %s: %v", expression, answer.Result.Value, err)
	}
	return value
}

func (p *tab) size(width, height int) {
	p.t.Helper()
	p.ask("Emulation.setDeviceMetricsOverride", map[string]any{
		"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500,
	}, nil)
}

func (p *tab) dark(dark bool) {
	p.t.Helper()
	scheme := map[bool]string{false: "light", true: "dark"}[dark]
	feature := map[string]any{"name": "prefers-color-scheme", "value": scheme}
	p.ask("Emulation.setEmulatedMedia", map[string]any{"features": []any{feature}}, nil)
}

// picture writes what is to be seen to a file.
func (p *tab) picture(path string) {
	p.t.Helper()
	var answer struct{ Data string }
	p.ask("Page.captureScreenshot", map[string]any{"format": "png", "optimizeForSpeed": false}, &answer)
	data, err := base64.StdEncoding.DecodeString(answer.Data)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		p.t.Fatal(err)
	}
}
