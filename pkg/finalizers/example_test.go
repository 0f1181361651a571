package finalizers_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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

func ExampleCluster_Tree() {
	ctx := context.Background()
	cluster, err := finalizers.Open(ctx, finalizers.Options{}, recording)
	if err != nil {
		fmt.Println(err)
		return
	}
	target, err := cluster.Find(ctx, "deployment", "shop", "web")
	if err != nil {
		fmt.Println(err)
		return
	}
	tree, err := cluster.Tree(ctx, target, finalizers.TreeOptions{Depth: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, edge := range tree.Edges {
		if edge.Type == "Owns" {
			fmt.Println(tree.Nodes[edge.To].Ref)
		}
	}
	// Output:
	// ReplicaSet shop/web-56dbdff5f8
	// Pod shop/web-56dbdff5f8-5xpxg
	// Pod shop/web-56dbdff5f8-82g5n
	// Pod shop/web-56dbdff5f8-bh9kj
}

func ExampleCluster_Check() {
	ctx := context.Background()
	cluster, err := finalizers.Open(ctx, finalizers.Options{}, recording)
	if err != nil {
		fmt.Println(err)
		return
	}
	check, err := cluster.Check(ctx, finalizers.CheckOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, found := range check.Findings {
		fmt.Println(found.Severity, found.Reason, found.Object)
	}
	// Output:
}

func ExampleCluster_Preview() {
	ctx := context.Background()
	cluster, err := finalizers.Open(ctx, finalizers.Options{}, recording)
	if err != nil {
		fmt.Println(err)
		return
	}
	target, err := cluster.Find(ctx, "node", "", "worker-3")
	if err != nil {
		fmt.Println(err)
		return
	}
	preview, err := cluster.Preview(ctx, target, finalizers.PreviewOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(preview.Outcome)
	fmt.Println(preview.Delete)
	// Output:
	// WouldGo
	// kubectl --context demo delete nodes/worker-3 --wait=false
}

func ExampleCluster_Explain() {
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
	for _, known := range explanation.Known {
		fmt.Println(known.Project+":", known.RemovedBy)
	}
	// Output:
	// Kubernetes: kube-controller-manager
}

// A server with one ConfigMap stands for a cluster here. A program gets its configuration from a kubeconfig or from its
// pod, and passes that.
func ExampleNew() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		answers := map[string]string{
			"/api": `{"kind": "APIVersions", "versions": ["v1"]}`,
			"/apis": `{"kind": "APIGroupList", "apiVersion": "v1", "groups": [{"name": "shop.example.com",
				"versions": [{"groupVersion": "shop.example.com/v1", "version": "v1"}]}]}`,
			"/apis/shop.example.com/v1": list("shop.example.com/v1", "database", "Database"),
			"/api/v1":                   list("v1", "configmap", "ConfigMap"),
			"/api/v1/namespaces/shop/configmaps/orders": `{"kind": "ConfigMap", "apiVersion": "v1", "metadata":
				{"name": "orders", "namespace": "shop", "uid": "1", "finalizers": ["shop.example.com/cleanup"]}}`,
		}
		answer, known := answers[request.URL.Path]
		w.Header().Set("Content-Type", "application/json")
		if !known {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = io.WriteString(w, cmp.Or(answer, `{"kind": "Status", "reason": "NotFound", "code": 404}`))
	}))
	defer server.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cluster, err := finalizers.New(ctx, &rest.Config{Host: server.URL}, finalizers.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	target, err := cluster.Find(ctx, "configmap", "shop", "orders")
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := cluster.Why(ctx, target, finalizers.WhyOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Target, answer.Verdict)
	// Output:
	// ConfigMap shop/orders NotTerminating
}

// list is what a server says of the one kind in a version.
func list(version, name, kind string) string {
	return fmt.Sprintf(`{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": %q, "resources": [
		{"name": "%ss", "singularName": %q, "kind": %q, "namespaced": true, "verbs": ["get", "list", "watch"]}]}`,
		version, name, name, kind)
}
