package print

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// mostUnread is how much that failed alike is listed one by one.
const mostUnread = 6

// unread lists what could not be looked at. What failed alike is one item where it is more than a few: in wide output
// all of it, with the first error. What was told above, with these details, is left out.
func (s *sentences) unread(list []finding.Unreadable, told ...any) {
	if list = s.untold(list, told); len(list) == 0 {
		return
	}
	defer s.w.folded("NOT LOOKED AT")()
	for _, group := range groupBy(list, failedAlike) {
		if len(group) <= mostUnread {
			for _, unreadable := range group {
				s.w.item(inCluster(unreadable)+whatUnread(unreadable)+s.becauseOf(unreadable), nil)
			}
			continue
		}
		kinds := groupBy(group, func(unreadable finding.Unreadable) string { return unreadable.Resource })
		slices.SortStableFunc(kinds, func(a, b []finding.Unreadable) int { return len(b) - len(a) })
		if s.w.style.Wide {
			text := fmt.Sprintf("%d reads (%s): %s", len(group), group[0].Why, strings.Join(finding.Each(kinds, allOf), "; "))
			s.w.item(inCluster(group[0])+text+". The first error: "+group[0].Error, nil)
			continue
		}
		text := some(kinds, readsOf, fewAlike, false, "more kinds")
		s.w.item(inCluster(group[0])+text+s.becauseOf(group[0])+"; -o wide lists them all", nil)
	}
	for _, alike := range groupBy(list, func(one finding.Unreadable) string { return one.Ask.String() }) {
		if ask := alike[0].Ask; len(ask) > 0 {
			s.w.paragraph("  ", "To see why, and what to do:", nil)
			s.w.command("    ", ask)
		}
	}
}

// untold leaves out what the answer is about: what a finding explains, and what failed with words that the evidence
// quotes.
func (s *sentences) untold(list []finding.Unreadable, told []any) []finding.Unreadable {
	if s.w.style.Wide {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(unreadable finding.Unreadable) bool {
		explains := func(details any) bool {
			explaining, is := details.(finding.Explaining)
			return is && explaining.Explains(unreadable)
		}
		return slices.ContainsFunc(told, explains) || slices.ContainsFunc(s.quoted, func(words string) bool {
			return len(words) >= shortQuote && strings.Contains(unreadable.Error, words)
		})
	})
}

// failedAlike is the same for what failed alike.
func failedAlike(u finding.Unreadable) string {
	if u.Why == finding.FailedRead { // which gives no reason
		return finding.KeyOf(u.Cluster, u.Error)
	}
	return finding.KeyOf(u.Cluster, u.Why)
}

// inCluster names the cluster, where several were asked.
func inCluster(u finding.Unreadable) string {
	if u.Cluster == "" {
		return ""
	}
	return u.Cluster + ": "
}

func whatUnread(u finding.Unreadable) string {
	text := u.Resource
	if u.Name != "" {
		text += "/" + u.Name
	}
	if u.Namespace != "" {
		text += " in " + u.Namespace
	}
	return text
}

// readsOf names some reads of one kind: pods in 3 namespaces, pods (2 objects).
func readsOf(reads []finding.Unreadable) string {
	namespaces := unique(finding.Each(reads, func(unreadable finding.Unreadable) string { return unreadable.Namespace }))
	whole := !slices.ContainsFunc(reads, func(unreadable finding.Unreadable) bool { return unreadable.Name != "" })
	switch {
	case len(reads) == 1:
		return whatUnread(reads[0])
	case len(namespaces) == 1 && namespaces[0] != "":
		return fmt.Sprintf("%s (%d objects in %s)", reads[0].Resource, len(reads), namespaces[0])
	case whole:
		return fmt.Sprintf("%s in %d namespaces", reads[0].Resource, len(namespaces))
	}
	return fmt.Sprintf("%s (%d objects)", reads[0].Resource, len(reads))
}

// allOf names all reads of one kind: pods in a, b; nodes/n1, n2; leases in kube-system/l1, l2.
func allOf(reads []finding.Unreadable) string {
	var places []string
	for _, group := range groupBy(reads, func(unreadable finding.Unreadable) string { return unreadable.Namespace }) {
		names := strings.Join(finding.Each(group, func(one finding.Unreadable) string { return one.Name }), ", ")
		switch namespace := group[0].Namespace; {
		case namespace == "" && names != "":
			places = append(places, names)
		case names != "":
			places = append(places, names+" in "+namespace)
		case namespace != "":
			places = append(places, "in "+namespace)
		}
	}
	return strings.TrimSpace(reads[0].Resource + " " + strings.Join(places, ", "))
}

func (s *sentences) becauseOf(unreadable finding.Unreadable) string {
	if s.w.style.Wide || unreadable.Why == finding.FailedRead {
		return " (" + unreadable.Why + "): " + unreadable.Error
	}
	return " (" + unreadable.Why + ")"
}

// inPart warns, after a sentence with a count, that this may leave something out.
func inPart(unreadable []finding.Unreadable) string {
	if len(unreadable) == 0 {
		return ""
	}
	return " Not everything could be read."
}

// ask writes the command that reads what an answer lacks: what manifests don't have, or what the user may not read.
func (s *sentences) ask(command finding.Command, unreadable []finding.Unreadable) {
	if len(command) == 0 {
		return
	}
	title, text := "TO COMPLETE THE ANSWER",
		"Run this where the cluster is, and give its output together with the rest. It only reads, and reads no Secrets."
	missing := func(one finding.Unreadable) bool { return one.Why == finding.NotRecordedRead }
	if !slices.ContainsFunc(unreadable, missing) && slices.ContainsFunc(unreadable, isForbidden) {
		title, text = "FOR AN ADMINISTRATOR", "Someone who may read the rest, and does not have this program, can run "+
			"this. It needs kubectl alone, only reads, and reads no Secrets. From its output, "+
			"kubectl finalizers why -f FILE answers more."
	}
	defer s.w.folded(title)()
	s.w.paragraph("  ", text, nil)
	s.w.command("    ", command)
}

func isForbidden(one finding.Unreadable) bool { return one.Why == finding.ForbiddenRead }
