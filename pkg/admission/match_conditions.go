package admission

import (
	"k8s.io/api/admissionregistration/v1"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// conditions evaluates match conditions: one that is false decides; an error counts by the failure policy, and failure
// is one that refuses (k8s v1.37 apiserver/pkg/admission/plugin/webhook/matchconditions/matcher.go:Match).
func (e *evaluation) conditions(conditions []v1.MatchCondition, failsClosed bool) (met Match, failure string) {
	met = Yes
	e.allow(celconfig.RuntimeCELCostBudgetMatchConditions)
	for _, condition := range conditions {
		switch value, failed := e.boolean(condition.Expression); {
		case failed != "":
			failure = "its match condition \"" + condition.Name + "\" can't be evaluated: " + failed
		case value == No:
			return No, ""
		case value == Maybe:
			met = Maybe
		}
	}
	switch {
	case failure == "":
		return met, ""
	case met == Maybe:
		return Maybe, "" // a condition that isn't known may yet be false
	case !failsClosed:
		return No, ""
	}
	return Yes, failure
}
