package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// is untouched.
func testClasses(t *testing.T, plane *controlplane.ControlPlane) {
	l := newLab(t, plane, "remove-classes", controlplane.ClusterAdmins)
	resumeAfter(t, plane)
	for _, c := range removalClasses() {
		t.Run(c.name, func(t *testing.T) {
			mustBreak(t, plane, c.steps)
			before := versions(t, plane, c.stays)
			plan := l.remove(t, c.args...)
			value := fmt.Sprintf("%+v", plan.report.Items)
			for _, text := range c.says {
				if !strings.Contains(value, text) {
					t.Errorf("the plan doesn't say %q: %s", text, value)
				}
			}
			done := l.confirmed(t, c.args...)
			if done.code != c.code {
				t.Errorf("exit code %d, want %d\n%s%s", done.code, c.code, done.stdout, done.stderr)
			}
			if writes := l.writes(t); !slices.Equal(writes, c.writes) {
				t.Errorf("it wrote %q, want %q", writes, c.writes)
			}
			for _, name := range c.gone {
				if version := versions(t, plane, []string{name}); version[0] != "" {
					t.Errorf("%s is still there", name)
				}
			}
			after := versions(t, plane, c.stays)
			for i, name := range c.stays {
				touched := after[i] != before[i] && c.code == 0
				if after[i] == "" || touched {
					t.Errorf("%s was touched: %q to %q", name, before[i], after[i])
				}
			}
			checkBackup(t, done.report)
		})
	}
}

// resumeAfter lets kube-controller-manager run again when the test is over.
func resumeAfter(t *testing.T, plane *controlplane.ControlPlane) {
	t.Helper()
	t.Cleanup(func() {
		if err := plane.ResumeControllerManager(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
}

func versions(t *testing.T, plane *controlplane.ControlPlane, names []string) []string {
	t.Helper()
	var versions []string
	for _, name := range names {
		resource, path, _ := strings.Cut(name, " ")
		namespace, name, _ := strings.Cut(path, "/")
		version := ""
		if found := object(t, plane, resource, namespace, name); found != nil {
			version = found.GetResourceVersion()
		}
		versions = append(versions, version)
	}
	return versions
}

func checkBackup(t *testing.T, done result.RemovalReport) {
	t.Helper()
	for _, item := range done.Items {
		if item.Backup == nil {
			t.Errorf("%s was not saved", item.Target)
			continue
		}
		info, err := os.Stat(item.Backup.Path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the backup %s: %v, %v", item.Backup.Path, info, err)
		}
		content, err := os.ReadFile(item.Backup.Path)
		if err != nil || !strings.Contains(string(content), item.Target.UID) {
			t.Errorf("the backup doesn't hold the object: %v\n%s", err, content)
		}
	}
}
