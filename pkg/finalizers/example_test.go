package finalizers_test

import (
	"context"
	"fmt"
	"os"

	"k8s.io/client-go/rest"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
)

const recording = "../../hack/demo/demo.snapshot"

func ExampleCluster_Why() {
	ctx := context.Background()
	cluster, err := finalizers.Open(ctx, finalizers.Options{}, recording)
	if err != nil {
		fmt.Println(err)
		return
	}
	target, err := cluster.Find(ctx, "ns", "", "payments")
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := cluster.Why(ctx, target, finalizers.WhyOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Verdict)
	for _, cause := range answer.RootCauses {
		fmt.Println(cause.Reason, cause.Object)
	}
	// Output:
	// Stuck
	// NodeNotReady Node worker-3
	// ControllerUnknown Pod payments/audit
}

func ExampleCluster_List() {
	ctx := context.Background()
	cluster, err := finalizers.Open(ctx, finalizers.Options{}, recording)
	if err != nil {
		fmt.Println(err)
		return
	}
	list, err := cluster.List(ctx, finalizers.ListOptions{Namespace: "shop"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, item := range list.Items {
		fmt.Println(item.Target, item.Verdict)
	}
	// Output:
	// PersistentVolumeClaim shop/data Stuck
	// Deployment shop/web Stuck
	// Pod shop/web-56dbdff5f8-5xpxg Stuck
	// Pod shop/web-56dbdff5f8-82g5n Stuck
	// Pod shop/web-56dbdff5f8-bh9kj Stuck
	// ReplicaSet shop/web-56dbdff5f8 Stuck
}

func ExamplePrint() {
	ctx := context.Background()
	cluster, err := finalizers.Open(ctx, finalizers.Options{}, recording)
	if err != nil {
		fmt.Println(err)
		return
	}
	explanation, err := cluster.Explain(ctx, "kubernetes.io/pvc-protection", finalizers.ExplainOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := finalizers.Print(context.Background(), os.Stdout, explanation, "name"); err != nil {
		fmt.Println(err)
	}
	// Output:
	// kubernetes.io/pvc-protection
}

func ExampleNew() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cluster, err := finalizers.New(ctx, &rest.Config{Host: "https://127.0.0.1:6443"}, finalizers.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	check, err := cluster.Check(ctx, finalizers.CheckOptions{})
	if err != nil {
		fmt.Println(err) // the server can't be reached, for example
		return
	}
	_ = finalizers.Print(context.Background(), os.Stdout, check, "human")
}
