package report

// unfolding unfolds a graph into the lines of a drawn tree. A node that was drawn is not drawn again, but named.
type unfolding struct {
	children [][]child // of each node
	// looks is equal for children that need not be told apart; more than few of them are drawn as one line.
	looks func(child) string
	few   int

	drawn map[int]bool
	lines []treeLine
}

func newUnfolding(nodes, few int, looks func(child) string) unfolding {
	return unfolding{children: make([][]child, nodes), few: few, looks: looks, drawn: map[int]bool{}}
}

// child is a node below another.
type child struct {
	node int
	edge TreeEdge
	hold string // which waits for it, where it isn't owned
	// blocked says that the node above waits for it: its branch is doubled.
	blocked bool
}

// treeLine is one line of a drawing.
type treeLine struct {
	alike  []child // that the line is for; the first speaks for all
	branch string  // what leads to it
	below  string  // the branches that go on beneath it
	parent bool    // more is drawn below it
	again  bool    // it was drawn above, with what is below it
}

// beneath is what stands before more about a line.
func (l treeLine) beneath() string {
	if l.parent {
		return l.below + "│   "
	}
	return l.below + "    "
}

// draw adds the lines of some roots and of what is below them.
func (u *unfolding) draw(roots []child) {
	for _, group := range u.groups(roots) {
		u.visit(group, "", "")
	}
}

func (u *unfolding) visit(alike []child, branch, below string) {
	node := alike[0].node
	line := treeLine{alike: alike, branch: branch, below: below, again: u.drawn[node] && len(u.children[node]) > 0}
	var groups [][]child
	if !line.again {
		for _, same := range alike {
			u.drawn[same.node] = true
		}
		groups = u.groups(u.children[node])
	}
	line.parent = len(groups) > 0
	u.lines = append(u.lines, line)
	for i, group := range groups {
		lead, next := "├─ ", "│  "
		switch last, blocked := i == len(groups)-1, group[0].blocked; {
		case last && blocked:
			lead, next = "╘═ ", "   "
		case last:
			lead, next = "└─ ", "   "
		case blocked:
			lead = "╞═ "
		}
		u.visit(group, below+lead, below+next)
	}
}

// groups joins children that look alike, where they are more than a few.
func (u *unfolding) groups(children []child) (groups [][]child) {
	for _, group := range groupBy(children, u.looks) {
		if len(group) > u.few {
			groups = append(groups, group)
			continue
		}
		for _, one := range group {
			groups = append(groups, []child{one})
		}
	}
	return groups
}
