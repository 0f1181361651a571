package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// whyInOne is what one cluster says of the targets: the answers, and errors about the targets that it has none for.
type whyInOne struct {
	list   *result.DiagnosisList
	absent []error
	failed []error
}

// whyFleet asks several clusters about the same targets, or about everything of some types that is Terminating.
func whyFleet(ctx context.Context, o *whyOptions, f *fleet, args []string) error {
	if slices.Contains(args, "-") {
		f.done()
		return errors.New("standard input can't be used with --contexts: name the object as TYPE/NAME")
	}
	if o.isTypeAlone(args) {
		return answerList(ctx, &o.options, finalizers.JoinLists(askFleet(ctx, f,
			func(ctx context.Context, c *connection) (*result.List, error) { return listMember(ctx, o, f, c, args) })))
	}
	answers := askFleet(ctx, f, func(ctx context.Context, c *connection) (*whyInOne, error) {
		return askMember(ctx, o, f, c, args)
	})
	list := finalizers.JoinDiagnoses(diagnosesOf(answers))
	verdicts := finding.Each(list.Items, func(item result.Diagnosis) result.Verdict { return item.Verdict })
	return answerFleet(ctx, &o.options, list, list.Clusters, verdictCode(verdicts, unasked(list.Clusters)))
}

// forMember are the options for the question to one of several clusters, with its notes.
func forMember(o *whyOptions, f *fleet) *whyOptions {
	own := *o
	own.out.ErrOut = f.notes
	return &own
}

// memberNames are the contexts of several clusters: with these named, no other one is asked.
func memberNames(f *fleet) (names []string) {
	for _, member := range f.Members {
		names = append(append(names, member.Name), member.Also...)
	}
	return names
}

// listMember lists in one cluster what is Terminating of some types.
func listMember(
	ctx context.Context, o *whyOptions, f *fleet, c *connection, args []string,
) (*result.List, error) {
	own := forMember(o, f)
	kinds, err := own.kindsOf(ctx, c, args)
	if err != nil {
		return nil, missing(err)
	}
	own.prepare(c)
	namespace := own.namespace(c)
	if !slices.ContainsFunc(kinds, isNamespaced) {
		namespace = ""
	}
	list, err := c.over(c.reader).List(ctx, finalizers.ListOptions{Namespace: namespace, Kinds: kinds})
	if err == nil && len(list.Items) == 0 {
		err = notHere(ctx, c, namespace)
	}
	return list, err
}

// askMember asks one cluster about each target.
func askMember(ctx context.Context, o *whyOptions, f *fleet, c *connection, args []string) (*whyInOne, error) {
	own := forMember(o, f)
	targets, failures, err := own.resolve(ctx, c, args)
	if err != nil {
		return nil, missing(err)
	}
	if err := own.prepareAcross(c, memberNames(f)); err != nil {
		return nil, err
	}
	answer := &whyInOne{
		failed: failures,
		list:   &result.DiagnosisList{APIVersion: result.APIVersion, Kind: "DiagnosisList", Items: []result.Diagnosis{}},
	}
	for _, target := range targets {
		item, err := c.over(c.reader).Why(ctx, target, finalizers.WhyOptions{})
		switch {
		case err == nil:
			answer.list.Items = append(answer.list.Items, *item)
		case isGone(err):
			answer.absent = append(answer.absent, explainTarget(ctx, c, target, err))
		default:
			answer.failed = append(answer.failed, explainTarget(ctx, c, target, err))
		}
	}
	if len(answer.list.Items) > 0 || len(answer.absent)+len(answer.failed) == 0 {
		return answer, nil
	}
	if len(answer.failed) > 0 {
		return nil, joinTexts(answer.failed)
	}
	return nil, &finalizers.NotThereError{Err: joinTexts(answer.absent)}
}

// diagnosesOf are the answers as they are joined. A cluster without an answer about some of the targets says so.
func diagnosesOf(answers []finalizers.Answer[*whyInOne]) []finalizers.Answer[*result.DiagnosisList] {
	all := make([]finalizers.Answer[*result.DiagnosisList], len(answers))
	for i, one := range answers {
		all[i].Cluster, all[i].Err = one.Cluster, one.Err
		if one.Answer == nil {
			continue
		}
		all[i].Answer = one.Answer.list
		if left := slices.Concat(one.Answer.failed, one.Answer.absent); len(left) > 0 && one.Err == nil {
			all[i].Cluster.Error = joinTexts(left).Error()
		}
		if len(one.Answer.failed) > 0 {
			all[i].Cluster.State = result.Incomplete
		}
	}
	return all
}

// joinTexts returns one error with the texts of several, each once.
func joinTexts(all []error) error {
	var texts []string
	for _, err := range all {
		if !slices.Contains(texts, err.Error()) {
			texts = append(texts, err.Error())
		}
	}
	return errors.New(strings.Join(texts, "; "))
}
