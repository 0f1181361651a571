package result

import (
	"fmt"
	"strings"
)

// Version says what this program was made from.
type Version struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Version    string `json:"version"`
	Commit     string `json:"commit,omitempty"`
	Date       string `json:"date,omitempty"` // of the commit
	Go         string `json:"goVersion"`
	Platform   string `json:"platform"`
}

// String returns the version in one line.
func (v *Version) String() string {
	about := []string{v.Go, v.Platform}
	if v.Commit != "" {
		about = append([]string{"commit " + v.Commit[:min(len(v.Commit), 12)]}, about...)
	}
	return fmt.Sprintf("kubectl-finalizers %s (%s)", v.Version, strings.Join(about, ", "))
}
