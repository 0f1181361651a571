package attribution

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/logs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// How much is read of the logs of one controller, and told.
const (
	mostLogPods   = 3 // the leader's first, then the youngest
	mostLogParts  = 8 // containers, what they wrote before a restart included
	mostLogLines  = 2000
	mostLogBytes  = 1 << 20
	mostToldLines = 10
	longestLine   = 400
	longestWait   = 30 * time.Second // for all of them
)

// Logged is what a controller's logs say of objects, and what to do where they can't be read.
type Logged struct {
	Evidence []finding.Evidence
	Remedies []finding.Remedy
}

// logged is one part of a log, as it was read.
type logged struct {
	pod  finding.Ref
	part cluster.LogPart
	text string
	all  bool
	err  error
}

// remember keeps who was looked at as a controller, by what answers call it: its workload, and its ServiceAccount.
func (f *Finder) remember(c *candidate) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.examined[c.ref().Place()] = c
	if own := c.accountRef().Place(); c.account.Name != "" && f.examined[own] == nil {
		f.examined[own] = c
	}
}

// Logs returns the last lines in which a controller's logs name one of some objects, since a time: errors first.
// Nothing is read unless logs were requested (Finder.LogReader), and only of programs that were looked at as
// controllers. What can't be read is remembered as unreadable.
func (f *Finder) Logs(ctx context.Context, who finding.Ref, since time.Time, about []finding.Ref) (found Logged) {
	f.mu.Lock()
	c := f.examined[who.Place()]
	f.mu.Unlock()
	if f.LogReader == nil || c == nil || len(about) == 0 {
		return Logged{}
	}
	parts, _ := f.logs.Get(c, func() ([]logged, error) { return f.readLogs(ctx, c, since), nil })
	names := finding.Each(about, func(ref finding.Ref) logs.LoggedName {
		return logs.LoggedName{Kind: ref.Kind, Namespace: ref.Namespace, Name: ref.Name, UID: ref.UID}
	})
	details := finding.LogsDetails{Since: since}
	for _, part := range parts {
		if part.err != nil {
			found.Remedies = grantLogs(part.pod, part.err, found.Remedies)
			details.Unread = true
			continue
		}
		lines, all := logs.LogLines(part.text, names)
		details.Lines, details.Cut = details.Lines+all, details.Cut || !part.all || all >= mostLogLines
		for _, line := range logs.LastLines(lines, mostToldLines) {
			found.Evidence = append(found.Evidence, logEvidence(f.Session, part, line))
		}
	}
	found.Evidence = troubleFirst(found.Evidence)
	if len(found.Evidence) == 0 {
		found.Evidence = f.saysNothing(who, about[0], len(parts), details)
	}
	return found
}

// readLogs reads the last lines of a controller's containers: of its leader first, and also what they wrote before they
// were restarted. Where one can't be read, the others of its pod aren't tried.
func (f *Finder) readLogs(ctx context.Context, c *candidate, since time.Time) (parts []logged) {
	ctx, cancel := context.WithTimeout(ctx, longestWait)
	defer cancel()
	for _, pod := range c.speakers() {
		for _, part := range logParts(pod) {
			if len(parts) == mostLogParts || len(parts) > 0 && apierrors.IsForbidden(parts[len(parts)-1].err) {
				return parts
			}
			part.Since = since
			one := readLog(ctx, f.LogReader, pod, part)
			gone := apierrors.IsNotFound(one.err) || part.Previous && apierrors.IsBadRequest(one.err)
			if gone { // the pod, or what the container wrote before
				continue
			}
			parts = append(parts, one)
			if one.err != nil {
				f.Session.Reader.Failed(cluster.PodLogs(), pod.Namespace, pod.Name, one.err)
				break
			}
		}
	}
	return parts
}

// speakers are the pods of a controller whose logs are read.
func (c *candidate) speakers() []*corev1.Pod {
	pods := slices.Clone(c.pods)
	if c.workload != nil {
		pods = append(pods, ownPods(c.ended, c.workload)...)
	}
	slices.SortStableFunc(pods, func(a, b *corev1.Pod) int {
		return cmp.Or(
			session.FalseFirst(!health.HeldByPod(c.holder, a.Name), !health.HeldByPod(c.holder, b.Name)),
			session.FalseFirst(health.PodEnded(a), health.PodEnded(b)),
			b.CreationTimestamp.Compare(a.CreationTimestamp.Time),
		)
	})
	return pods[:min(len(pods), mostLogPods)]
}

// logParts are the logs that the containers of a pod have, as far as its status tells: a container that waits has none
// but that of its last run (k8s v1.37 pkg/kubelet/kubelet_pods.go:validateContainerLogStatus).
func logParts(pod *corev1.Pod) (parts []cluster.LogPart) {
	for _, status := range pod.Status.ContainerStatuses {
		part := cluster.LogPart{Container: status.Name, Lines: mostLogLines, Bytes: mostLogBytes}
		if status.State.Waiting == nil {
			parts = append(parts, part)
		}
		if status.LastTerminationState.Terminated != nil {
			part.Previous = true
			parts = append(parts, part)
		}
	}
	return parts
}

// readLog reads a part of a log. The kubelet cuts off the newest lines of what is too long, so that then fewer lines
// are asked for.
func readLog(ctx context.Context, logReader cluster.LogReader, pod *corev1.Pod, part cluster.LogPart) logged {
	one := logged{pod: session.Named(cluster.Pods(), pod.Namespace, pod.Name).Ref, part: part}
	one.pod.UID = string(pod.UID)
	for tries := 3; tries > 0 && one.err == nil && !one.all; tries-- {
		var lines []byte
		lines, one.all, one.err = logReader.Log(ctx, pod.Namespace, pod.Name, part)
		one.text = string(lines)
		part.Lines /= 8
	}
	return one
}

// logEvidence is a line as an observation. Credentials go before it is cut: half of one isn't recognized.
func logEvidence(reads *session.Session, from logged, line logs.LogLine) finding.Evidence {
	text := []rune(credential.Clean(line.Text))
	if len(text) > longestLine {
		text = append(text[:longestLine], '…')
	}
	source := fmt.Sprintf("log of %s, container %s", from.pod, from.part.Container)
	if from.part.Previous {
		source += " before its restart"
	}
	when := reads.Ago(line.At) + " ago"
	if line.Times > 1 {
		when += fmt.Sprintf(", the last of %d times", line.Times)
	}
	said := finding.Observed(source, "%s: %s", when, string(text)).Of(from.pod).When(line.At)
	said.Log = &finding.LogLine{
		Container: from.part.Container, Previous: from.part.Previous, Trouble: line.Trouble, Times: line.Times,
	}
	return said
}

// troubleFirst joins what several containers say, and keeps the last lines.
func troubleFirst(lines []finding.Evidence) []finding.Evidence {
	slices.SortStableFunc(lines, func(a, b finding.Evidence) int {
		return cmp.Or(session.FalseFirst(!a.Log.Trouble, !b.Log.Trouble), b.At.Compare(*a.At))
	})
	return lines[:min(len(lines), mostToldLines)]
}

// saysNothing is the observation that no line names the objects; nothing where not all could be read.
func (f *Finder) saysNothing(
	who, about finding.Ref, parts int, details finding.LogsDetails,
) []finding.Evidence {
	phrase := finding.Phrase{Situation: "LogsSilent", Details: details}
	switch {
	case details.Unread:
		return nil
	case parts == 0:
		phrase.Situation = "NoLogs"
	}
	details.Object = about
	phrase.Details = details
	return []finding.Evidence{{Source: "logs of " + who.String(), Observed: f.voice().Phrase(phrase)}}
}

// grantLogs adds to remedies how the right to read logs is given, where that is what is missing.
func grantLogs(pod finding.Ref, err error, remedies []finding.Remedy) []finding.Remedy {
	var status apierrors.APIStatus
	if !apierrors.IsForbidden(err) || !errors.As(err, &status) {
		return remedies
	}
	grant := finding.Remedy{Step: "GrantLogs", Risk: finding.NoRisk}
	details := finding.StepDetails{Object: &finding.Ref{APIVersion: "v1", Kind: "Namespace", Name: pod.Namespace}}
	if denied, quoted := rbac.Denied(status.Status().Message); quoted {
		details.Name = denied.User()
	}
	grant.Details = details
	if slices.ContainsFunc(remedies, grant.SameStep) {
		return remedies
	}
	return append(remedies, grant)
}
