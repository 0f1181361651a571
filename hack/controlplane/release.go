package controlplane

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"

	"k8s.io/apimachinery/pkg/util/version"
)

// release is a version of Kubernetes that a control plane is, or behaves as.
type release struct {
	*version.Version
	// emulated says that newer binaries behave as this version: they serve its APIs and have its feature gates, and
	// their own code (k8s v1.37 component-base/compatibility).
	emulated bool
}

// releaseOf returns the release of the built binaries, or the one as which they behave: 1.34. Emulation is refused if
// the binaries are too old for it, or are older themselves.
func releaseOf(apiServer, asked string) (release, error) {
	said, err := exec.Command(apiServer, "--version").Output()
	if err != nil {
		return release{}, fmt.Errorf("ask %s for its version: %w", apiServer, err)
	}
	built, err := version.ParseGeneric(regexp.MustCompile(`\d+\.\d+`).FindString(string(said)))
	if err != nil || asked == "" {
		return release{Version: built}, err
	}
	wanted, err := version.ParseGeneric(asked)
	switch {
	case err != nil:
		return release{}, err
	case wanted.EqualTo(built):
		return release{Version: built}, nil
	case built.LessThan(wanted) || built.LessThan(version.MustParseGeneric("1.31")):
		return release{}, fmt.Errorf("a control plane of Kubernetes %s can't behave as %s", built, wanted)
	}
	return release{Version: wanted, emulated: true}, nil
}

// knowsPodGroups reports whether the gate of PodGroup's protection can be switched on.
func (r release) knowsPodGroups() bool { return r.AtLeast(version.MustParseGeneric("1.37")) }

// Version returns the version of Kubernetes as which control planes behave where Options don't say: 1.37.
func Version() (string, error) {
	found, err := FindBinaries()
	if err != nil {
		return "", err
	}
	as, err := releaseOf(found.APIServer, os.Getenv(versionEnv))
	if err != nil {
		return "", err
	}
	return as.String(), nil
}
