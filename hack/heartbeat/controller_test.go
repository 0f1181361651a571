package heartbeat_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	controllerName = "lantern-operator"
	finalizer      = "lanterns.heartbeat.example.com/snuff"
	// beat is how often the controller reconciles.
	beat = time.Second
)

func lanterns() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "heartbeat.example.com", Version: "v1", Resource: "lanterns"}
}

// controlLanterns is the program of the operator, in a process of its own: it acts by the kubeconfig that it is given,
// as its ServiceAccount, until whoever has started it is gone.
func controlLanterns() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1)) // ends with whoever has started it
		stop()
	}()
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	config.UserAgent = controllerName + "/v1"
	client := dynamic.NewForConfigOrDie(config).Resource(lanterns()).Namespace(namespace)
	for ctx.Err() == nil {
		if err := reconcileAll(ctx, client); err != nil && ctx.Err() == nil {
			fmt.Fprintln(os.Stderr, err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(beat):
		}
	}
}

func reconcileAll(ctx context.Context, client dynamic.ResourceInterface) error {
	list, err := client.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	var failed error
	for i := range list.Items {
		if err := reconcile(ctx, client, &list.Items[i]); err != nil && !apierrors.IsConflict(err) &&
			!apierrors.IsNotFound(err) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// reconcile writes a heartbeat, whatever else it does. It lets go of a deleted lantern that nothing keeps.
func reconcile(ctx context.Context, client dynamic.ResourceInterface, lantern *unstructured.Unstructured) error {
	if lantern.GetDeletionTimestamp() == nil {
		if slices.Contains(lantern.GetFinalizers(), finalizer) {
			return nil
		}
		lantern.SetFinalizers(append(lantern.GetFinalizers(), finalizer))
		_, err := client.Update(ctx, lantern, metav1.UpdateOptions{})
		return err
	}
	says := func(field string) bool {
		is, _, _ := unstructured.NestedBool(lantern.Object, "spec", field)
		return is
	}
	status, _, _ := unstructured.NestedMap(lantern.Object, "status")
	if status == nil {
		status = map[string]any{}
	}
	status["lastReconcileTime"] = time.Now().UTC().Format(time.RFC3339)
	status["observedGeneration"] = lantern.GetGeneration()
	delete(status, "errors")
	switch {
	case says("paused"), says("deletionProtection"), says("forgotten"): // it stays as it is
	case says("jammed"):
		status["errors"] = []any{map[string]any{"code": "E17", "message": "cannot lower the wick: the winch is blocked"}}
	case says("large"):
		left, found, _ := unstructured.NestedInt64(status, "remainingLamps")
		if !found {
			left = 1 << 20
		}
		status["remainingLamps"] = left - 1
	default:
		lantern.SetFinalizers(slices.DeleteFunc(lantern.GetFinalizers(), func(name string) bool { return name == finalizer }))
		_, err := client.Update(ctx, lantern, metav1.UpdateOptions{})
		return err
	}
	lantern.Object["status"] = status
	_, err := client.UpdateStatus(ctx, lantern, metav1.UpdateOptions{})
	return err
}
