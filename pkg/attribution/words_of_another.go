package attribution

import (
	"context"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// ownTrouble is the first error in the held object's status that may be about its deletion, in the controller's voice.
func ownTrouble(ctx context.Context, h *held) (statuses.Report, bool) {
	for _, report := range h.voices().own() {
		if !ofAnotherObject(ctx, h, report) && !besideDeletion(h.search.criteria.known, report) {
			return report, true
		}
	}
	return statuses.Report{}, false
}

// besideDeletion reports whether a condition doesn't speak of the deletion, where the catalogue knows that its project
// has a condition of its own for deletions, as Argo CD has DeletionError: whether an Application can be
// compared with its repository has nothing to do with that.
func besideDeletion(known *plugins.Finalizer, report statuses.Report) bool {
	if known == nil || report.Of == "" || statuses.SpeaksOfDeletion(report.Of+" "+report.Words) {
		return false
	}
	return slices.ContainsFunc(known.StatusFields, func(field plugins.Field) bool {
		name, condition := strings.CutPrefix(fieldName(field.Path), "condition ")
		return condition && name != report.Of && statuses.SpeaksOfDeletion(name)
	})
}

// ofAnotherObject reports whether a condition that has not changed since the deletion, and doesn't speak of it, is
// about other objects alone, which exist: they are well, or the held object doesn't name them. It then says nothing
// about the deletion. What is being deleted may be what the controller waits for, and what can't be read may be
// anything.
func ofAnotherObject(ctx context.Context, h *held, report statuses.Report) bool {
	if !report.Unchanged || statuses.SpeaksOfDeletion(report.Words, statuses.Names(h.object.Whole)...) {
		return false
	}
	if ofKindNotServed(ctx, h, report.Words) {
		return true
	}
	named, unread := h.search.session.NamedInWords(ctx, h.object, report.Words)
	named, clear := withSecrets(ctx, h, report.Words, named)
	return clear && len(named) > 0 && len(unread) == 0 && !slices.ContainsFunc(named, func(other *session.Object) bool {
		return other.Terminating() || concerned(h.object, other) && !well(ctx, h, other)
	})
}

// ofKindNotServed reports whether words name objects of kinds that the cluster doesn't serve: these kinds may have been
// served when they were said.
func ofKindNotServed(ctx context.Context, h *held, words string) bool {
	served := h.search.session.ServedKinds(ctx)
	if len(served.Failed) > 0 || served.Partial != nil {
		return false
	}
	kinds := served.ByWord()
	return len(statuses.Unserved(words, func(word string) bool { return len(kinds[word]) > 0 })) > 0
}

// withSecrets adds the Secrets that words name, as metadata, which nothing else reads for words. It is not clear what
// is meant if one is not there, or can't be read.
func withSecrets(
	ctx context.Context, h *held, words string, named []*session.Object,
) (all []*session.Object, clear bool) {
	for _, one := range needsInWords(h, words, h.search.session.ServedKinds(ctx).ByWord()) {
		for i, ref := range one.may {
			if one.of[i].Group != "" || one.of[i].Resource != "secrets" {
				continue
			}
			meta, err := h.search.session.Reader.Metadata(ctx, one.of[i], ref.Namespace, ref.Name)
			if err != nil {
				return named, false
			}
			named = append(named, session.FromMetadata(one.of[i], meta))
		}
	}
	return named, true
}

// concerned reports whether one of two objects names the other, or owns it.
func concerned(object, other *session.Object) bool {
	called := func(word string) bool {
		return strings.EqualFold(word, other.Resource.Kind) || strings.EqualFold(word, other.Resource.Resource)
	}
	names := func(references []statuses.Reference, ref finding.Ref) bool {
		return slices.ContainsFunc(references, func(reference statuses.Reference) bool {
			named := reference.Name == ref.Name && slices.ContainsFunc(reference.Kinds, called)
			return named || reference.UID != "" && reference.UID == ref.UID
		})
	}
	for _, owner := range object.Meta.OwnerReferences {
		if string(owner.UID) == other.Ref.UID {
			return true
		}
	}
	for _, owner := range other.Meta.OwnerReferences {
		if string(owner.UID) == object.Ref.UID {
			return true
		}
	}
	return names(statuses.References(object.Whole), other.Ref)
}

// well reports whether the conditions of an object say that it is.
func well(ctx context.Context, h *held, object *session.Object) bool {
	err := h.search.finder.ReadFields(ctx, object)
	return err == nil && object.Whole != nil && statuses.Healthy(object.Whole)
}
