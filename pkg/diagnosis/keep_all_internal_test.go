package diagnosis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// TestKeepAll looks at the first steps about two causes: they keep the data of every volume that is lost, also where no
// step about a cause releases it.
func TestKeepAll(t *testing.T) {
	retain := func(names ...string) finding.Remedy { return loss.RetainVolumes(session.Kubectl{}, names, false) }
	scale := finding.Remedy{Step: "ScaleUp"}
	for _, c := range []struct {
		name   string
		keep   []string
		causes [2][]finding.Remedy
		want   [2]string
	}{
		{
			"all are kept", []string{"a", "b"},
			[2][]finding.Remedy{{retain("a"), scale}, {retain("b")}}, [2]string{"a scale", "b"},
		},
		{"one goes by itself", []string{"a", "b"}, [2][]finding.Remedy{{retain("a"), scale}}, [2]string{"a+b scale", ""}},
		{
			"the second keeps one", []string{"a", "b"},
			[2][]finding.Remedy{{scale}, {retain("a")}}, [2]string{"a+b scale", "a+b"},
		},
		{"none is kept", []string{"a"}, [2][]finding.Remedy{{scale}, {scale}}, [2]string{"a scale", "scale"}},
		{"a step keeps one more", []string{"b"}, [2][]finding.Remedy{{retain("a"), scale}}, [2]string{"b a scale", ""}},
		{"nothing goes", nil, [2][]finding.Remedy{{scale}}, [2]string{"scale", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var keep *finding.Remedy
			if c.keep != nil {
				keep = new(retain(c.keep...))
			}
			causes := []result.RootCause{{Remedies: c.causes[0]}, {Remedies: c.causes[1]}}
			keepAll(causes, keep)
			var got [2]string
			for i, cause := range causes {
				got[i] = strings.Join(finding.Each(cause.Remedies, func(remedy finding.Remedy) string {
					if names := remedy.Retains(); len(names) > 0 {
						return strings.Join(names, "+")
					}
					return "scale"
				}), " ")
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
