package cli

import (
	"cmp"
	"runtime"
	"runtime/debug"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/spf13/cobra"
)

// The linker writes these into a release (-X, see .goreleaser.yaml and the Makefile). Otherwise they are empty.
var linkedVersion, linkedCommit, linkedDate string

func newVersion(o options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Example: `  # Print the version, for example for a bug report
  kubectl finalizers version

  # Print it as JSON
  kubectl finalizers version -o json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.out.validateOutput(); err != nil {
				return err
			}
			return o.out.print(cmd.Context(), thisBuild())
		},
	}
	o.out.addFormat(cmd.Flags(), &result.Version{})
	cmd.Flags().Bool("client", true,
		"Print the version of this program, as kubectl version --client does; there is no other")
	return cmd
}

// thisBuild joins what the linker was told with what the Go toolchain recorded: a module's version, or a commit.
func thisBuild() *result.Version {
	b := &result.Version{
		APIVersion: result.APIVersion, Kind: "Version", Version: linkedVersion, Commit: linkedCommit, Date: linkedDate,
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	if info, known := debug.ReadBuildInfo(); known {
		b.Version = cmp.Or(b.Version, info.Main.Version)
		for _, setting := range info.Settings {
			switch setting.Key {
			case "vcs.revision":
				b.Commit = cmp.Or(b.Commit, setting.Value)
			case "vcs.time":
				b.Date = cmp.Or(b.Date, setting.Value)
			}
		}
	}
	b.Version = cmp.Or(b.Version, "unknown")
	return b
}
