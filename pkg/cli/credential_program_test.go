package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd/api"
)

// TestWithoutPrompts gets credentials from a program, and says why there are none.
func TestWithoutPrompts(t *testing.T) {
	t.Parallel()
	const printed = `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t1"}}`
	for _, c := range []struct {
		name, script string
		mode         api.ExecInteractiveMode
		token, says  string
	}{
		{name: "a token", script: "echo '" + printed + "'", token: "t1"},
		{name: "no input", script: "read line && exit 1; echo '" + printed + "'", token: "t1"},
		{name: "not interactive", script: `case "$KUBERNETES_EXEC_INFO" in *'"interactive":false'*) echo '` + printed +
			`';; esac`, token: "t1"},
		{name: "it must ask", script: "exit 0", mode: api.AlwaysExecInteractiveMode, says: "has to ask for a login"},
		{name: "it fails", script: "echo 'Your session has expired.' >&2; exit 3", says: "Your session has expired."},
		{name: "it prints something else", script: "echo secret-token", says: "it didn't print an ExecCredential"},
		{name: "it prints nothing of use", script: `echo '{"apiVersion":"client.authentication.k8s.io/v1",` +
			`"kind":"ExecCredential","status":{}}'`, says: "it printed no token"},
		{name: "it hangs", script: "sleep 60", says: "it did not end in time, and may wait for a login"},
		{name: "it hangs, and has started another program", script: "sleep 60 & wait", says: "it did not end in time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			program := filepath.Join(t.TempDir(), "login")
			if err := os.WriteFile(program, []byte("#!/bin/sh\n"+c.script+"\n"), 0o700); err != nil { //nolint:gosec // to run it
				t.Fatal(err)
			}
			config := &rest.Config{Host: "https://127.0.0.1:1", ExecProvider: &api.ExecConfig{
				Command: program, APIVersion: "client.authentication.k8s.io/v1", ProvideClusterInfo: true,
				InteractiveMode: c.mode,
			}}
			if strings.Contains(c.script, "sleep") {
				config.Timeout = 300 * time.Millisecond
			}
			err := withoutPrompts(t.Context(), config)
			switch {
			case c.says == "" && (err != nil || config.BearerToken != c.token || config.ExecProvider != nil):
				t.Errorf("got %q, %v", config.BearerToken, err)
			case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
				t.Errorf("got %v", err)
			case err != nil && strings.Contains(err.Error(), "secret-token"):
				t.Errorf("it quotes what may be a secret: %v", err)
			}
		})
	}
}

// TestWithoutPromptsNotNeeded runs nothing where there are other credentials, as client-go does.
func TestWithoutPromptsNotNeeded(t *testing.T) {
	t.Parallel()
	for _, config := range []*rest.Config{
		{}, {BearerToken: "t", ExecProvider: &api.ExecConfig{Command: "/nowhere"}},
		{TLSClientConfig: rest.TLSClientConfig{CertFile: "c"}, ExecProvider: &api.ExecConfig{Command: "/nowhere"}},
	} {
		if err := withoutPrompts(t.Context(), config); err != nil {
			t.Error(err)
		}
	}
}

// TestPatienceWith leaves time to say what failed.
func TestPatienceWith(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for _, c := range []struct {
		ctx           context.Context
		request, most time.Duration
	}{
		{ctx, time.Minute, 9 * time.Second}, {ctx, time.Second, time.Second}, {ctx, 0, 9 * time.Second},
		{t.Context(), time.Second, time.Second}, {t.Context(), 0, 30 * time.Second},
	} {
		if got := patienceWith(c.ctx, c.request); got > c.most || got < c.most*8/10 {
			t.Errorf("%s of %s", got, c.most)
		}
	}
}
