package signs

import "time"

// The weights of signs, and all thresholds by which a controller is chosen and judged, are in this file alone.

// Kind is the kind of a fact that was read about a program, and points at it as a finalizer's controller, or away
// from it.
type Kind string

// The kinds. Names:
const (
	NamedAsSetter           Kind = "NamedAsManager"   // of a field manager that set the finalizer
	NamedLikeSetter         Kind = "NamedLikeManager" // and with other words beside
	SetFinalizer            Kind = "SetTheFinalizer"
	NamedAsUser             Kind = "NamedAsUser" // who may remove the finalizer
	NamedAsRole             Kind = "NamedAsRole"
	NamedAsKind             Kind = "NamedAsKind"
	NamedAsKindsOperator    Kind = "NamedAsKindsOperator"
	NamedAsProject          Kind = "NamedAsProject"
	NamedAsProjectsOperator Kind = "NamedAsProjectsOperator"
	NamedAsOperator         Kind = "NamedAsOperator"
	NamedAsDriver           Kind = "NamedAsDriver"
	CalledAsKind            Kind = "CalledAsKind" // by its labels and images
	CalledAsProject         Kind = "CalledAsProject"
	CalledAsOperator        Kind = "CalledAsOperator"
	NamedForOtherDuty       Kind = "NamedForOtherDuty"
)

// What a program does, is told, or was installed with:
const (
	HoldsLease        Kind = "HoldsLease"        // of the finalizer's or the kind's controller
	HoldsNamedLease   Kind = "HoldsNamedLease"   // one with a name of the project, as any program's may have
	HoldsOwnLease     Kind = "HoldsDriversLease" // one that leads to nothing but this program
	LeadsDriverBy     Kind = "LeadsDriver"       // the one by which a storage driver's sidecar leads
	AnswersFor        Kind = "AnswersFor"
	AnswersForHook    Kind = "AnswersForHook"
	BesideAnswering   Kind = "BesideAnswering"
	BesideWebhook     Kind = "BesideWebhook"
	BesideDriver      Kind = "BesideDriver"
	MentionsFinalizer Kind = "MentionsFinalizer"
	MentionsGroup     Kind = "MentionsGroup"
	MentionsClass     Kind = "MentionsClass"
	MentionsDomain    Kind = "MentionsDomain"
	NamesDriver       Kind = "NamesDriver"
	HasSidecar        Kind = "HasSidecar"
	OnlySidecar       Kind = "OnlySidecar"
	OfSameRelease     Kind = "OfSameRelease"
	OfDriversRelease  Kind = "OfDriversRelease"
	RunsOnEachNode    Kind = "RunsOnEachNode"
	MayElsewhere      Kind = "ChangesKindElsewhere"
)

// What RBAC grants specifically on the kind:
const (
	MayFinalize  Kind = "MayUpdateFinalizers"
	MayWrite     Kind = "MayUpdate"
	MayWriteOnly Kind = "MayUpdateByName" // the rule is about this kind, and not about its whole group
	MayTellState Kind = "MayUpdateStatus"
	MayWatch     Kind = "MayWatch"
)

// What the catalogue says:
const (
	InUsualNamespace     Kind = "InUsualNamespace"
	InCatalogue          Kind = "InCatalogue" // of several that share a ServiceAccount
	DescribedByName      Kind = "DescribedByName"
	DescribedByLabels    Kind = "DescribedByLabels"
	DescribedByContainer Kind = "DescribedByContainer"
	OfNamedObject        Kind = "OfNamedObject"
)

// Row is what the signs of a kind count for.
type Row struct {
	weight    int    // is added to the score of what it is about; negative if it is an objection
	setter    bool   // it ties a program to who set the finalizer
	acts      bool   // the program does, or is told, what only a controller of the finalizer or the kind does or is
	described bool   // the catalogue means this program
	ties      bool   // it ties the program to the project, as nothing does that merely has the same rights
	general   bool   // many programs that have nothing to do with the finalizer bear it too
	apart     bool   // no sentence tells it, only the table of all signs
	situation string // of the clause that tells it
}

// Thresholds of scores.
const (
	EnoughSigns = 3 // make a candidate of a program that no rights lead to
	// NameAlone is what a name that two things have in common weighs. It settles nothing.
	NameAlone = 3
	// RivalTimes says how much less may point at a rival than at the chosen one: half as much.
	RivalTimes = 2
)

// Ages. RecentWrite is how far the retries of controller-runtime and client-go back off (k8s v1.37 client-go
// util/workqueue/default_rate_limiters.go:DefaultTypedControllerRateLimiter).
const (
	FreshWrite  = 2 * time.Minute    // so young, a write shows that a controller is at work now
	RecentWrite = 1000 * time.Second // so long, a write shows that there is a controller, wherever that runs
	DriverAlive = 15 * time.Minute   // a driver's own complaint shows that it runs: sidecars try every few minutes
)

// table says what each kind of sign counts for. A sign of what a program does weighs more than one of its name, and
// who set the finalizer more than anything else but a Lease of its own. Explicit rules for finalizers outrank those for
// the kind, and these those for its whole group (docs/deletion.md#evidence-about-a-controller).
func table() map[Kind]Row {
	return map[Kind]Row{
		MayFinalize:             {weight: 32, situation: "MayUpdateFinalizersToo"},
		MayWrite:                {weight: 8, situation: "MayUpdate"},
		MayWriteOnly:            {weight: 8, situation: "MayUpdateByName"},
		MayTellState:            {weight: 8, situation: "MayUpdateStatusToo"},
		MayWatch:                {weight: 4, situation: "MayWatch"},
		NamedAsSetter:           {weight: 8, setter: true, situation: "NamedAsManager"},
		HoldsOwnLease:           {weight: 8, ties: true, situation: "HoldsDriversLease"},
		LeadsDriverBy:           {weight: 8, ties: true, situation: "HoldsDriversLease"},
		InCatalogue:             {weight: 8, apart: true, situation: "InCatalogue"},
		InUsualNamespace:        {weight: 6, ties: true, situation: "InUsualNamespace"},
		BesideWebhook:           {weight: 6, ties: true, situation: "BesideWebhook"},
		NamedAsUser:             {weight: NameAlone, situation: "NamedAsUser"},
		SetFinalizer:            {weight: 4, setter: true, situation: "SetTheFinalizer"},
		AnswersFor:              {weight: 4, acts: true, situation: "AnswersFor"},
		NamedAsRole:             {weight: 4, acts: true, situation: "NamedAsRole"},
		MentionsFinalizer:       {weight: 4, acts: true, situation: "MentionsName"},
		MentionsGroup:           {weight: 4, acts: true, situation: "MentionsName"},
		MentionsClass:           {weight: 4, acts: true, situation: "MentionsClass"},
		MayElsewhere:            {weight: 4, general: true, situation: "ChangesKindElsewhere"},
		NamesDriver:             {weight: 4, situation: "NamesDriver"},
		OfDriversRelease:        {weight: 4, situation: "OfDriversRelease"},
		HasSidecar:              {weight: 4, situation: "HasSidecar"},
		MentionsDomain:          {weight: NameAlone, situation: "MentionsName"},
		HoldsLease:              {weight: 3, acts: true, situation: "HoldsLease"},
		HoldsNamedLease:         {weight: NameAlone, situation: "HoldsLease"},
		NamedLikeSetter:         {weight: NameAlone, situation: "NamedAsManager"},
		OfSameRelease:           {weight: 3, ties: true, situation: "OfSameRelease"},
		BesideDriver:            {weight: 3, situation: "BesideDriver"},
		NamedAsKind:             {weight: 3, general: true, situation: "NamedAsKind"},
		NamedAsKindsOperator:    {weight: NameAlone, situation: "NamedAsKindsOperator"},
		NamedAsProjectsOperator: {weight: NameAlone, situation: "NamedAsProjectsOperator"},
		NamedAsDriver:           {weight: NameAlone, situation: "NamedAsDriver"},
		NamedAsProject:          {weight: 2, situation: "NamedAsProject"},
		CalledAsKind:            {weight: 2, apart: true, situation: "CalledAsKind"},
		CalledAsProject:         {weight: 1, apart: true, situation: "CalledAsProject"},
		CalledAsOperator:        {weight: 1, apart: true, situation: "CalledAsOperator"},
		NamedAsOperator:         {weight: 1, general: true, situation: "NamedAsOperator"},
		BesideAnswering:         {weight: 1, situation: "BesideAnswering"},
		OnlySidecar:             {weight: 1, situation: "OnlySidecar"},
		DescribedByName:         {described: true, situation: "DescribedByName"},
		DescribedByLabels:       {described: true, situation: "DescribedByLabels"},
		DescribedByContainer:    {described: true, situation: "DescribedByContainer"},
		OfNamedObject:           {described: true, situation: "OfNamedObject"},
		AnswersForHook:          {weight: -4, situation: "AnswersForHook"},
		NamedForOtherDuty:       {weight: -4, situation: "NamedForOtherDuty"},
		RunsOnEachNode:          {weight: -2, situation: "RunsOnEachNode"},
	}
}

// LeaseTie is what makes a Lease a candidate's.
type LeaseTie int

// The ties. What is renewed counts before what isn't, and a storage driver's own Lease before all others: its pod holds
// one for each of its duties.
const (
	NotTied      LeaseTie = 0
	TiedByName   LeaseTie = 1 // it has a name of the candidate's or of its project
	TiedByFormer LeaseTie = 3 // its holder has the name of a pod of the candidate's that is gone
	TiedByHost   LeaseTie = 4 // its holder is the Node of one of the candidate's pods
	TiedByPod    LeaseTie = 6 // its holder is one of the candidate's pods
	RenewedTie   LeaseTie = 4
	DriversTie   LeaseTie = 12
)

// ContainerRole is what a container of a controller's pod is probably there for.
type ContainerRole int

// The roles, by how much says so.
const (
	NoContainer ContainerRole = iota
	Helps                     // it answers, watches or elects for the others
	Unsettled                 // nothing shows which
	Reconciles
)

// A container that runs keeps being restarted if it was restarted often, did not run for long before it ended the last
// time, and has run for less than twice as long since. After ten minutes without a failure, the kubelet counts anew,
// too (k8s v1.37 client-go/util/flowcontrol/backoff.go:hasExpired: twice the longest back-off).
const (
	OftenRestarted = 5
	ShortestCalm   = 10 * time.Minute
	LongestRun     = time.Hour
	CalmTimes      = 2
)
