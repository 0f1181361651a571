package finalizers

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/clusters"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Member is one of several clusters that are asked together.
type Member struct {
	Name string   // by which answers name the cluster: its context
	Also []string // other contexts of the same cluster, which answers name with it
	// Connect returns the cluster. It is called when it is the cluster's turn; ctx ends when its time is over.
	Connect func(ctx context.Context) (*Cluster, error)
}

// Fleet is several clusters that are asked side by side. The zero value of each bound is the usual one.
type Fleet struct {
	Members []Member
	AtOnce  int           // how many are asked at the same time
	Limit   time.Duration // how long each may take, from the time when it is its turn
	// Begun and Ended, if they aren't nil, are called when it is a cluster's turn, and when that is over: for several
	// clusters at once.
	Begun, Ended func(member int)
}

// The usual bounds of a Fleet.
const (
	UsualAtOnce = 16
	UsualLimit  = 30 * time.Second
)

// lastWords is how long a cluster whose time is over has to say what is known by then.
const lastWords = 2 * time.Second

// NotThereError is an answer: what was asked about doesn't exist in a cluster.
type NotThereError struct{ Err error }

// Error implements error.
func (e *NotThereError) Error() string { return e.Err.Error() }

// Unwrap returns why it isn't there.
func (e *NotThereError) Unwrap() error { return e.Err }

// Answer is what became of a question to one cluster.
type Answer[T any] = clusters.Answer[T]

// AskEach asks each cluster of a fleet, and returns what became of that, in the order of the members. Each cluster
// fails alone: what doesn't answer within its time is left behind. If ctx ends, the answers are what is known by then.
func AskEach[T any](
	ctx context.Context, f *Fleet, ask func(ctx context.Context, member int, c *Cluster) (T, error),
) []Answer[T] {
	answers := make([]Answer[T], len(f.Members))
	atOnce := f.AtOnce
	if atOnce <= 0 {
		atOnce = UsualAtOnce
	}
	turns := make(chan struct{}, atOnce)
	var asking sync.WaitGroup
	for i := range f.Members {
		select {
		case turns <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			answers[i] = failed[T](f.Members[i], errors.New("interrupted before it was asked"))
			continue
		}
		asking.Go(func() {
			defer func() { <-turns }()
			answers[i] = askOne(ctx, f, i, ask)
		})
	}
	asking.Wait()
	return answers
}

func failed[T any](member Member, err error) Answer[T] {
	return Answer[T]{Err: err, Cluster: result.Cluster{
		Name: member.Name, Also: member.Also, State: result.Unanswered, Error: err.Error(),
	}}
}

// askOne asks one cluster. What doesn't end with its context, as a program that gets credentials, is left behind.
func askOne[T any](
	ctx context.Context, f *Fleet, i int, ask func(ctx context.Context, member int, c *Cluster) (T, error),
) Answer[T] {
	if f.Begun != nil {
		f.Begun(i)
	}
	if f.Ended != nil {
		defer f.Ended(i)
	}
	limit := f.Limit
	if limit <= 0 {
		limit = UsualLimit
	}
	begun := time.Now()
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan Answer[T], 1)
	go func() { done <- connectAndAsk(limited, f.Members[i], i, ask) }()
	var answer Answer[T]
	select {
	case answer = <-done:
	case <-limited.Done():
		select {
		case answer = <-done:
		case <-time.After(lastWords):
			answer = failed[T](f.Members[i], limited.Err())
		}
	}
	inTime(ctx, limited, limit, &answer)
	answer.Cluster.Seconds = time.Since(begun).Round(time.Millisecond).Seconds()
	return answer
}

func connectAndAsk[T any](
	ctx context.Context, member Member, i int, ask func(ctx context.Context, member int, c *Cluster) (T, error),
) Answer[T] {
	c, err := member.Connect(ctx)
	if err != nil {
		return failed[T](member, err)
	}
	got, err := ask(ctx, i, c)
	if err != nil {
		answer := failed[T](member, err)
		if missing := (*NotThereError)(nil); errors.As(err, &missing) {
			answer.Cluster.State = result.NotThere
		}
		return answer
	}
	return Answer[T]{
		Answer: got, Cluster: result.Cluster{Name: member.Name, Also: member.Also, State: result.Answered},
	}
}

// inTime says of an answer that came after the cluster's time was over, or after ctx has ended, that it isn't complete.
func inTime[T any](ctx, limited context.Context, limit time.Duration, answer *Answer[T]) {
	if limited.Err() == nil {
		return
	}
	partly := answer.Err == nil
	switch {
	case ctx.Err() != nil && partly:
		answer.Err = errors.New("interrupted before it was finished")
	case ctx.Err() != nil:
		answer.Err = errors.New("interrupted before there was an answer")
	case partly:
		answer.Err = fmt.Errorf("not finished within %s", limit)
	default:
		answer.Err = fmt.Errorf("no answer within %s", limit)
	}
	answer.Cluster.Error, answer.Cluster.State = answer.Err.Error(), result.Unanswered
	if partly {
		answer.Cluster.State = result.Incomplete
	}
}

// List lists everything that is Terminating in the clusters, grouped by root cause within and across them. It is an
// answer also if no cluster could be asked (result.AllFailed).
func (f *Fleet) List(ctx context.Context, options ListOptions) *result.List {
	return clusters.Lists(AskEach(ctx, f, func(ctx context.Context, _ int, c *Cluster) (*result.List, error) {
		return c.List(ctx, options)
	}))
}

// Check finds in the clusters what will get stuck when it is deleted. It is an answer also if none could be asked.
func (f *Fleet) Check(ctx context.Context, options CheckOptions) *result.Check {
	return clusters.Checks(AskEach(ctx, f, func(ctx context.Context, _ int, c *Cluster) (*result.Check, error) {
		return c.Check(ctx, options)
	}))
}

// JoinLists joins the lists of several clusters to one. They are used up.
func JoinLists(answers []Answer[*result.List]) *result.List { return clusters.Lists(answers) }

// JoinChecks joins the reports of several clusters to one. They are used up.
func JoinChecks(answers []Answer[*result.Check]) *result.Check { return clusters.Checks(answers) }

// JoinDiagnoses joins what several clusters say of the same objects. It is used up.
func JoinDiagnoses(answers []Answer[*result.DiagnosisList]) *result.DiagnosisList {
	return clusters.Diagnoses(answers)
}

// JoinTrees joins the trees of several clusters to one. They are used up.
func JoinTrees(answers []Answer[*result.Tree]) *result.Tree { return clusters.Trees(answers) }
