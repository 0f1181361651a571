package cli

import (
	"testing"

	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
)

// TestRepeated types commands again as they were typed, with what leads to the same cluster.
func TestRepeated(t *testing.T) {
	for _, c := range []struct {
		typed []string
		want  string
	}{
		{typed: []string{"widgets", "w1", "w2", "-n", "shop"}, want: "remove widgets w1 w2 --context lab -n home"},
		{typed: []string{"cm", "-l", "app in (a, b)", "-A", "--force", "-o", "json"},
			want: "remove cm --context lab --all-namespaces --selector 'app in (a, b)'"},
		{typed: []string{"cm/a", "cm/b", "--finalizer", "a/x", "--finalizer=b/y", "--wait=false", "--timeout", "5s"},
			want: "remove cm/a cm/b --context lab -n home --finalizer a/x --finalizer b/y --timeout 5s --wait=false"},
	} {
		o, config := &removeOptions{}, genericclioptions.NewConfigFlags(true)
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		o.addTo(flags)
		config.AddFlags(flags)
		if err := flags.Parse(c.typed); err != nil {
			t.Fatal(err)
		}
		connection := &connection{namespace: "home", options: mechanism.Options{Flags: []string{"--context", "lab"}}}
		got := repeated(connection, config, flags, append([]string{"remove"}, flags.Args()...), "force", "output")
		if finding.Command(got).String() != c.want {
			t.Errorf("%v: got\n%s\nwant\n%s", c.typed, got, c.want)
		}
	}
}
