package cluster

// ServiceAccounts returns the resource of ServiceAccounts.
func ServiceAccounts() Resource { return core("serviceaccounts", "ServiceAccount", true) }

// Roles returns the resource of Roles.
func Roles() Resource { return grouped("rbac.authorization.k8s.io", "v1", "roles", "Role", true) }

// ClusterRoles returns the resource of ClusterRoles.
func ClusterRoles() Resource {
	return grouped("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole", false)
}

// RoleBindings returns the resource of RoleBindings.
func RoleBindings() Resource {
	return grouped("rbac.authorization.k8s.io", "v1", "rolebindings", "RoleBinding", true)
}

// ClusterRoleBindings returns the resource of ClusterRoleBindings.
func ClusterRoleBindings() Resource {
	return grouped("rbac.authorization.k8s.io", "v1", "clusterrolebindings", "ClusterRoleBinding", false)
}
