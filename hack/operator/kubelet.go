package operator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// node is where the operators' pods run.
const node = "operators"

// kubelet schedules the pods of operators, and runs programs for as long as kwok says that their pods run.
type kubelet struct {
	*pods
	logs   string
	cancel context.CancelFunc
	done   chan struct{}

	mu        sync.Mutex
	operators []Operator
	trouble   error
	running   map[string]int // pods of each operator, and of each of its workloads as OPERATOR/KIND/NAME

	processes map[types.UID][]*process // the loop's alone
}

// process is the program of one container.
type process struct {
	cmd   *exec.Cmd
	since time.Time
	ended chan struct{}
}

// start begins to look after pods, until stop.
func (k *kubelet) start(ctx context.Context) {
	ctx, k.cancel = context.WithCancel(ctx)
	k.done, k.processes = make(chan struct{}), map[types.UID][]*process{}
	go func() {
		defer close(k.done)
		// A program ends with the thread that started it: with this one, whatever becomes of this process.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for ctx.Err() == nil {
			if err := k.sync(ctx); ctx.Err() == nil {
				k.mu.Lock()
				k.trouble = err
				k.mu.Unlock()
			}
			select {
			case <-ctx.Done():
			case <-time.After(100 * time.Millisecond):
			}
		}
		for uid := range k.processes {
			k.end(uid)
		}
	}()
}

// stop ends all programs, and returns what went wrong with them last.
func (k *kubelet) stop() error {
	k.cancel()
	<-k.done
	return k.trouble
}

// troubled returns what goes wrong.
func (k *kubelet) troubled() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.trouble
}

// runs reports whether programs of an operator run, or of one of its workloads: OPERATOR/KIND/NAME.
func (k *kubelet) runs(what string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.running[what] > 0
}

// add has the pods of an operator looked after.
func (k *kubelet) add(operator Operator) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !slices.ContainsFunc(k.operators, func(known Operator) bool { return known.Name == operator.Name }) {
		k.operators = append(k.operators, operator)
	}
}

// sync starts what should run and doesn't, and ends what shouldn't.
func (k *kubelet) sync(ctx context.Context) error {
	k.mu.Lock()
	operators := slices.Clone(k.operators)
	k.mu.Unlock()
	running, counts := map[types.UID]bool{}, map[string]int{}
	var failed error
	for _, operator := range operators {
		for namespace := range namespacesOf(operator) {
			list, err := k.client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
			if err != nil {
				return err
			}
			for _, pod := range list.Items {
				runs, err := k.look(ctx, operator, &pod)
				running[pod.UID] = running[pod.UID] || runs
				if runs {
					counts[operator.Name]++
					counts[operator.Name+"/"+workloadOf(&pod)]++
				}
				failed = errors.Join(failed, err)
			}
		}
	}
	for uid := range k.processes {
		if !running[uid] {
			k.end(uid)
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.running = counts
	return failed
}

func namespacesOf(operator Operator) map[string]bool {
	namespaces := map[string]bool{}
	for _, run := range operator.Run {
		namespaces[run.Namespace] = true
	}
	return namespaces
}

// look schedules a pod of an operator, or sees that its programs run. It reports whether they should.
func (k *kubelet) look(ctx context.Context, operator Operator, pod *corev1.Pod) (bool, error) {
	var containers []Container
	for _, run := range operator.Run {
		if run.Namespace == pod.Namespace && run.Workload == workloadOf(pod) {
			containers = append(containers, run)
		}
	}
	switch {
	case len(containers) == 0 || pod.DeletionTimestamp != nil:
		return false, nil
	case pod.Spec.NodeName == "":
		return false, k.bind(ctx, pod)
	case pod.Status.Phase != corev1.PodRunning:
		return false, nil
	case k.aliveOrNew(pod.UID):
		return true, nil
	}
	// A container that ended is started again, as the kubelet does; here all of the pod's.
	k.end(pod.UID)
	for _, run := range containers {
		if err := k.run(ctx, operator.Name, pod, run); err != nil {
			return false, err
		}
	}
	return true, nil
}

// workloadOf is the KIND/NAME of what made a pod. If that is a Deployment's ReplicaSet, the pod's label has the hash.
func workloadOf(pod *corev1.Pod) string {
	owner := metav1.GetControllerOf(pod)
	if owner == nil {
		return "Pod/" + pod.Name
	}
	hash := "-" + pod.Labels["pod-template-hash"]
	if owner.Kind == "ReplicaSet" && len(owner.Name) > len(hash) {
		return "Deployment/" + owner.Name[:len(owner.Name)-len(hash)]
	}
	return owner.Kind + "/" + owner.Name
}

func (k *kubelet) bind(ctx context.Context, pod *corev1.Pod) error {
	binding := &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: pod.Namespace, UID: pod.UID},
		Target:     corev1.ObjectReference{Kind: "Node", Name: node},
	}
	err := k.client.CoreV1().Pods(pod.Namespace).Bind(ctx, binding, metav1.CreateOptions{})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil
	}
	return err
}

func (k *kubelet) run(ctx context.Context, operator string, pod *corev1.Pod, run Container) error {
	c, err := k.container(ctx, pod, operator, run)
	if err != nil {
		return err
	}
	cmd, err := c.start(filepath.Join(k.logs, pod.Name+"-"+run.Container+".log"))
	if err != nil {
		return fmt.Errorf("%s of pod %s/%s: %w", run.Container, pod.Namespace, pod.Name, err)
	}
	started := &process{cmd: cmd, since: time.Now(), ended: make(chan struct{})}
	k.processes[pod.UID] = append(k.processes[pod.UID], started)
	go func() {
		defer close(started.ended)
		_ = cmd.Wait() // what it said is in its log
	}()
	return nil
}

// aliveOrNew reports whether all programs of a pod run, or it is too early to start them again.
func (k *kubelet) aliveOrNew(uid types.UID) bool {
	all := k.processes[uid]
	ended := slices.ContainsFunc(all, func(one *process) bool {
		select {
		case <-one.ended:
			return true
		default:
			return false
		}
	})
	return len(all) > 0 && (!ended || time.Since(all[0].since) < time.Second)
}

// end asks the programs of a pod to end, and makes them end soon after.
func (k *kubelet) end(uid types.UID) {
	for _, one := range k.processes[uid] {
		_ = syscall.Kill(-one.cmd.Process.Pid, syscall.SIGTERM)
	}
	late, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	for _, one := range k.processes[uid] {
		select {
		case <-one.ended:
		case <-late.Done():
			_ = syscall.Kill(-one.cmd.Process.Pid, syscall.SIGKILL)
			<-one.ended
		}
	}
	delete(k.processes, uid)
	_ = os.RemoveAll(filepath.Join(k.dir, string(uid)))
}
