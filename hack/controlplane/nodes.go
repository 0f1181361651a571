package controlplane

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

// nodeTimeout bounds how long a Node may take to be seen as ready, or as dead.
const nodeTimeout = 5 * time.Minute

// AliveNode adds a Node whose kubelet kwok plays, and returns when the Node is Ready. Pods bound to
// it start, run and stop as on a real one.
func (c *ControlPlane) AliveNode(ctx context.Context, name string) error {
	if _, err := c.ask(ctx, "/kwok/start", nil); err != nil {
		return err
	}
	return c.addNode(ctx, name, map[string]string{kwokAnnotation: "fake"}, corev1.ConditionTrue)
}

// DeadNode adds a Node without a kubelet, and returns when the node controller has noticed: its
// Ready condition is Unknown.
func (c *ControlPlane) DeadNode(ctx context.Context, name string) error {
	return c.addNode(ctx, name, nil, corev1.ConditionUnknown)
}

func (c *ControlPlane) addNode(
	ctx context.Context, name string, annotations map[string]string, ready corev1.ConditionStatus,
) error {
	client, err := c.AdminClient()
	if err != nil {
		return err
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Name: name, Annotations: annotations, Labels: map[string]string{corev1.LabelHostname: name},
	}}
	if _, err := client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("add node %s: %w", name, err)
	}
	err = wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, nodeTimeout, true,
		func(ctx context.Context) (bool, error) {
			current, err := client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return false, err
			}
			for _, condition := range current.Status.Conditions {
				if condition.Type == corev1.NodeReady && condition.Status == ready {
					return true, nil
				}
			}
			return false, nil
		})
	if err != nil {
		return fmt.Errorf("wait for node %s to become Ready=%s: %w", name, ready, err)
	}
	return nil
}
