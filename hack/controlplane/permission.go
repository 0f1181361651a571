package controlplane

import (
	"net/http"
	"net/url"
	"strings"
)

// Permission is what a request needs to be allowed: a verb and a resource, in any namespace or in none.
type Permission struct {
	Verb     string
	Group    string
	Resource string // with its subresource, if one is meant: namespaces/finalize
}

// String returns VERB RESOURCE or VERB RESOURCE.GROUP.
func (p Permission) String() string { return p.Verb + " " + p.QualifiedResource() }

// QualifiedResource returns RESOURCE or RESOURCE.GROUP.
func (p Permission) QualifiedResource() string {
	if p.Group == "" {
		return p.Resource
	}
	return p.Resource + "." + p.Group
}

// PermissionFor returns the permission that a request needs, and false when it is about no resource:
// discovery, the version, the schema (k8s v1.37 apiserver/pkg/endpoints/request/requestinfo.go:NewRequestInfo). The
// names of definitions and APIServices, as tables without objects, are read with discovery, and count as that.
func PermissionFor(method string, requestURI string) (Permission, bool) {
	parsed, err := url.Parse(requestURI)
	if err != nil || parsed.Query().Get("includeObject") == "None" {
		return Permission{}, false
	}
	parts := strings.Split(strings.Trim(parsed.Path, "/"), "/")
	var group string
	switch {
	case len(parts) > 2 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) > 3 && parts[0] == "apis":
		group, parts = parts[1], parts[3:]
	default:
		return Permission{}, false
	}
	// namespaces/NAME/RESOURCE is about that resource; namespaces/NAME, and its own subresources, about
	// the namespace.
	if parts[0] == "namespaces" && len(parts) > 2 && parts[2] != "status" && parts[2] != "finalize" {
		parts = parts[2:]
	}
	needed := Permission{Verb: verb(method, len(parts) > 1, parsed.Query()), Group: group, Resource: parts[0]}
	if len(parts) > 2 {
		needed.Resource += "/" + parts[2]
	}
	return needed, true
}

func verb(method string, named bool, query url.Values) string {
	switch method {
	case http.MethodGet, http.MethodHead:
		switch {
		case query.Get("watch") == "true" || query.Get("watch") == "1":
			return "watch"
		case named:
			return "get"
		}
		return "list"
	case http.MethodPost:
		return "create"
	case http.MethodPut:
		return "update"
	case http.MethodPatch:
		return "patch"
	case http.MethodDelete:
		if named {
			return "delete"
		}
		return "deletecollection"
	}
	return strings.ToLower(method)
}
