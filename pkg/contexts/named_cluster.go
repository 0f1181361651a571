package contexts

import (
	"bytes"
	"net"
	"net/url"
	"slices"
	"strings"

	"k8s.io/client-go/tools/clientcmd/api"
)

// Sought is a cluster as an object of another cluster names it.
type Sought struct {
	Server    string // the address of its API server, if that is known
	Authority []byte // its certificate authority, if that is known too
	Name      string // by which it is known; it counts only where there is no address
}

// Leading says which contexts lead to a cluster that an object names.
type Leading struct {
	Here     bool     // it is the cluster of the object itself
	Clusters []Chosen // to which contexts lead that fit: if there are several, it is not clear which is meant
	ByName   bool     // they have its name, and nothing more is known of it
}

// Lead returns which of some contexts lead to a cluster that an object in the cluster home names. They have its
// address, and no other certificate authority; if no address is known, exactly its name, or their cluster in the
// kubeconfig has it. A similar name is another one. read reads the file of a certificate authority.
func Lead(
	config api.Config, names []string, home api.Cluster, sought Sought, read func(file string) ([]byte, error),
) (leading Leading) {
	if InCluster(sought.Server) {
		return Leading{Here: true}
	}
	if sought.Server != "" && sought.at(home, home, read) {
		return Leading{Here: true}
	}
	fitting := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		cluster := clusterOf(config, name)
		switch {
		case cluster == nil:
			return true
		case sought.Server != "":
			return !sought.at(*cluster, home, read)
		}
		return sought.Name == "" || name != sought.Name && config.Contexts[name].Cluster != sought.Name
	})
	homeIs, _ := identity(&home, read)
	leading.ByName = sought.Server == ""
	for _, chosen := range distinct(config, fitting, read) {
		if is, err := serverOf(config, chosen.Name, read); err == nil && is == homeIs {
			return Leading{Here: true}
		}
		leading.Clusters = append(leading.Clusters, chosen)
	}
	return leading
}

// at reports whether a cluster of a kubeconfig has the address that is sought, and no other authority. A loopback
// address means the machine on which it is used: that of the hub's API server is this one only if the hub is reached at
// a loopback address as well. Else only the authority tells that both are the same.
func (s Sought) at(cluster, home api.Cluster, read func(file string) ([]byte, error)) bool {
	if address(cluster.Server) != address(s.Server) {
		return false
	}
	own, wanted := authorityOf(cluster, read), bytes.TrimSpace(s.Authority)
	if len(own) > 0 && len(wanted) > 0 {
		return bytes.Equal(own, wanted)
	}
	return !loopback(s.Server) || loopback(home.Server)
}

func authorityOf(cluster api.Cluster, read func(file string) ([]byte, error)) []byte {
	if len(cluster.CertificateAuthorityData) > 0 || cluster.CertificateAuthority == "" {
		return bytes.TrimSpace(cluster.CertificateAuthorityData)
	}
	data, err := read(cluster.CertificateAuthority)
	if err != nil {
		return nil
	}
	return bytes.TrimSpace(data)
}

func clusterOf(config api.Config, name string) *api.Cluster {
	context := config.Contexts[name]
	if context == nil || config.Clusters[context.Cluster] == nil || config.Clusters[context.Cluster].Server == "" {
		return nil
	}
	return config.Clusters[context.Cluster]
}

// distinct returns the clusters to which some contexts lead, in their order: the contexts of one server are one.
func distinct(config api.Config, names []string, read func(file string) ([]byte, error)) (all []Chosen) {
	at := map[string]int{} // of the cluster, by what identifies it
	for _, name := range names {
		server, err := serverOf(config, name, read)
		if err != nil {
			server = "context " + name // connecting says what is wrong with it
		}
		i, known := at[server]
		switch {
		case !known:
			at[server] = len(all)
			all = append(all, Chosen{Name: name})
		case name == config.CurrentContext:
			all[i] = Chosen{Name: name, Also: append([]string{all[i].Name}, all[i].Also...)}
		default:
			all[i].Also = append(all[i].Also, name)
		}
	}
	return all
}

// InCluster reports whether an address is that by which every cluster's API server is known inside of it.
func InCluster(server string) bool {
	parsed, err := url.Parse(server)
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(parsed.Hostname(), "."))
	return slices.Contains([]string{"kubernetes", "kubernetes.default", "kubernetes.default.svc"}, host) ||
		strings.HasPrefix(host, "kubernetes.default.svc.")
}

func loopback(server string) bool {
	parsed, err := url.Parse(server)
	if err != nil {
		return false
	}
	host := strings.ToLower(parsed.Hostname())
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && (ip.IsLoopback() || ip.IsUnspecified())
}

// IsAddress reports whether a text is the address of an API server.
func IsAddress(text string) bool {
	parsed, err := url.Parse(text)
	if err != nil {
		return false
	}
	return (parsed.Scheme == "https" || parsed.Scheme == "http") && parsed.Hostname() != "" && parsed.Port() != "0"
}
