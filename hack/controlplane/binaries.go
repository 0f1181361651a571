package controlplane

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// binariesEnv names the folder of the built binaries when they aren't in bin/controlplane of the
// checkout.
const binariesEnv = "CONTROLPLANE_BINARIES"

// versionEnv is the version of Kubernetes as which a control plane behaves, if it is not that of its binaries.
const versionEnv = "CONTROLPLANE_VERSION"

// Binaries are the paths of what a control plane is made of.
type Binaries struct {
	Etcd, APIServer, ControllerManager, Kubectl, Kwok, KwokStages string
}

// FindBinaries returns the built binaries. The error says how to build them.
func FindBinaries() (Binaries, error) {
	dir := os.Getenv(binariesEnv)
	if dir == "" {
		_, self, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(self), "..", "..", "bin", "controlplane")
	}
	found := Binaries{
		Etcd:              filepath.Join(dir, "etcd"),
		APIServer:         filepath.Join(dir, "kube-apiserver"),
		ControllerManager: filepath.Join(dir, "kube-controller-manager"),
		Kubectl:           filepath.Join(dir, "kubectl"),
		Kwok:              filepath.Join(dir, "kwok"),
		KwokStages:        filepath.Join(dir, "kwok-stages.yaml"),
	}
	for _, path := range []string{
		found.Etcd, found.APIServer, found.ControllerManager, found.Kubectl, found.Kwok, found.KwokStages,
	} {
		if _, err := os.Stat(path); err != nil {
			return Binaries{}, fmt.Errorf("the control plane isn't built yet, run 'make controlplane' (the first "+
				"build takes minutes): %w", err)
		}
	}
	return found, nil
}
