package contexts

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"strings"

	"k8s.io/client-go/tools/clientcmd/api"
)

// serverOf is the same for contexts that lead to one server: with the same address, certificate authority and TLS name,
// by the same way. Behind another proxy, an address may be another machine's.
func serverOf(config api.Config, name string, read func(file string) ([]byte, error)) (string, error) {
	context := config.Contexts[name]
	if context == nil {
		return "", fmt.Errorf("there is no context %q", name)
	}
	cluster := config.Clusters[context.Cluster]
	if cluster == nil || cluster.Server == "" {
		return "", fmt.Errorf("context %q names no cluster of the kubeconfig", name)
	}
	return identity(cluster, read)
}

// identity is the same for two descriptions of one server.
func identity(cluster *api.Cluster, read func(file string) ([]byte, error)) (string, error) {
	authority := cluster.CertificateAuthorityData
	if len(authority) == 0 && cluster.CertificateAuthority != "" {
		data, err := read(cluster.CertificateAuthority)
		if err != nil {
			return "", err
		}
		authority = data
	}
	return strings.Join([]string{
		address(cluster.Server), fmt.Sprintf("%x", sha256.Sum256([]byte(strings.TrimSpace(string(authority))))),
		cluster.TLSServerName, cluster.ProxyURL,
	}, "\n"), nil
}

// address is the same for ways to write one address: in capitals, with the usual port, with a slash at the end.
func address(server string) string {
	if !strings.Contains(server, "://") {
		server = "http://" + server // as client-go has it
	}
	parsed, err := url.Parse(server)
	if err != nil {
		return server
	}
	port := parsed.Port()
	if port == "" {
		port = map[string]string{"https": "443", "http": "80"}[strings.ToLower(parsed.Scheme)]
	}
	return strings.ToLower(parsed.Scheme) + "://" + strings.ToLower(parsed.Hostname()) + ":" + port +
		strings.TrimRight(parsed.Path, "/")
}
