package finalizers_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// connects is a member that is there.
func connects(name string) finalizers.Member {
	return finalizers.Member{Name: name, Connect: func(context.Context) (*finalizers.Cluster, error) {
		return &finalizers.Cluster{}, nil
	}}
}

func states[T any](answers []finalizers.Answer[T]) string {
	var texts []string
	for _, answer := range answers {
		texts = append(texts, strings.TrimSpace(fmt.Sprintf("%s %s %s", answer.Cluster.Name, answer.Cluster.State,
			answer.Cluster.Error)))
	}
	return strings.Join(texts, "\n")
}

// TestAskEach has each cluster fail alone, and leaves behind what doesn't end.
func TestAskEach(t *testing.T) {
	t.Parallel()
	forever := make(chan struct{})
	defer close(forever)
	fleet := &finalizers.Fleet{AtOnce: 8, Limit: 300 * time.Millisecond, Members: []finalizers.Member{
		connects("well"),
		{Name: "down", Also: []string{"same"}, Connect: func(context.Context) (*finalizers.Cluster, error) {
			return nil, errors.New("refused")
		}},
		{Name: "hangs", Connect: func(context.Context) (*finalizers.Cluster, error) {
			<-forever
			return nil, errors.New("never")
		}},
		connects("slow"), connects("partly"), connects("absent"), connects("broken"),
	}}
	ask := func(ctx context.Context, i int, _ *finalizers.Cluster) (string, error) {
		switch fleet.Members[i].Name {
		case "slow":
			<-ctx.Done()
			return "", ctx.Err()
		case "partly":
			<-ctx.Done()
			return "some", nil
		case "absent":
			return "", fmt.Errorf("wrapped: %w", &finalizers.NotThereError{Err: errors.New("no such object")})
		case "broken":
			return "", errors.New("forbidden")
		}
		return "all", nil
	}
	answers := finalizers.AskEach(t.Context(), fleet, ask)
	want := `well Answered
down Failed refused
hangs Failed no answer within 300ms
slow Failed no answer within 300ms
partly Incomplete not finished within 300ms
absent NotFound wrapped: no such object
broken Failed forbidden`
	if got := states(answers); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if answers[0].Answer != "all" || answers[4].Answer != "some" || answers[1].Cluster.Also[0] != "same" {
		t.Errorf("got %v", answers)
	}
}

// TestAskEachAtOnce never asks more clusters at once than it may, and asks all of them.
func TestAskEachAtOnce(t *testing.T) {
	t.Parallel()
	fleet := &finalizers.Fleet{AtOnce: 3}
	for i := range 20 {
		fleet.Members = append(fleet.Members, connects(fmt.Sprint(i)))
	}
	var mu sync.Mutex
	now, most, begun := 0, 0, 0
	fleet.Begun = func(int) {
		mu.Lock()
		defer mu.Unlock()
		now, begun = now+1, begun+1
		most = max(most, now)
	}
	fleet.Ended = func(int) {
		mu.Lock()
		defer mu.Unlock()
		now--
	}
	answers := finalizers.AskEach(t.Context(), fleet, func(context.Context, int, *finalizers.Cluster) (int, error) {
		time.Sleep(time.Millisecond)
		return 1, nil
	})
	if most > 3 || begun != 20 || now != 0 || len(answers) != 20 {
		t.Errorf("%d at once, %d begun, %d not ended", most, begun, now)
	}
}

// TestAskEachInterrupted says what is known, and that the rest was interrupted.
func TestAskEachInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	fleet := &finalizers.Fleet{AtOnce: 2, Members: []finalizers.Member{
		connects("done"), connects("asked"), connects("waits"),
	}}
	asked := make(chan struct{})
	go func() {
		<-asked
		cancel()
	}()
	answers := finalizers.AskEach(ctx, fleet, func(ctx context.Context, i int, _ *finalizers.Cluster) (string, error) {
		switch i {
		case 0:
			return "", nil
		case 1:
			<-ctx.Done()
			return "", ctx.Err()
		}
		close(asked)
		<-ctx.Done()
		return "", nil
	})
	want := `done Answered
asked Failed interrupted before there was an answer
waits Incomplete interrupted before it was finished`
	if got := states(answers); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	answers = finalizers.AskEach(ctx, fleet, func(context.Context, int, *finalizers.Cluster) (string, error) {
		return "", errors.New("it was asked")
	})
	if got := states(answers); strings.Count(got, "Failed interrupted before it was asked") != 3 {
		t.Errorf("got\n%s", got)
	}
	list := fleet.List(ctx, finalizers.ListOptions{})
	if !result.AllFailed(list.Clusters) {
		t.Errorf("got %v", list.Clusters)
	}
}
