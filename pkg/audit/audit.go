// Package audit looks for objects that will get stuck when they are deleted.
//
// This package may change at any time.
package audit

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Check looks for objects that will get stuck, in a namespace or with an empty one everywhere: owner references that
// the garbage collector can't honour, finalizers with bad names, finalizers that no controller can remove, and API
// groups, webhooks and conversions that don't answer. It only reads. It is an error if nothing could be listed.
func Check(
	ctx context.Context, reader cluster.Reader, namespace string, options mechanism.Options,
) (*result.Check, error) {
	return CheckWith(ctx, options.Scanning(reader), namespace)
}

// CheckWith is Check with tools that others use as well: what they have read isn't read again.
func CheckWith(ctx context.Context, tools *mechanism.Tools, namespace string) (*result.Check, error) {
	area := session.Area{Namespace: namespace}
	inventory, err := tools.Session.Inventory(ctx, area)
	if err != nil {
		return nil, err
	}
	seen := len(inventory.Owned) + len(inventory.Held)
	if err := session.NothingListed(tools.Session.Reader, area, inventory.Asked, inventory.Unlisted, seen); err != nil {
		return nil, err
	}
	servedKinds, err := tools.Session.Reader.ServedKinds(ctx)
	if err != nil {
		return nil, err
	}
	c := &checker{
		tools: tools, namespace: namespace, inventory: inventory, servedKinds: servedKinds, crowds: crowdsOf(inventory),
		found: map[string]*found{}, runs: map[string]bool{},
	}
	c.addNamespace()
	c.voice = finding.Voice{Now: tools.Session.AsOf(), Program: tools.Session.Kubectl.Program, Live: true}
	c.noteTerminating()
	session.SideBySide([]func(){
		func() { tools.Attribution.Prepare(ctx, inventory.Held) },
		func() { c.checkReferences(ctx) },
		func() { c.readSilentWebhooks(ctx) },
		func() { c.readConversions(ctx) },
	})
	c.checkCycles(ctx)
	c.checkKinds(ctx)
	c.checkFinalizers(ctx)
	c.checkControllers(ctx)
	checkSwitches(ctx, c)
	c.checkClaims(ctx)
	c.checkControlPlane(ctx)
	c.checkAPIServices(ctx)
	c.checkWebhooks(ctx)
	c.checkPolicies(ctx)
	c.checkConversions(ctx)
	answer := &result.Check{
		APIVersion: result.APIVersion, Kind: "CheckReport", GeneratedAt: result.InSeconds(c.voice.Now),
		Namespace: c.namespace, Owned: len(inventory.Owned), Held: len(inventory.Held), Notes: c.notes, Ask: c.ask,
		Doubtful: c.doubtful, Findings: c.findings(ctx), Unreadable: session.Unreadable(ctx, tools.Session.Reader),
	}
	return answer, nil
}

// noteTerminating says how many objects are stuck already, or on their way: check is about what will be.
func (c *checker) noteTerminating() {
	terminating := map[string]bool{}
	for _, object := range slices.Concat(c.inventory.Owned, c.inventory.Held) {
		if object.Terminating() {
			terminating[object.Ref.UID] = true
		}
	}
	if count := len(terminating); count > 0 {
		details := finding.StepDetails{Count: count, Name: c.namespace}
		c.note(finding.Finding{Situation: "AlreadyTerminating", Details: details})
		c.ask = c.tools.Session.Kubectl.List(c.namespace)
	}
}

type checker struct {
	tools       *mechanism.Tools
	namespace   string // empty for all
	inventory   *session.Inventory
	crowds      []*crowd // of the inventory
	servedKinds *cluster.ServedKinds
	found       map[string]*found // by key
	order       []string          // of the keys
	runs        map[string]bool   // what has a controller that is there, as far as all could be read, by dutyKey
	voice       finding.Voice
	notes       []string
	ask         finding.Command // about what is Terminating already
	doubtful    bool            // whether notes have something that is wrong, if it matters

	sends       []sending
	silent      []refusal.SilentWebhook
	conversions []*conversion
	unlistable  []cluster.Unlisted // kinds that the controller of the namespace can't list
}

// found is a finding about one object, or about several with one key.
type found struct {
	finding.Finding
	severity  result.Severity
	reference finding.Ownership // what is wrong with an owner reference
	owner     *finding.Ref      // that it names
	others    []finding.Ref
	cause     *finding.Finding // that is there already, of what will become of the object; else nil
	atFault   string           // the program that is to blame, if it is known
}

func (c *checker) add(one found) {
	if known := c.found[one.Key]; known != nil {
		known.others = append(known.others, one.Object)
		for _, step := range one.Remedies {
			known.Remedies = finding.JoinSteps(known.Remedies, step, true, false)
		}
		return
	}
	c.found[one.Key] = &one
	c.order = append(c.order, one.Key)
}

// addAnswer keeps what an answer says is wrong already, and notes what it leaves open.
func (c *checker) addAnswer(answer session.Answer) {
	for cause := range answer.AllCauses() {
		c.addCause(*cause)
	}
	for _, open := range slices.Concat(answer.Open, answer.Remarks) {
		c.note(open)
		c.doubtful = true
	}
}

func (c *checker) addCause(cause finding.Finding) {
	cause.Key = cause.Identity()
	c.add(found{severity: result.Warning, Finding: cause})
}

func (c *checker) note(situation finding.Finding) {
	c.notes = append(c.notes, c.voice.Message(situation))
}

// putTogether is how long what is known may be put together after an interrupt.
const putTogether = 200 * time.Millisecond

// findings returns what was found as a result has it: errors first, then what concerns most objects. If ctx ends
// meanwhile, there are the first of them.
func (c *checker) findings(ctx context.Context) []result.Finding {
	lasting, stop := session.Lasting(ctx, putTogether)
	defer stop()
	ranks := []result.Severity{result.Error, result.Warning, result.Info}
	findings := []result.Finding{}
	for _, key := range c.order {
		if lasting.Err() != nil {
			break
		}
		findings = append(findings, c.found[key].result(c.voice))
	}
	slices.SortStableFunc(findings, func(a, b result.Finding) int {
		return cmp.Or(
			cmp.Compare(slices.Index(ranks, a.Severity), slices.Index(ranks, b.Severity)), cmp.Compare(a.Reason, b.Reason),
			cmp.Compare(b.Count, a.Count), finding.Compare(a.Object, b.Object),
		)
	})
	return findings
}

func (f *found) result(voice finding.Voice) result.Finding {
	message := func(v finding.Voice) string {
		if f.cause != nil {
			return f.cause.GetsStuck(v, f.Object, f.Finalizer)
		}
		return v.Message(f.Finding)
	}
	asked := func(step finding.Remedy) bool { return finding.Is(step.Step, finding.AfterDeletion) } // a live object isn't
	steps := slices.DeleteFunc(slices.Clone(f.Remedies), asked)
	return result.Finding{
		Severity: f.severity, Reason: f.Reason, Situation: f.Situation, Details: f.Details, Certainty: f.Certainty,
		Object: f.Object, Others: f.others, Count: 1 + len(f.others),
		Reference: f.reference, Owner: f.owner, Finalizer: f.Finalizer, Message: message(voice),
		InShort:  voice.InShort(message),
		Evidence: result.Evidence(f.Evidence), Remedies: append([]finding.Remedy{}, voice.Remedies(steps)...),
		AtFault: f.atFault,
	}
}
