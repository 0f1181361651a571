package diagnosis

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// TreeOptions say how much of a tree is drawn.
type TreeOptions struct {
	mechanism.Options
	Everywhere bool     // look for dependents in all namespaces
	Depth      int      // steps from the target; 0 is no bound
	Labels     []string // to show
}

// mostReferences bounds how many owners outside the tree are looked at.
const mostReferences = 64

// Tree returns a target with its owners above and its dependents below, and of all that is Terminating
// among them what it waits for. It only reads.
func Tree(ctx context.Context, reader cluster.Reader, asked session.Target, options TreeOptions) (*result.Tree, error) {
	tools := options.Scanning(reader)
	object, contents, err := readWithContents(ctx, tools, asked, options)
	if err != nil {
		return nil, err
	}
	t := newTree(tools, options)
	t.add(object)
	if err := t.descend(ctx, object); err != nil {
		return nil, err
	}
	t.ascend(ctx, object)
	t.addOtherOwners(ctx)
	answer := t.finish(ctx)
	answer.Target = &answer.Nodes[target].Ref
	answer.Ask = tools.Session.Kubectl.Why(object)
	if object.Terminating() {
		answer.Verdict = t.run.groups.fateOf(object).verdict
	}
	if asked.Namespace != "" && !options.Everywhere {
		answer.LeftOut = "Dependents in other namespaces were not looked for (use -A)."
	}
	if contents != nil {
		answer.Contents, answer.LeftOut = contents.kinds, contents.leftOut()
	}
	return answer, nil
}

// readWithDependents reads the target, and meanwhile who refers to what where its dependents may be. Where the
// target can't be read, that is broken off.
func readWithDependents(
	ctx context.Context, tools *mechanism.Tools, asked session.Target, options TreeOptions,
) (object *session.Object, err error) {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	session.SideBySide([]func(){
		func() {
			mechanism.Expect(reading, tools.Session, asked.Namespace, options.Everywhere || asked.Namespace == "")
		},
		func() {
			if object, err = tools.ReadTarget(ctx, asked); err != nil {
				stop()
			}
		},
	})
	return object, err
}

// Forest returns everything Terminating in a namespace, or with an empty one in all, and what of it waits for what.
// It is an error if nothing could be listed.
func Forest(ctx context.Context, reader cluster.Reader, namespace string, options TreeOptions) (*result.Tree, error) {
	tools := options.Scanning(reader)
	objects, err := scan(ctx, tools, session.Area{Namespace: namespace}, true)
	if err != nil {
		return nil, err
	}
	t := newTree(tools, options)
	for _, object := range tools.Session.Refetch(ctx, objects) {
		t.add(object)
	}
	for _, object := range t.objects {
		for _, reference := range object.Meta.OwnerReferences {
			if owner, known := t.byUID[string(reference.UID)]; known {
				t.own(owner, object, reference, mechanism.JudgeOwner(ctx, tools.Session, object, reference, owner.Ref))
			}
		}
	}
	answer := t.finish(ctx)
	answer.Namespace, answer.Ask = namespace, tools.Session.Kubectl.List(namespace)
	return answer, nil
}

type tree struct {
	tools     *mechanism.Tools
	options   TreeOptions
	run       *run              // its graph is the tree's
	objects   []*session.Object // that were read
	byUID     map[string]*session.Object
	inventory map[string]*session.Inventory // by namespace
	shown     map[[2]string]bool            // owner references, by uids
	blocks    map[[2]int]bool
	flaws     map[[2]int]finding.Ownership
}

func newTree(tools *mechanism.Tools, options TreeOptions) *tree {
	return &tree{
		tools: tools, options: options, run: newRun(tools), byUID: map[string]*session.Object{},
		inventory: map[string]*session.Inventory{}, shown: map[[2]string]bool{},
		blocks: map[[2]int]bool{}, flaws: map[[2]int]finding.Ownership{},
	}
}

// add puts an object into the tree, and reports whether it is new there.
func (t *tree) add(object *session.Object) bool {
	t.run.found.add(object)
	if object.Meta == nil || t.byUID[object.Ref.UID] != nil {
		return false
	}
	t.byUID[object.Ref.UID] = object
	t.objects = append(t.objects, object)
	return true
}

func (t *tree) own(owner, dependent *session.Object, reference metav1.OwnerReference, state finding.Ownership) {
	from, to := t.run.found.graph.Add(owner.Ref), t.run.found.graph.Add(dependent.Ref)
	t.run.found.graph.Link(graph.Edge{From: from, To: to, Type: finding.Owns})
	t.shown[[2]string{string(reference.UID), dependent.Ref.UID}] = true
	if reference.BlockOwnerDeletion != nil && *reference.BlockOwnerDeletion {
		t.blocks[[2]int{from, to}] = true
	}
	if state != finding.Honoured {
		t.flaws[[2]int{from, to}] = state
	}
}

func (t *tree) within(depth int) bool { return t.options.Depth <= 0 || depth < t.options.Depth }

func (t *tree) descend(ctx context.Context, top *session.Object) error {
	level := []*session.Object{top}
	for depth := 0; len(level) > 0 && t.within(depth); depth++ {
		var next []*session.Object
		for _, owner := range level {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			dependents, err := mechanism.Dependents(
				ctx, t.tools.Session, owner, t.options.Everywhere || owner.Ref.Namespace == "",
			)
			if err != nil {
				return err
			}
			for _, dependent := range dependents {
				if t.add(dependent.Object) {
					next = append(next, dependent.Object)
				}
				t.own(owner, dependent.Object, dependent.Reference, dependent.State)
			}
		}
		level = next
	}
	return nil
}

func (t *tree) ascend(ctx context.Context, bottom *session.Object) {
	level, seen := []*session.Object{bottom}, map[string]bool{}
	for depth := 0; len(level) > 0 && t.within(depth); depth++ {
		var next []*session.Object
		for _, object := range level {
			if seen[object.Ref.UID] {
				continue
			}
			seen[object.Ref.UID] = true
			for _, owner := range t.owners(ctx, object) {
				t.addOwner(object, owner)
				if owner.State == finding.Honoured && owner.Owner.Meta != nil {
					next = append(next, owner.Owner)
				}
			}
		}
		level = next
	}
}

func (t *tree) addOwner(object *session.Object, owner ownership.Judged) {
	t.add(owner.Owner)
	t.own(owner.Owner, object, owner.Reference, owner.State)
}

// owners reads the owners of an object. If one doesn't exist, it looks whether its uid is that of something else in the
// namespace: the reference then has a wrong kind or name.
func (t *tree) owners(ctx context.Context, object *session.Object) []ownership.Judged {
	owners := mechanism.Owners(ctx, t.tools, object)
	for i, owner := range owners {
		if owner.State != finding.OwnerAbsent || object.Ref.Namespace == "" {
			continue
		}
		inventory, known := t.inventory[object.Ref.Namespace]
		if !known {
			inventory, _ = t.tools.Session.Inventory(ctx, session.Area{Namespace: object.Ref.Namespace})
			t.inventory[object.Ref.Namespace] = inventory
		}
		if inventory == nil {
			continue
		}
		if real, found := inventory.Find(owner.Owner.Ref.UID); found {
			owners[i].State, owners[i].Owner = mechanism.JudgeOwner(
				ctx, t.tools.Session, object, owner.Reference, real.Ref,
			), real
		}
	}
	return owners
}

// addOtherOwners looks at the owners of the dependents that are not part of the tree: what is wrong with
// one reference keeps the garbage collector from judging any.
func (t *tree) addOtherOwners(ctx context.Context) {
	looked := 0
	for _, object := range slices.Clone(t.objects) {
		unlinked := func(reference metav1.OwnerReference) bool { return !t.linked(object, reference) }
		if !slices.ContainsFunc(object.Meta.OwnerReferences, unlinked) || looked >= mostReferences {
			continue
		}
		for _, owner := range t.owners(ctx, object) {
			looked++
			if !t.linked(object, owner.Reference) {
				t.addOwner(object, owner)
			}
		}
	}
}

func (t *tree) linked(dependent *session.Object, reference metav1.OwnerReference) bool {
	return t.shown[[2]string{string(reference.UID), dependent.Ref.UID}]
}
