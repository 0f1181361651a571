package graph

import "slices"

// Path returns the shortest chain of waits from one node to another, both included, or nil if there
// is none. From a node to itself it is the node alone.
func (g *Graph) Path(from, to int) []int {
	before := map[int]int{from: from}
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == to {
			return g.unwind(before, from, to)
		}
		for _, edge := range g.WaitsOf(queue[0]) {
			if _, seen := before[edge.To]; !seen {
				before[edge.To] = queue[0]
				queue = append(queue, edge.To)
			}
		}
	}
	return nil
}

func (g *Graph) unwind(before map[int]int, from, to int) []int {
	path := []int{to}
	for at := to; at != from; {
		at = before[at]
		path = append(path, at)
	}
	slices.Reverse(path)
	return path
}

// Reach returns every node that a node waits for, directly or not, itself included.
func (g *Graph) Reach(from int) map[int]bool {
	reached := map[int]bool{from: true}
	for stack := []int{from}; len(stack) > 0; {
		node := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, edge := range g.WaitsOf(node) {
			if !reached[edge.To] {
				reached[edge.To] = true
				stack = append(stack, edge.To)
			}
		}
	}
	return reached
}
