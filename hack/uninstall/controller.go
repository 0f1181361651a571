package uninstall

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// interval is how often a controller looks at its objects.
const interval = 150 * time.Millisecond

// Controller does what an operator's pod would do, as its ServiceAccount, as long as its Deployment wants one.
type Controller struct {
	operator Operator
	admin    dynamic.Interface // reads
	own      dynamic.Interface // writes, as the ServiceAccount
	mu       sync.Mutex
	runs     bool
}

// NewController returns the controller of an operator.
func NewController(config *rest.Config, operator Operator) (*Controller, error) {
	admin, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	account := rest.CopyConfig(config)
	account.Impersonate.UserName = fmt.Sprintf("system:serviceaccount:%[1]s-system:%[1]s", operator.Name)
	own, err := dynamic.NewForConfig(account)
	if err != nil {
		return nil, err
	}
	return &Controller{operator: operator, admin: admin, own: own}, nil
}

// Runs reports whether the controller runs now.
func (c *Controller) Runs() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.runs
}

// Run works until ctx ends. Errors are tried again, as controllers do.
func (c *Controller) Run(ctx context.Context) {
	for ctx.Err() == nil {
		runs := c.wanted(ctx)
		c.mu.Lock()
		c.runs = runs
		c.mu.Unlock()
		for _, removal := range c.operator.Removes {
			if runs {
				c.remove(ctx, removal)
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(interval):
		}
	}
}

// wanted reports whether the Deployment is there and has replicas.
func (c *Controller) wanted(ctx context.Context) bool {
	deployments := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	namespace := c.operator.Name + "-system"
	object, err := c.admin.Resource(deployments).Namespace(namespace).Get(ctx, c.operator.Name, metav1.GetOptions{})
	if err != nil || object.GetDeletionTimestamp() != nil {
		return false
	}
	replicas, _, _ := unstructured.NestedInt64(object.Object, "spec", "replicas")
	return replicas > 0
}

// remove removes a finalizer from what is being deleted, where nothing keeps that.
func (c *Controller) remove(ctx context.Context, removal Removal) {
	for _, object := range c.list(ctx, removal.Resource) {
		at := slices.Index(object.GetFinalizers(), removal.Finalizer)
		if object.GetDeletionTimestamp() == nil || at < 0 || c.keeps(ctx, removal, object) {
			continue
		}
		path := fmt.Sprintf("/metadata/finalizers/%d", at)
		patch, err := json.Marshal([]map[string]string{
			{"op": "test", "path": path, "value": removal.Finalizer}, {"op": "remove", "path": path},
		})
		if err == nil {
			_, _ = c.own.Resource(resource(removal.Resource)).Namespace(object.GetNamespace()).Patch(
				ctx, object.GetName(), types.JSONPatchType, patch, metav1.PatchOptions{FieldManager: c.operator.Name})
		}
	}
}

func (c *Controller) keeps(ctx context.Context, removal Removal, object unstructured.Unstructured) bool {
	if _, paused := object.GetAnnotations()[removal.Paused]; paused {
		return true
	}
	if use := removal.UsedBy; use != nil {
		for _, user := range c.list(ctx, use.Resource) {
			if field(user, use.Field) == object.GetName() && user.GetNamespace() == object.GetNamespace() {
				return true
			}
		}
	}
	if need := removal.Needs; need != nil {
		_, err := c.admin.Resource(resource(need.Resource)).Namespace(object.GetNamespace()).Get(
			ctx, field(object, need.Field), metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	}
	return false
}

func (c *Controller) list(ctx context.Context, name string) []unstructured.Unstructured {
	list, err := c.admin.Resource(resource(name)).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil
	}
	return list.Items
}

func field(object unstructured.Unstructured, path string) string {
	value, _, _ := unstructured.NestedString(object.Object, strings.Split(path, ".")...)
	return value
}

// resource is VERSION/PLURAL.GROUP, or VERSION/PLURAL.
func resource(name string) schema.GroupVersionResource {
	version, rest, _ := strings.Cut(name, "/")
	plural, group, _ := strings.Cut(rest, ".")
	return schema.GroupVersionResource{Group: group, Version: version, Resource: plural}
}
