package zoo_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/kubernetes"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/streams"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
)

// watchWithFaults has each watch meet a fault, in each way there is. The object isn't said to be gone before it is, and
// then it is.
func (k *keeper) watchWithFaults(t *testing.T) {
	client, err := k.plane.AdminClient()
	if err != nil {
		t.Fatal(err)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "watched"}}
	if _, err := client.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	var number atomic.Int64
	each(faults(), func(fault fault) {
		name := fmt.Sprintf("held-%d", number.Add(1))
		if err := makeHeld(t, client, "watched", name); err != nil {
			t.Error(err)
			return
		}
		for _, problem := range k.watchWithFault(t, client, fault, name) {
			t.Errorf("why cm/%s -w, %s in place of watches: %s", name, fault.name, problem)
		}
	})
}

func (k *keeper) watchWithFault(
	t *testing.T, client kubernetes.Interface, fault fault, name string,
) (problems []string) {
	met := &meeting{}
	hit := make(chan struct{}, 1)
	server := k.front.Put(t.Context(), func(w http.ResponseWriter, r *http.Request) bool {
		needed, about := controlplane.PermissionFor(r.Method, r.URL.RequestURI())
		faulty := r.URL.Query().Has("watch")
		if about {
			met.note(r, needed, faulty)
		}
		if !faulty {
			return false
		}
		select {
		case hit <- struct{}{}:
		default:
		}
		fault.answer(w, r, k.front.Pass)
		return true
	})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	out, ended := &streams.Buffer{}, make(chan int, 1)
	go func() {
		io := genericiooptions.IOStreams{In: strings.NewReader(""), Out: out, ErrOut: out}
		ended <- cli.Execute(ctx, io, append([]string{
			"why", "cm/" + name, "-n", "watched", "-w", "--kubeconfig", k.nobody, "--server", server,
		}, fault.flags...))
	}()
	select {
	case <-hit:
	case code := <-ended:
		return []string{fmt.Sprintf("it ended with %d before the object was released:\n%s", code, out)}
	}
	began := time.Now()
	if text := out.String(); strings.Contains(text, "gone") {
		problems = append(problems, "it says that the object is gone, and it is there:\n"+text)
	}
	_, err := client.CoreV1().ConfigMaps("watched").Patch(ctx, name, types.MergePatchType,
		[]byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
	if err != nil {
		return append(problems, err.Error())
	}
	if code := <-ended; code != 0 || !strings.Contains(out.String(), "watched/"+name+" is gone") {
		problems = append(problems, fmt.Sprintf("it ended with %d after the object was gone:\n%s", code, out))
	}
	t.Logf("%s: seen after %s", fault.name, time.Since(began).Round(time.Second))
	return append(problems, met.problems...)
}
