package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/recording"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// assistant is the program that is judged.
type assistant struct {
	binary   string
	command  []string
	patience time.Duration
}

// judged asks one question and judges the answer. An error says that there was no answer to judge.
func (a assistant) judged(ctx context.Context, asked question) (verdict, error) {
	folder, err := os.MkdirTemp("", "evaluate-")
	if err != nil {
		return verdict{}, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	data, err := recording.Read(asked.Recording)
	if err != nil {
		return verdict{}, err
	}
	snapshot := filepath.Join(folder, "cluster.snapshot")
	if err := os.WriteFile(snapshot, data, 0o600); err != nil {
		return verdict{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, a.patience)
	defer cancel()
	own, err := a.ownAnswer(ctx, snapshot, asked)
	if err != nil {
		return verdict{}, fmt.Errorf("the program's own answer: %w", err)
	}
	text, err := a.answer(ctx, folder, snapshot, asked)
	if err != nil {
		return verdict{}, err
	}
	return judge(asked.Want, own, text), nil
}

// answer runs the assistant with a question.
func (a assistant) answer(ctx context.Context, folder, snapshot string, asked question) (string, error) {
	servers := map[string]any{"mcpServers": map[string]any{
		"kubectl-finalizers": map[string]any{"command": a.binary, "args": []string{"mcp", "--snapshot", snapshot}},
	}}
	config, err := json.Marshal(servers)
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, "mcp.json")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		return "", err
	}
	program := exec.CommandContext(ctx, a.command[0], a.command[1:]...)
	program.Stdin = strings.NewReader(asked.text())
	program.Env = append(os.Environ(), "MCP_CONFIG="+file)
	var complaints bytes.Buffer
	program.Stderr = &complaints
	program.WaitDelay = time.Second
	output, err := program.Output()
	if ctx.Err() != nil {
		return "", fmt.Errorf("there was no answer within %s", a.patience)
	}
	if err != nil {
		return "", fmt.Errorf("the assistant failed: %w: %s", err, strings.TrimSpace(complaints.String()))
	}
	return string(output), nil
}

// ownAnswer is what the server answers itself: its steps are what an assistant may propose.
func (a assistant) ownAnswer(ctx context.Context, snapshot string, asked question) (*result.Diagnosis, error) {
	transport := &mcp.CommandTransport{Command: exec.CommandContext(ctx, a.binary, "mcp", "--snapshot", snapshot)}
	client := mcp.NewClient(&mcp.Implementation{Name: "evaluate", Version: "v0"}, nil)
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = session.Close() }()
	return askWhy(ctx, session, asked.Target, asked.Namespace)
}

// askWhy asks the server about a target.
func askWhy(ctx context.Context, session *mcp.ClientSession, target, namespace string) (*result.Diagnosis, error) {
	arguments := map[string]any{"target": target}
	if namespace != "" {
		arguments["namespace"] = namespace
	}
	reply, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "why", Arguments: arguments})
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(reply.StructuredContent)
	if err != nil {
		return nil, err
	}
	var content struct {
		Answer *result.Diagnosis `json:"answer"`
	}
	if err := json.Unmarshal(data, &content); err != nil || content.Answer == nil {
		return nil, errors.Join(fmt.Errorf("the server has no answer about %s", target), err)
	}
	return content.Answer, nil
}
