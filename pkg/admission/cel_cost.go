package admission

import (
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apiserver/pkg/cel/library"
)

// costs counts what expressions cost as the API server does, and besides the texts that they make of others: there,
// these are counted where the type is declared. Texts that double a few dozen times would take all memory.
type costs struct{ library.CostEstimator }

// CallCost implements interpreter.ActualCostEstimator.
func (c *costs) CallCost(function, overload string, args []ref.Val, result ref.Val) *uint64 {
	cost := c.CostEstimator.CallCost(function, overload, args, result)
	switch function {
	case operators.Add, "replace", "join", "format":
	default:
		return cost
	}
	made := 0
	switch text := result.(type) {
	case types.String:
		made = len(text)
	case types.Bytes:
		made = len(text)
	}
	if made == 0 {
		return cost
	}
	total := 1 + uint64(float64(made)*common.StringTraversalCostFactor)
	if cost != nil {
		total += *cost
	}
	return &total
}
