// Package result has the types of the answers. Their JSON is the versioned interface for programs: within a version,
// fields are only ever added.
package result

// Result is the answer of a command, one of the types below.
type Result interface{ isResult() }

func (*Diagnosis) isResult()     {}
func (*DiagnosisList) isResult() {}
func (*List) isResult()          {}
func (*Tree) isResult()          {}
func (*Check) isResult()         {}
func (*Preview) isResult()       {}
func (*PreviewList) isResult()   {}
func (*Explanation) isResult()   {}
func (*UninstallPlan) isResult() {}
func (*ProjectList) isResult()   {}
func (*RemovalReport) isResult() {}
func (*Version) isResult()       {}
func (*Nothing) isResult()       {}
func (*RescuePlan) isResult()    {}
