package print

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Measures of a picture, in the units of SVG.
const (
	boxWidth   = 232
	lineHeight = 17
	boxMargin  = 9
	rowGap     = 18
	columnGap  = 72
	edgeOfAll  = 12 // around the picture
	backRoom   = 24 // for arrows that lead back
	boxLetters = 33 // that fit into a line
)

// mostPictured is how many boxes a picture has at most.
const mostPictured = 200

// picture is a graph as it is drawn: boxes, and arrows between them.
type picture struct {
	ID            string
	Title         string
	Width, Height int
	Boxes         []box
	Arrows        []arrow
	Kinds         []string // of arrows that there are, in words
	LeftOut       int      // objects
}

type arrow struct {
	Path, Class, Says string
}

var lookNames = map[look]string{
	plainLook: "plain", causeLook: "cause", unknownLook: "unknown", terminatingLook: "terminating",
	waitLook: "wait", flawedLook: "flawed", containsLook: "contains",
}

// pictureOf draws a scene. number tells it from others on the page.
func pictureOf(shown *scene, number int, style Style) *picture {
	groups := shown.alike()
	drawn := &picture{ID: fmt.Sprintf("picture-%d", number), Title: "What owns, holds and waits for what"}
	of := map[int]int{} // the box of each node
	if len(groups) > mostPictured {
		for _, group := range groups[mostPictured:] {
			drawn.LeftOut += len(group)
		}
		groups = groups[:mostPictured]
	}
	for i, group := range groups {
		for _, node := range group {
			of[node] = i
		}
		drawn.Boxes = append(drawn.Boxes, shown.box(fmt.Sprintf("%s-%d", drawn.ID, i), group, style))
	}
	drawn.place(shown, of)
	drawn.Boxes[drawn.first(shown, of)].First = true
	return drawn
}

// alike are the nodes in groups: nodes that look the same in the picture, and are joined to the same others, are one.
// If not all can be drawn, the ones that matter most come first.
func (s *scene) alike() [][]int {
	joined := make([]string, len(s.Nodes))
	for _, edge := range s.Edges {
		joined[edge.From] += fmt.Sprint(">", edge.To, edgeLabel(edge), " ")
		joined[edge.To] += fmt.Sprint("<", edge.From, edgeLabel(edge), " ")
	}
	var all []int
	for i := range s.Nodes {
		all = append(all, i)
	}
	groups := groupBy(all, func(i int) string {
		node := s.Nodes[i]
		if s.Target != nil && node.Ref == *s.Target {
			return "target"
		}
		says := strings.Join(nodeLines(node)[1:], "\n")
		return finding.KeyOf(node.Kind, node.APIVersion, node.Namespace, nodeLook(node), says, joined[i])
	})
	rank := func(group []int) int {
		if group[0] == s.targetNode() {
			return -1
		}
		looks := []look{causeLook, terminatingLook, plainLook, unknownLook}
		return slices.Index(looks, nodeLook(s.Nodes[group[0]]))
	}
	if len(groups) > mostPictured {
		slices.SortStableFunc(groups, func(a, b []int) int { return rank(a) - rank(b) })
	}
	return groups
}

// waits are the pairs in which the first waits for the second, each by what it is drawn as. An arrow for that says more
// than one for what owns or contains it.
func (s *scene) waits(as func(node int) int) map[[2]int]bool {
	waits := map[[2]int]bool{}
	for _, edge := range s.Edges {
		if edge.Type == finding.WaitsFor {
			waits[[2]int{as(edge.From), as(edge.To)}] = true
		}
	}
	return waits
}

// first is the box whose details are shown at first: the target's, or else the one at the top.
func (p *picture) first(shown *scene, of map[int]int) int {
	if box, drawn := of[shown.targetNode()]; drawn && shown.Target != nil {
		return box
	}
	top := 0
	for i, one := range p.Boxes {
		if cmp.Or(one.Y-p.Boxes[top].Y, one.X-p.Boxes[top].X) < 0 {
			top = i
		}
	}
	return top
}

// place gives boxes and arrows their places: what is joined with nothing is below the others, in rows. A picture with
// at most two boxes beside each other runs down, which suits narrow screens; others run to the right.
func (p *picture) place(shown *scene, of map[int]int) {
	ends, edges := shown.arrows(of)
	number := map[int]int{} // in the layout
	var joined, alone []int
	for i := range p.Boxes {
		if slices.ContainsFunc(ends, func(pair [2]int) bool { return pair[0] == i || pair[1] == i }) {
			number[i], joined = len(joined), append(joined, i)
		} else {
			alone = append(alone, i)
		}
	}
	pairs := finding.Each(ends, func(pair [2]int) [2]int { return [2]int{number[pair[0]], number[pair[1]]} })
	d := direction{down: widestColumn(layersOf(len(joined), pairs)) <= 2 && len(joined) > 0}
	for _, i := range joined {
		d.height = max(d.height, float64(p.Boxes[i].Height))
	}
	nodes, via := layout(finding.Each(joined, func(i int) float64 {
		if d.down {
			return boxWidth
		}
		return float64(p.Boxes[i].Height)
	}), pairs, rowGap)
	for at, i := range joined {
		x, y := d.point(nodes[at])
		p.put(i, int(x)-boxWidth/2, int(y)-p.Boxes[i].Height/2)
	}
	if slices.ContainsFunc(ends, func(pair [2]int) bool { return d.back(&p.Boxes[pair[0]], &p.Boxes[pair[1]]) }) {
		p.Width, p.Height = p.Width+backRoom, p.Height+backRoom
	}
	for i, edge := range edges {
		name := lookNames[edgeLook(edge)]
		says := shown.Nodes[edge.From].String() + " " + edgeLabel(edge) + " " + shown.Nodes[edge.To].String()
		path := d.path(&p.Boxes[ends[i][0]], &p.Boxes[ends[i][1]], via[i])
		p.Arrows = append(p.Arrows, arrow{Path: path, Class: name, Says: says})
		p.Kinds = unique(append(p.Kinds, name))
	}
	inRow := 4
	if d.down {
		inRow = 2
	}
	for row := range slices.Chunk(alone, inRow) {
		below := max(p.Height-edgeOfAll+rowGap, edgeOfAll)
		for column, i := range row {
			p.put(i, edgeOfAll+column*(boxWidth+rowGap), below)
		}
	}
}

func (p *picture) put(box, x, y int) {
	one := &p.Boxes[box]
	one.X, one.Y = x, y
	p.Width, p.Height = max(p.Width, x+one.Width+edgeOfAll), max(p.Height, y+one.Height+edgeOfAll)
}

// arrows are the edges to draw, each with the boxes that it joins: one for all that look the same.
func (s *scene) arrows(of map[int]int) (ends [][2]int, edges []result.TreeEdge) {
	box := func(node int) int {
		if box, drawn := of[node]; drawn {
			return box
		}
		return -1 // it is left out
	}
	known, waits := map[string]bool{}, s.waits(box)
	for _, edge := range s.Edges {
		pair := [2]int{box(edge.From), box(edge.To)}
		key := fmt.Sprint(pair, edgeLook(edge))
		look := edgeLook(edge)
		covered := waits[pair] && (look == containsLook || look == plainLook) // by the arrow that says more
		if min(pair[0], pair[1]) >= 0 && !covered && !known[key] {
			known[key] = true
			ends, edges = append(ends, pair), append(edges, edge)
		}
	}
	return ends, edges
}

func widestColumn(columns []int) (widest int) {
	counts := map[int]int{}
	for _, column := range columns {
		counts[column]++
		widest = max(widest, counts[column])
	}
	return widest
}
