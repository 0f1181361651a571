package mechanism

import (
	"context"
	"slices"
	"strings"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// reports are what the conditions of the held object say, which is another one than the Node.
func (d *drain) reports() []string {
	if d.held.Whole == nil || d.held.Is("", "Node") {
		return nil
	}
	return plugins.Field{
		Path: "{.status.conditions[*]['reason', 'message']}", Says: "condition",
	}.Values(d.held.Whole.Object)
}

// wordsOn are what the held object says of a pod, in a line of its own: * Pod NAMESPACE/NAME: WORDS.
func (d *drain) wordsOn(pod finding.Ref) string {
	for _, report := range d.reports() {
		for line := range strings.Lines(report) {
			names, words, found := strings.Cut(strings.TrimSpace(line), ": ")
			if found && naming.Mentions(names, pod.Namespace+"/"+pod.Name) {
				return words
			}
		}
	}
	return ""
}

// undetached answers for the volumes that are attached to a Node without pods, where the held object says that it waits
// for them.
func undetached(ctx context.Context, t *Tools, d *drain) (answer Answer) {
	if !slices.ContainsFunc(d.reports(), speaksOfDetaching) {
		return Answer{}
	}
	attachments, err := session.ListServed[storagev1.VolumeAttachment](
		ctx, t.Session, "storage.k8s.io", "volumeattachments", "", cluster.Selector{})
	if err != nil {
		return session.Unread(unreadKind("VolumeAttachments", ""), err)
	}
	for _, one := range attachments {
		if one.Typed.Spec.NodeName == d.node.Ref.Name {
			answer.Waits = append(answer.Waits, session.Until(one.Object, func() Answer {
				return attachmentInUse(ctx, t.Session, t.Health, one.Object, one.Typed)
			}))
		}
	}
	return answer
}

func speaksOfDetaching(words string) bool {
	words = strings.ToLower(words)
	return strings.Contains(words, "volume") && strings.Contains(words, "detach")
}
