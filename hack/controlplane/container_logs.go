package controlplane

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/yaml"
)

// ContainerLog is what a container has written, a line each, which begins with its time as RFC 3339 has it.
type ContainerLog struct {
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	Container string `json:"container"`
	Text      string `json:"text,omitempty"`
	Previous  string `json:"previous,omitempty"` // what it wrote before it was restarted
}

func (l ContainerLog) name() string { return l.Namespace + "_" + l.Pod + "_" + l.Container }

func (l ContainerLog) same(other ContainerLog) bool { return l.name() == other.name() }

// SetLog has the kubelet that kwok plays answer for the logs of a container, and returns when it does. A log that is
// set again needs no new kwok, which reads the file each time.
func (c *ControlPlane) SetLog(ctx context.Context, log ContainerLog) error {
	if _, err := c.ask(ctx, "/kwok/log", log); err != nil {
		return err
	}
	client, err := c.AdminClient()
	if err != nil {
		return err
	}
	pod, err := client.CoreV1().Pods(log.Namespace).Get(ctx, log.Pod, metav1.GetOptions{})
	if err != nil {
		return err
	}
	var last error
	err = wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, startTimeout, true,
		func(ctx context.Context) (bool, error) {
			path := fmt.Sprintf("/api/v1/namespaces/%s/pods/%s/log", pod.Namespace, pod.Name)
			last = client.CoreV1().RESTClient().Get().AbsPath(path).Param("container", log.Container).Do(ctx).Error()
			return last == nil, nil
		})
	if err != nil {
		return fmt.Errorf("wait until %s can be read: %w (%v)", log.name(), err, last)
	}
	return nil
}

// kubelet is the kwok that answers as the kubelet of all Nodes that another one keeps alive.
type kubelet struct {
	port    int
	logs    []ContainerLog
	process *process // nil until there is a log
}

// kubeletPort returns the kubelets' port, which is chosen when it is asked for first.
func (s *supervisor) kubeletPort() (port int, err error) {
	if s.kubelet.port == 0 {
		s.kubelet.port, err = s.ports.next()
	}
	return s.kubelet.port, err
}

// setLog writes down what a container has written, and has the kubelet know of a log that is new.
func (s *supervisor) setLog(log ContainerLog) error {
	for file, text := range map[string]string{s.logFile(log): log.Text, s.previousLogFile(log): log.Previous} {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(file, writtenLines(text), 0o600); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.ContainsFunc(s.kubelet.logs, log.same) {
		return nil
	}
	s.kubelet.logs = append(s.kubelet.logs, log)
	s.kubelet.process.stop(stopPatience)
	return s.startKubelet()
}

func (s *supervisor) startKubelet() error {
	port, err := s.kubeletPort()
	if err != nil {
		return err
	}
	rules, err := s.writeLogRules()
	if err != nil {
		return err
	}
	args := logsArgs(filepath.Join(s.dir, "kubeconfig"), port, s.binaries.KwokStages, rules)
	s.kubelet.process, err = startProcess(s.dir, s.binaries.Kwok, args)
	return err
}

func (s *supervisor) logFile(log ContainerLog) string {
	return filepath.Join(s.dir, "logs", log.name()+".log")
}

func (s *supervisor) previousLogFile(log ContainerLog) string {
	return filepath.Join(s.dir, "logs", log.name()+".previous.log")
}

// writtenLines are lines as a container runtime writes them: TIME stdout F TEXT (k8s v1.37
// cri-client/pkg/logs/logs.go).
func writtenLines(text string) []byte {
	var lines bytes.Buffer
	for line := range strings.Lines(text) {
		at, said, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		fmt.Fprintf(&lines, "%s stdout F %s\n", at, said)
	}
	return lines.Bytes()
}

// writeLogRules writes down for kwok which file is whose log, and returns where.
func (s *supervisor) writeLogRules() (string, error) {
	var rules bytes.Buffer
	for _, log := range s.kubelet.logs {
		rule, err := yaml.Marshal(map[string]any{
			"apiVersion": "kwok.x-k8s.io/v1alpha1", "kind": "ClusterLogs",
			"metadata": map[string]any{"name": log.name()},
			"spec": map[string]any{
				"selector": map[string]any{"matchNamespaces": []string{log.Namespace}, "matchNames": []string{log.Pod}},
				"logs": []any{map[string]any{
					"containers": []string{log.Container},
					"logsFile":   s.logFile(log), "previousLogsFile": s.previousLogFile(log),
				}},
			},
		})
		if err != nil {
			return "", err
		}
		rules.WriteString("---\n")
		rules.Write(rule)
	}
	path := filepath.Join(s.dir, "kwok-logs.yaml")
	return path, os.WriteFile(path, rules.Bytes(), 0o600)
}
