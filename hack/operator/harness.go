// Package operator runs real operators, built from their Go modules, on the test control plane: kwok says that their
// pods run, and the programs run in the pods' places, as whom and for as long as the pods do. What is installed, and
// what goes wrong, is data (operators/, scenarios/). `make test-operators` runs it
// (docs/decisions/0001-tests-on-a-real-control-plane.md).
package operator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

// patience bounds every wait. It is never what is waited for.
const patience = 3 * time.Minute

// Harness installs and runs operators on one control plane.
type Harness struct {
	client    kubernetes.Interface
	breaker   *zoo.Breaker
	plane     *controlplane.ControlPlane
	hub       *controlplane.ControlPlane // where kubeconfigs of scenarios lead
	kubelet   *kubelet
	operators map[string]Operator
	built     string
	readyNode bool
}

// New returns a Harness that keeps what it writes in dir. Built is the folder with the operators' programs and
// manifests, BIN/operator. The caller must Stop it.
func New(ctx context.Context, plane *controlplane.ControlPlane, built, dir string) (*Harness, error) {
	all, err := Operators()
	if err != nil {
		return nil, err
	}
	client, err := plane.AdminClient()
	if err != nil {
		return nil, err
	}
	config, err := plane.AdminConfig()
	if err != nil {
		return nil, err
	}
	breaker, err := zoo.NewBreaker(plane)
	if err != nil {
		return nil, err
	}
	text, logs := filepath.Join(dir, "told"), filepath.Join(dir, "logs")
	if err := errors.Join(os.MkdirAll(text, 0o755), os.MkdirAll(logs, 0o755)); err != nil {
		return nil, err
	}
	places := &pods{client: client, config: config, dir: filepath.Join(dir, "pods"), built: built, told: text}
	h := &Harness{client: client, breaker: breaker, plane: plane, hub: plane, operators: all, built: built}
	h.kubelet = &kubelet{pods: places, logs: logs}
	h.kubelet.start(ctx)
	return h, nil
}

// Stop ends all programs.
func (h *Harness) Stop() error { return h.kubelet.stop() }

// Logs returns the last lines of what each program said.
func (h *Harness) Logs() string {
	var said strings.Builder
	files, _ := filepath.Glob(filepath.Join(h.kubelet.logs, "*"))
	for _, file := range files {
		data, _ := os.ReadFile(file)
		lines := strings.Split(string(data), "\n")
		fmt.Fprintf(&said, "%s:\n%s\n", filepath.Base(file), strings.Join(lines[max(0, len(lines)-25):], "\n"))
	}
	return said.String()
}

// Break installs a scenario's operators, and carries out its steps.
func (h *Harness) Break(ctx context.Context, scenario Scenario) error {
	for _, name := range scenario.Operators {
		if err := h.install(ctx, name); err != nil {
			return fmt.Errorf("install %s: %w", name, err)
		}
	}
	for number, step := range scenario.Steps {
		if err := h.do(ctx, step); err != nil {
			return fmt.Errorf("%s, step %d: %w", scenario.ID, number+1, err)
		}
	}
	return nil
}

func (h *Harness) do(ctx context.Context, step Step) error {
	switch {
	case step.Install != "":
		return h.install(ctx, step.Install)
	case step.Uninstall != "":
		return h.uninstall(ctx, step.Uninstall)
	case step.Ended != "":
		return h.awaitEnd(ctx, step.Ended)
	case step.LeftOut != "":
		return h.applyLeftOut(ctx, step.LeftOut)
	case step.Cut != nil:
		return h.cut(ctx, *step.Cut)
	case step.Lost != nil:
		return h.awaitLoss(ctx, *step.Lost)
	case step.Said != nil:
		return h.awaitEvent(ctx, *step.Said)
	case step.Tell != nil:
		return h.tell(*step.Tell)
	case step.Kubeconfig != nil:
		return h.writeKubeconfig(ctx, *step.Kubeconfig)
	}
	return h.steps(ctx, step.Step)
}

// steps carries out steps of the zoo.
func (h *Harness) steps(ctx context.Context, steps ...zoo.Step) error {
	return h.breaker.Break(ctx, zoo.Scenario{ID: "operator", Steps: steps})
}

// install applies what an operator's manifests hold and isn't left out, and waits until it is at work.
func (h *Harness) install(ctx context.Context, name string) error {
	operator, known := h.operators[name]
	if !known {
		return fmt.Errorf("there is no operators/%s.yaml", name)
	}
	if !h.readyNode {
		if err := h.steps(ctx, zoo.Step{AliveNode: node}); err != nil {
			return err
		}
		h.readyNode = true
	}
	if err := os.MkdirAll(filepath.Join(h.kubelet.told, name), 0o755); err != nil {
		return err
	}
	if err := h.applyOf(ctx, name, false); err != nil {
		return err
	}
	for _, definition := range operator.DefinitionsReady {
		established := zoo.Object{Object: "customresourcedefinitions/" + definition}
		path := `{.status.conditions[?(@.type=="Established")].status}`
		if err := h.steps(ctx, zoo.Step{Until: &zoo.Until{Object: established, Path: path, Is: "True"}}); err != nil {
			return err
		}
	}
	h.kubelet.add(operator)
	return h.awaitWork(ctx, operator)
}

// awaitWork waits until a pod holds the operator's Lease, or until its pods run if it has none.
func (h *Harness) awaitWork(ctx context.Context, operator Operator) error {
	var last string
	err := await(ctx, func(ctx context.Context) (bool, error) {
		if operator.Lease == nil {
			last = "no program runs"
			return h.kubelet.runs(operator.Name), nil
		}
		leases := h.client.CoordinationV1().Leases(operator.Lease.Namespace)
		lease, err := leases.Get(ctx, operator.Lease.Name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			last = "nobody has made Lease " + operator.Lease.Name
			return false, nil
		}
		if err != nil {
			return false, err
		}
		holder := lease.Spec.HolderIdentity
		last = "Lease " + operator.Lease.Name + " has no holder"
		return holder != nil && *holder != "" && time.Since(lease.Spec.RenewTime.Time) < 15*time.Second, nil
	})
	if err != nil {
		return fmt.Errorf("%s is not at work: %s (%w)\n%w", operator.Name, last, err, h.kubelet.troubled())
	}
	return nil
}

// awaitEnd waits until no program of an operator or of one of its workloads runs.
func (h *Harness) awaitEnd(ctx context.Context, name string) error {
	return await(ctx, func(context.Context) (bool, error) {
		return !h.kubelet.runs(name), nil
	})
}

func (h *Harness) awaitEvent(ctx context.Context, said Said) error {
	_, name, _ := strings.Cut(said.Object.Object, "/")
	selector := "involvedObject.name=" + name + ",reason=" + said.Reason
	err := await(ctx, func(ctx context.Context) (bool, error) {
		events, err := h.client.CoreV1().Events(said.Namespace).List(ctx, metav1.ListOptions{FieldSelector: selector})
		if err != nil {
			return false, err
		}
		holdsIt := func(event corev1.Event) bool { return strings.Contains(event.Message, said.Text) }
		return slices.ContainsFunc(events.Items, holdsIt), nil
	})
	if err != nil {
		return fmt.Errorf("wait for event %s of %s: %w", said.Reason, said.Object.Object, err)
	}
	return nil
}

func await(ctx context.Context, condition wait.ConditionWithContextFunc) error {
	return wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, patience, true, condition)
}

// tell writes a file, as a whole at once.
func (h *Harness) tell(told Told) error {
	folder := filepath.Join(h.kubelet.told, told.Operator)
	next := filepath.Join(folder, "."+told.File)
	if err := os.WriteFile(next, []byte(told.Text), 0o600); err != nil {
		return err
	}
	return os.Rename(next, filepath.Join(folder, told.File))
}
