package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/contexts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// fleet is the clusters that are asked side by side, with a connection of its own to each.
type fleet struct {
	finalizers.Fleet
	connections []*connection // by member, after it has connected: only the question to that member sees it
	notes       *onceWriter   // what is said beside the answers
	done        func()        // takes the line of progress away, and says the notes
}

// openFleet returns the clusters that --contexts names, or those of a recording of several: nil if there is neither.
// Nothing is asked yet, but the hub of --cluster-profiles. The fleet's done must be called.
func openFleet(ctx context.Context, o *options, flags *pflag.FlagSet) (*fleet, error) {
	asked, err := o.several.asked(flags)
	switch {
	case err != nil:
		return nil, err
	case !asked && len(o.snapshots) > 0 && *o.config.Context == "":
		opened, err := openSnapshots(ctx, o)
		if err != nil || opened.Several == nil {
			return nil, err
		}
		return recordedFleet(ctx, o, opened.Several)
	case !asked:
		return nil, nil
	}
	if err := cluster.CheckName(*o.config.Namespace, ""); err != nil {
		return nil, err
	}
	known, err := o.loadPlugins()
	if err != nil {
		return nil, err
	}
	loader, chosen, unknown, err := chooseClusters(ctx, o)
	if err != nil {
		return nil, err
	}
	f := newFleet(o, len(chosen)+len(unknown))
	for i, one := range chosen {
		f.Members = append(f.Members, finalizers.Member{
			Name: one.Name, Also: one.Also, Connect: connectMember(o, f, i, loader, one, known),
		})
	}
	f.Members = append(f.Members, unknownMembers(unknown)...)
	f.tell(o.out.ErrOut)
	return f, nil
}

func newFleet(o *options, members int) *fleet {
	return &fleet{
		Fleet:       finalizers.Fleet{AtOnce: o.several.atOnce, Limit: o.several.limit},
		connections: make([]*connection, members), notes: &onceWriter{out: o.out.ErrOut},
	}
}

// tell begins to tell how far the questions are, until done is called.
func (f *fleet) tell(errOut io.Writer) {
	stop := f.tellProgress(errOut)
	f.done = sync.OnceFunc(func() {
		stop()
		f.notes.flush()
	})
}

// connectMember returns what connects to a member.
func connectMember(
	o *options, f *fleet, i int, loader clientcmd.ClientConfig, chosen contexts.Chosen, known *plugins.Set,
) func(context.Context) (*finalizers.Cluster, error) {
	return func(ctx context.Context) (*finalizers.Cluster, error) {
		c, err := connectContext(ctx, o, loader, flagsFor(o.config, chosen.Name), nil)
		if err != nil {
			return nil, err
		}
		c.options.Plugins, c.options.Program = known, o.program
		f.connections[i] = c
		return c.over(c.reader), nil
	}
}

// connectContext connects by the context that flags name, without questions to people. before is what was served when
// it was asked before, or nil.
func connectContext(
	ctx context.Context, o *options, loader clientcmd.ClientConfig, flags *genericclioptions.ConfigFlags,
	before *cluster.ServedKinds,
) (*connection, error) {
	raw, err := loader.RawConfig()
	if err != nil {
		return nil, explainConfig(err)
	}
	own, err := loaderFor(raw, flags, loader.ConfigAccess())
	if err != nil {
		return nil, err
	}
	c, err := connectBy(ctx, flags, own, before, withoutPrompts)
	if err == nil && o.time.Now != nil {
		c.live.UseClock(o.time.Now)
	}
	return c, err
}

// askFleet asks each cluster of a fleet through its connection.
func askFleet[T any](
	ctx context.Context, f *fleet, ask func(context.Context, *connection) (T, error),
) []finalizers.Answer[T] {
	defer f.done()
	return finalizers.AskEach(ctx, &f.Fleet, func(ctx context.Context, i int, _ *finalizers.Cluster) (T, error) {
		return ask(ctx, f.connections[i])
	})
}

// tellProgress says on a terminal, after a second, how many clusters have answered, and which are being asked.
func (f *fleet) tellProgress(errOut io.Writer) (stop func()) {
	if !isTerminal(errOut) {
		return func() {}
	}
	return f.progress(errOut)
}

func (f *fleet) progress(errOut io.Writer) (stop func()) {
	var mu sync.Mutex
	var asking []int
	ended := 0
	f.Begun = func(member int) {
		mu.Lock()
		defer mu.Unlock()
		asking = append(asking, member)
	}
	f.Ended = func(member int) {
		mu.Lock()
		defer mu.Unlock()
		ended++
		asking = slices.DeleteFunc(asking, func(other int) bool { return other == member })
	}
	return tell(errOut, func() string {
		mu.Lock()
		defer mu.Unlock()
		text := fmt.Sprintf("asked %d of %d clusters", ended, len(f.Members))
		if len(asking) > 0 {
			text += "; waiting for " + f.named(asking)
		}
		return text
	})
}

// named names a few members.
func (f *fleet) named(members []int) string {
	const few = 3
	var names []string
	for _, member := range members[:min(few, len(members))] {
		names = append(names, f.Members[member].Name)
	}
	text := strings.Join(names, ", ")
	if more := len(members) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// onceWriter keeps what several write at once, each text once, until it is flushed. After that it takes no more.
type onceWriter struct {
	out io.Writer

	mu      sync.Mutex
	texts   []string
	flushed bool
}

// Write implements io.Writer.
func (w *onceWriter) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.flushed && !slices.Contains(w.texts, string(text)) {
		w.texts = append(w.texts, string(text))
	}
	return len(text), nil
}

func (w *onceWriter) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flushed = true
	for _, text := range w.texts {
		_, _ = io.WriteString(w.out, text)
	}
}
