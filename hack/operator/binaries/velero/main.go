// Command velero is Velero, with a plugin beside it that its manifests fetch as an image of its own: an object store in
// a folder that steps of a scenario see.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"
	"github.com/vmware-tanzu/velero/pkg/cmd/velero"
	"github.com/vmware-tanzu/velero/pkg/plugin/framework"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// plugin is the name that the program has as a plugin, in the folder where Velero looks for plugins.
const plugin = "velero-plugin-for-folder"

func main() {
	if filepath.Base(os.Args[0]) == plugin {
		framework.NewServer().BindFlags(pflag.CommandLine).RegisterObjectStore("example.com/folder", newFolder).Serve()
		return
	}
	if len(os.Args) > 1 && os.Args[1] == "server" {
		if err := offer(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	// Pods share the network of this machine, and no flag says where these metrics are served.
	server.DefaultBindAddress = "0"
	if err := velero.NewCommand(filepath.Base(os.Args[0])).Execute(); err != nil {
		os.Exit(1)
	}
}

// offer puts the plugin where Velero looks for plugins.
func offer() error {
	err := os.Symlink(os.Args[0], filepath.Join("/plugins", plugin))
	if os.IsExist(err) {
		return nil
	}
	return err
}
