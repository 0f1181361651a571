package zoo_test

import (
	"fmt"
	"strings"
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// checkMany makes a thousand objects stuck for one reason: that is one line and a count.
func (v *viewer) checkMany() {
	v.t.Helper()
	const many, namespace = 1000, "views-many"
	v.makeMany(many, namespace)
	var list result.List
	v.decode(&list, v.admin, "list", "-n", namespace)
	if len(list.Items) != many || len(list.RootCauses) != 1 || list.RootCauses[0].Count != many ||
		list.RootCauses[0].Frees != many {
		v.t.Errorf("%d objects, %d root causes", len(list.Items), len(list.RootCauses))
	}
	text := v.run(v.admin, "list", "-n", namespace).out
	v.show("list", "-n", namespace)
	if lines := strings.Count(text, "\n"); lines > 24 || !strings.Contains(text, "ConfigMap   "+namespace+"/c0000, ") ||
		!strings.Contains(text, "and 997 more") {
		v.t.Errorf("a thousand alike take %d lines", lines)
	}
	if rows := strings.Count(v.run(v.admin, "list", "-n", namespace, "-o", "wide").out, "\n"); rows != many+1 {
		v.t.Errorf("-o wide has %d rows", rows)
	}
	if nodes := strings.Count(v.run(v.admin, "tree", "-n", namespace).out, "\n"); nodes > 15 {
		v.t.Errorf("the forest of a thousand alike takes %d lines", nodes)
	}
}

func (v *viewer) makeMany(many int, namespace string) {
	v.t.Helper()
	config, err := v.plane.AdminConfig()
	if err != nil {
		v.t.Fatal(err)
	}
	config.QPS = -1
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		v.t.Fatal(err)
	}
	if _, err := client.CoreV1().Namespaces().Create(v.t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{}); err != nil {
		v.t.Fatal(err)
	}
	maps := client.CoreV1().ConfigMaps(namespace)
	var making sync.WaitGroup
	for part := range 8 {
		making.Go(func() {
			for i := part; i < many; i += 8 {
				name := fmt.Sprintf("c%04d", i)
				object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name,
					Finalizers: []string{"views.example.com/hold"}}}
				if _, err := maps.Create(v.t.Context(), object, metav1.CreateOptions{}); err != nil {
					v.t.Error(err)
					return
				}
				if err := maps.Delete(v.t.Context(), name, metav1.DeleteOptions{}); err != nil {
					v.t.Error(err)
					return
				}
			}
		})
	}
	making.Wait()
}
