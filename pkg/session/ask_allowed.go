package session

import (
	"context"
	"errors"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// askAllowed returns one command for someone who may read what the user may not. What the user has read is asked for
// again, so that its output has the whole answer. It is empty where nothing was forbidden that matters.
func askAllowed(ctx context.Context, reader *cluster.CachedReader, targets []*Object) finding.Command {
	servedKinds, err := reader.ServedKinds(ctx)
	if err != nil {
		return nil
	}
	asked, swept := askAbout(servedKinds, reader.Failures(), mayNotRead, targets)
	if len(asked) == 0 && len(swept) == 0 {
		return nil
	}
	for _, read := range reader.Answered() {
		again := askedFor{resource: resourceOf(servedKinds, read), namespace: read.Namespace, name: read.Name}
		if again.wanted() && !again.searches() {
			asked = append(asked, again)
		}
	}
	for _, target := range targets {
		asked = append(asked, wholly(target)...)
		if target.Is("", "Namespace") && target.Terminating() {
			swept = append(swept, target.Ref.Name)
		}
	}
	slices.Sort(swept)
	return shellOf(withCompanions(servedKinds, asked, targets), slices.Compact(swept))
}

// mayNotRead reports whether a read was forbidden, unlike the dry run of a write.
func mayNotRead(err error) bool {
	var probe *cluster.ProbeError
	return apierrors.IsForbidden(err) && !errors.As(err, &probe)
}

// AskWhole returns one command of a shell that reads objects that are known by name alone.
func AskWhole(objects ...*Object) finding.Command {
	var asked []askedFor
	for _, one := range objects {
		if !one.Is("", "ConfigMap") { // it was not asked about what it holds
			asked = append(asked, wholly(one)...)
		}
	}
	return shellOf(asked, nil)
}

// wholly asks for an object with all that is in it, unless that is a Secret.
func wholly(one *Object) []askedFor {
	question := askedFor{resource: one.Resource, namespace: one.Ref.Namespace, name: one.Ref.Name, writers: true}
	if !question.wanted() {
		return nil
	}
	return []askedFor{question}
}
