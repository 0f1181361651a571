package controlplane

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// ClusterAdmins is the group that may do everything.
const ClusterAdmins = "system:masters"

// UserKubeconfig returns the path of a new kubeconfig for a user, who needs no rights and may not
// have any. The context it selects is named contextName and has no namespace.
func (c *ControlPlane) UserKubeconfig(ctx context.Context, contextName, user string, groups ...string) (string, error) {
	c.tailOf(user, c.endOfAudit())
	data, err := c.ask(ctx, "/users", userRequest{Name: user, Groups: groups})
	if err != nil {
		return "", err
	}
	file, err := os.CreateTemp(c.Dir, "user-*.kubeconfig")
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	return file.Name(), writeKubeconfig(data, contextName, file.Name())
}

// writeKubeconfig writes a kubeconfig with one context to a file, and calls the context by another
// name.
func writeKubeconfig(data []byte, contextName, path string) error {
	config, err := clientcmd.Load(data)
	if err != nil {
		return err
	}
	config.Contexts = map[string]*clientcmdapi.Context{contextName: config.Contexts[config.CurrentContext]}
	config.CurrentContext = contextName
	return clientcmd.WriteToFile(*config, path)
}

// Grant lets a user do in one namespace, or with an empty namespace in the whole cluster, what the
// rules say.
func (c *ControlPlane) Grant(ctx context.Context, user, namespace string, rules ...rbacv1.PolicyRule) error {
	client, err := c.AdminClient()
	if err != nil {
		return err
	}
	rbac := client.RbacV1()
	subjects := []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: user}}
	name := metav1.ObjectMeta{GenerateName: filepath.Base(user) + "-"}
	if namespace == "" {
		role, err := rbac.ClusterRoles().Create(ctx, &rbacv1.ClusterRole{ObjectMeta: name, Rules: rules},
			metav1.CreateOptions{})
		if err != nil {
			return fmt.Errorf("grant to %s: %w", user, err)
		}
		ref := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name}
		_, err = rbac.ClusterRoleBindings().Create(ctx,
			&rbacv1.ClusterRoleBinding{ObjectMeta: name, Subjects: subjects, RoleRef: ref}, metav1.CreateOptions{})
		return err
	}
	role, err := rbac.Roles(namespace).Create(ctx, &rbacv1.Role{ObjectMeta: name, Rules: rules}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("grant to %s in %s: %w", user, namespace, err)
	}
	ref := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: role.Name}
	_, err = rbac.RoleBindings(namespace).Create(ctx,
		&rbacv1.RoleBinding{ObjectMeta: name, Subjects: subjects, RoleRef: ref}, metav1.CreateOptions{})
	return err
}
