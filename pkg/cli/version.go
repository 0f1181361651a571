package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// The linker writes these into a release (-X, see .goreleaser.yaml and the Makefile). Otherwise they are
// empty, and what the Go toolchain recorded takes their place.
var (
	linkedVersion string
	linkedCommit  string
	linkedDate    string
)

// build says what this program was made from.
type build struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Version    string `json:"version"`
	Commit     string `json:"commit,omitempty"`
	Date       string `json:"date,omitempty"` // of the commit
	Go         string `json:"goVersion"`
	Platform   string `json:"platform"`
}

func newVersion(streams genericiooptions.IOStreams) *cobra.Command {
	format := ""
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of this plugin",
		Example: `  # What to put into a bug report
  kubectl finalizers version

  # For programs
  kubectl finalizers version -o json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := thisBuild()
			switch format {
			case "":
				_, err := fmt.Fprintln(streams.Out, b)
				return err
			case formatJSON:
				return report.JSON(streams.Out, b)
			case formatYAML:
				return report.YAML(streams.Out, b)
			}
			return fmt.Errorf("--output %q is not one of %s, %s", format, formatJSON, formatYAML)
		},
	}
	cmd.Flags().StringVarP(&format, "output", "o", "", "Output format: json, yaml; text when empty")
	annotateValues(cmd.Flags(), "output", formatJSON, formatYAML)
	return cmd
}

// String returns the build in one line.
func (b build) String() string {
	about := []string{b.Go, b.Platform}
	if b.Commit != "" {
		about = append([]string{"commit " + b.Commit[:min(len(b.Commit), 12)]}, about...)
	}
	return fmt.Sprintf("kubectl-finalizers %s (%s)", b.Version, strings.Join(about, ", "))
}

// thisBuild joins what the linker was told with what the Go toolchain recorded: a module's version
// where somebody ran go install, a commit where somebody built a checkout.
func thisBuild() build {
	b := build{
		APIVersion: report.APIVersion, Kind: "Version",
		Version: linkedVersion, Commit: linkedCommit, Date: linkedDate,
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

// annotateValues notes which values a flag takes, for completion.
func annotateValues(flags *pflag.FlagSet, name string, values ...string) {
	_ = flags.SetAnnotation(name, flagValues, values) // fails for flags that don't exist: it does
}
