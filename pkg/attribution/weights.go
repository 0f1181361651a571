package attribution

import "time"

// The weights of signs, and all thresholds by which a controller is chosen and judged, are in this file alone.

// signKind is the kind of a fact that was read about a program, and points at it as a finalizer's controller, or away
// from it.
type signKind string

// The kinds. Names:
const (
	namedAsSetter           signKind = "NamedAsManager"   // of a field manager that set the finalizer
	namedLikeSetter         signKind = "NamedLikeManager" // and with other words beside
	setFinalizer            signKind = "SetTheFinalizer"
	namedAsUser             signKind = "NamedAsUser" // who may remove the finalizer
	namedAsRole             signKind = "NamedAsRole"
	namedAsKind             signKind = "NamedAsKind"
	namedAsKindsOperator    signKind = "NamedAsKindsOperator"
	namedAsProject          signKind = "NamedAsProject"
	namedAsProjectsOperator signKind = "NamedAsProjectsOperator"
	namedAsOperator         signKind = "NamedAsOperator"
	namedAsDriver           signKind = "NamedAsDriver"
	calledAsKind            signKind = "CalledAsKind" // by its labels and images
	calledAsProject         signKind = "CalledAsProject"
	calledAsOperator        signKind = "CalledAsOperator"
	namedForOtherDuty       signKind = "NamedForOtherDuty"
)

// What a program does, is told, or was installed with:
const (
	holdsLease        signKind = "HoldsLease"        // of the finalizer's or the kind's controller
	holdsNamedLease   signKind = "HoldsNamedLease"   // one with a name of the project, as any program's may have
	holdsOwnLease     signKind = "HoldsDriversLease" // one that leads to nothing but this program
	leadsDriverBy     signKind = "LeadsDriver"       // the one by which a storage driver's sidecar leads
	answersFor        signKind = "AnswersFor"
	answersForHook    signKind = "AnswersForHook"
	besideAnswering   signKind = "BesideAnswering"
	besideWebhook     signKind = "BesideWebhook"
	besideDriver      signKind = "BesideDriver"
	mentionsFinalizer signKind = "MentionsFinalizer"
	mentionsGroup     signKind = "MentionsGroup"
	mentionsDomain    signKind = "MentionsDomain"
	namesDriver       signKind = "NamesDriver"
	hasSidecar        signKind = "HasSidecar"
	onlySidecar       signKind = "OnlySidecar"
	ofSameRelease     signKind = "OfSameRelease"
	ofDriversRelease  signKind = "OfDriversRelease"
	runsOnEachNode    signKind = "RunsOnEachNode"
	mayElsewhere      signKind = "ChangesKindElsewhere"
)

// What RBAC grants specifically on the kind:
const (
	mayFinalize  signKind = "MayUpdateFinalizers"
	mayWrite     signKind = "MayUpdate"
	mayWriteOnly signKind = "MayUpdateByName" // the rule is about this kind, and not about its whole group
	mayTellState signKind = "MayUpdateStatus"
	mayWatch     signKind = "MayWatch"
)

// What the catalogue says:
const (
	inUsualNamespace     signKind = "InUsualNamespace"
	inCatalogue          signKind = "InCatalogue" // of several that share a ServiceAccount
	describedByName      signKind = "DescribedByName"
	describedByLabels    signKind = "DescribedByLabels"
	describedByContainer signKind = "DescribedByContainer"
)

// signRow is what the signs of a kind count for.
type signRow struct {
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
	enoughSigns = 3 // make a candidate of a program that no rights lead to
	// nameAlone is what a name that two things have in common weighs. It settles nothing.
	nameAlone = 3
	// rivalTimes says how much less may point at a rival than at the chosen one: half as much.
	rivalTimes = 2
)

// Ages. recentWrite is how far the retries of controller-runtime and client-go back off (k8s v1.37 client-go
// util/workqueue/default_rate_limiters.go:DefaultTypedControllerRateLimiter).
const (
	freshWrite  = 2 * time.Minute    // so young, a write shows that a controller is at work now
	recentWrite = 1000 * time.Second // so long, a write shows that there is a controller, wherever that runs
	DriverAlive = 15 * time.Minute   // a driver's own complaint shows that it runs: sidecars try every few minutes
)

// signTable says what each kind of sign counts for. A sign of what a program does weighs more than one of its name, and
// who set the finalizer more than anything else but a Lease of its own. Explicit rules for finalizers outrank those for
// the kind, and these those for its whole group (docs/deletion.md#evidence-about-a-controller).
func signTable() map[signKind]signRow {
	return map[signKind]signRow{
		mayFinalize:             {weight: 32, situation: "MayUpdateFinalizersToo"},
		mayWrite:                {weight: 8, situation: "MayUpdate"},
		mayWriteOnly:            {weight: 8, situation: "MayUpdateByName"},
		mayTellState:            {weight: 8, situation: "MayUpdateStatusToo"},
		mayWatch:                {weight: 4, situation: "MayWatch"},
		namedAsSetter:           {weight: 8, setter: true, situation: "NamedAsManager"},
		holdsOwnLease:           {weight: 8, ties: true, situation: "HoldsDriversLease"},
		leadsDriverBy:           {weight: 8, ties: true, situation: "HoldsDriversLease"},
		inCatalogue:             {weight: 8, apart: true, situation: "InCatalogue"},
		inUsualNamespace:        {weight: 6, ties: true, situation: "InUsualNamespace"},
		besideWebhook:           {weight: 6, ties: true, situation: "BesideWebhook"},
		namedAsUser:             {weight: nameAlone, situation: "NamedAsUser"},
		setFinalizer:            {weight: 4, setter: true, situation: "SetTheFinalizer"},
		answersFor:              {weight: 4, acts: true, situation: "AnswersFor"},
		namedAsRole:             {weight: 4, acts: true, situation: "NamedAsRole"},
		mentionsFinalizer:       {weight: 4, acts: true, situation: "MentionsName"},
		mentionsGroup:           {weight: 4, acts: true, situation: "MentionsName"},
		mayElsewhere:            {weight: 4, general: true, situation: "ChangesKindElsewhere"},
		namesDriver:             {weight: 4, situation: "NamesDriver"},
		ofDriversRelease:        {weight: 4, situation: "OfDriversRelease"},
		hasSidecar:              {weight: 4, situation: "HasSidecar"},
		mentionsDomain:          {weight: nameAlone, situation: "MentionsName"},
		holdsLease:              {weight: 3, acts: true, situation: "HoldsLease"},
		holdsNamedLease:         {weight: nameAlone, situation: "HoldsLease"},
		namedLikeSetter:         {weight: nameAlone, situation: "NamedAsManager"},
		ofSameRelease:           {weight: 3, ties: true, situation: "OfSameRelease"},
		besideDriver:            {weight: 3, situation: "BesideDriver"},
		namedAsKind:             {weight: 3, general: true, situation: "NamedAsKind"},
		namedAsKindsOperator:    {weight: nameAlone, situation: "NamedAsKindsOperator"},
		namedAsProjectsOperator: {weight: nameAlone, situation: "NamedAsProjectsOperator"},
		namedAsDriver:           {weight: nameAlone, situation: "NamedAsDriver"},
		namedAsProject:          {weight: 2, situation: "NamedAsProject"},
		calledAsKind:            {weight: 2, apart: true, situation: "CalledAsKind"},
		calledAsProject:         {weight: 1, apart: true, situation: "CalledAsProject"},
		calledAsOperator:        {weight: 1, apart: true, situation: "CalledAsOperator"},
		namedAsOperator:         {weight: 1, general: true, situation: "NamedAsOperator"},
		besideAnswering:         {weight: 1, situation: "BesideAnswering"},
		onlySidecar:             {weight: 1, situation: "OnlySidecar"},
		describedByName:         {described: true, situation: "DescribedByName"},
		describedByLabels:       {described: true, situation: "DescribedByLabels"},
		describedByContainer:    {described: true, situation: "DescribedByContainer"},
		answersForHook:          {weight: -4, situation: "AnswersForHook"},
		namedForOtherDuty:       {weight: -4, situation: "NamedForOtherDuty"},
		runsOnEachNode:          {weight: -2, situation: "RunsOnEachNode"},
	}
}

// leaseTie is what makes a Lease a candidate's.
type leaseTie int

// The ties. What is renewed counts before what isn't, and a storage driver's own Lease before all others: its pod holds
// one for each of its duties.
const (
	notTied      leaseTie = 0
	tiedByName   leaseTie = 1 // it has a name of the candidate's or of its project
	tiedByFormer leaseTie = 3 // its holder has the name of a pod of the candidate's that is gone
	tiedByHost   leaseTie = 4 // its holder is the Node of one of the candidate's pods
	tiedByPod    leaseTie = 6 // its holder is one of the candidate's pods
	renewedTie   leaseTie = 4
	driversTie   leaseTie = 12
)

// containerRole is what a container of a controller's pod is probably there for.
type containerRole int

// The roles, by how much says so.
const (
	noContainer containerRole = iota
	helps                     // it answers, watches or elects for the others
	unsettled                 // nothing shows which
	reconciles
)

// A container that runs keeps being restarted if it was restarted often, did not run for long before it ended the last
// time, and has run for less than twice as long since. After ten minutes without a failure, the kubelet counts anew,
// too (k8s v1.37 client-go/util/flowcontrol/backoff.go:hasExpired: twice the longest back-off).
const (
	oftenRestarted = 5
	shortestCalm   = 10 * time.Minute
	longestRun     = time.Hour
	calmTimes      = 2
)
