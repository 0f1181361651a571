package contexts

import (
	"encoding/base64"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd/api"
)

// Profile is a cluster in the inventory of a hub: a ClusterProfile of multicluster.x-k8s.io.
type Profile struct {
	Name    string
	Servers []api.Cluster // by which the cluster can be reached, as far as the object says
}

// ProfileOf reads a ClusterProfile. No credentials are in it, and none are looked for.
func ProfileOf(object *unstructured.Unstructured) Profile {
	profile := Profile{Name: object.GetName()}
	for _, field := range []string{"accessProviders", "credentialProviders"} { // the newer and the older name
		providers, _, _ := unstructured.NestedSlice(object.Object, "status", field)
		for _, provider := range providers {
			fields, _ := provider.(map[string]any)
			server, _, _ := unstructured.NestedString(fields, "cluster", "server")
			if server == "" {
				continue
			}
			authority, _, _ := unstructured.NestedString(fields, "cluster", "certificate-authority-data")
			data, _ := base64.StdEncoding.DecodeString(authority)
			name, _, _ := unstructured.NestedString(fields, "cluster", "tls-server-name")
			proxy, _, _ := unstructured.NestedString(fields, "cluster", "proxy-url")
			profile.Servers = append(profile.Servers, api.Cluster{
				Server: server, CertificateAuthorityData: data, TLSServerName: name, ProxyURL: proxy,
			})
		}
	}
	return profile
}

// ContextOf returns the context of a kubeconfig that leads to the cluster of a profile, or nothing. It has the address
// and the certificate authority that the profile gives; if it gives none, the context has the profile's name.
func ContextOf(config api.Config, profile Profile, read func(file string) ([]byte, error)) string {
	if len(profile.Servers) == 0 {
		if _, named := config.Contexts[profile.Name]; named {
			return profile.Name
		}
		return ""
	}
	names := slices.Sorted(maps.Keys(config.Contexts))
	if at := slices.Index(names, config.CurrentContext); at > 0 { // of several, the current one
		names[0], names[at] = names[at], names[0]
	}
	for _, server := range profile.Servers {
		if name := ContextFor(config, names, server, read); name != "" {
			return name
		}
	}
	return ""
}

// ContextFor returns the first of some contexts that leads to a server, or nothing.
func ContextFor(
	config api.Config, names []string, server api.Cluster, read func(file string) ([]byte, error),
) string {
	wanted, err := identity(&server, read)
	if err != nil {
		return ""
	}
	for _, name := range names {
		if is, err := serverOf(config, name, read); err == nil && is == wanted {
			return name
		}
	}
	return ""
}
