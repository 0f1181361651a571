package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/recording"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/schema/outputs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Of so many recordings one is asked everything; what why says of each is held against the schemas by the zoo's own
// tests. Short tests leave the others out.
const (
	sample      = 5
	shortSample = 20
)

// TestRecordedOutputs holds against the schemas what every command that reads says of the zoo's recordings.
func TestRecordedOutputs(t *testing.T) {
	all, err := outputs.Open(published)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../zoo/testdata/recorded/*" + recording.Extension)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("there are no recordings")
	}
	every := sample
	if testing.Short() {
		every = shortSample
	}
	for i, file := range files {
		thorough := i%every == 0
		if !thorough && testing.Short() {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), recording.Extension), func(t *testing.T) {
			t.Parallel()
			asker{schemas: all, file: recording.File(t, file)}.askAll(t, thorough)
		})
	}
}

// asker asks a recording, and holds the answers against the schemas.
type asker struct {
	schemas outputs.Schemas
	file    string
}

// askAll asks about the whole of a recording, and about what is Terminating in it: thoroughly of three kinds, or for a
// preview of one.
func (a asker) askAll(t *testing.T, thorough bool) {
	var list result.List
	listed := a.ask(t, "list", "-A")
	if len(listed) == 0 {
		return // it is about an object that can't be read, and nothing else was asked for
	}
	if err := json.Unmarshal(listed, &list); err != nil {
		t.Fatal(err)
	}
	a.ask(t, "check", "-A")
	a.ask(t, "tree", "-A")
	asked := map[string]bool{}
	for _, item := range list.Items {
		if asked[item.Resource] || len(asked) == 3 {
			continue // of one kind, one tells the form of all
		}
		asked[item.Resource] = true
		target := []string{item.Resource + "/" + item.Target.Name}
		if item.Target.Namespace != "" {
			target = append(target, "-n", item.Target.Namespace)
		}
		if !thorough {
			a.ask(t, append([]string{"preview"}, target...)...)
			return
		}
		for _, command := range []string{"why", "tree", "preview"} {
			a.ask(t, append([]string{command}, target...)...)
		}
		for _, hold := range item.Deletion.Holds {
			if strings.Contains(hold.Name, "/") {
				a.ask(t, "explain", hold.Name)
			}
		}
	}
	for resource := range asked {
		a.ask(t, "why", resource, "-A", "-l", "!there-is.example.com/none")
		break
	}
}

// ask returns an answer: nothing where there is none, because what is asked about was not recorded.
func (a asker) ask(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, errOut bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
	cli.Execute(t.Context(), streams, append(args, "--snapshot", a.file, "-o", "json"))
	if out.Len() == 0 {
		if args[0] == "list" && !strings.Contains(errOut.String(), "nothing could be listed: the recording") {
			t.Errorf("%s: no answer\n%s", strings.Join(args, " "), errOut.String())
		}
		return nil
	}
	if err := a.schemas.Check(out.Bytes()); err != nil {
		t.Errorf("%s: %v", strings.Join(args, " "), err)
	}
	return out.Bytes()
}

// TestOtherOutputs does the same for what needs no cluster.
func TestOtherOutputs(t *testing.T) {
	all, err := outputs.Open(published)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"version"}, {"explain"}, {"explain", "foregroundDeletion", "--offline"},
		{"explain", "--kind", "PersistentVolumeClaim", "--offline"}, {"explain", "--kind", "Pod", "--offline"},
	} {
		var out, errOut bytes.Buffer
		streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
		if code := cli.Execute(t.Context(), streams, append(args, "-o", "json")); code != 0 {
			t.Errorf("%v: exit code %d\n%s", args, code, errOut.String())
		}
		if err := all.Check(out.Bytes()); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
}
