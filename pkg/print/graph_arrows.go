package print

import "fmt"

// direction says whether columns become rows.
type direction struct {
	down   bool
	height float64 // of the highest box
}

func (d direction) point(at placed) (x, y float64) {
	if d.down {
		return edgeOfAll + at.middle, edgeOfAll + d.height/2 + float64(at.column)*(d.height+columnGap*2/3)
	}
	return edgeOfAll + boxWidth/2 + float64(at.column)*(boxWidth+columnGap), edgeOfAll + at.middle
}

// back reports whether one box is no further than another.
func (d direction) back(from, to *box) bool {
	return d.down && to.Y <= from.Y || !d.down && to.X <= from.X
}

// path is a curve from one box by some points to another. One that leads back, or to the box itself, leaves it
// elsewhere.
func (d direction) path(from, to *box, via []placed) string {
	const out = 46
	switch {
	case from == to:
		right, middle := from.X+from.Width, from.Y+from.Height/2
		return fmt.Sprintf("M%d %d C%d %d %d %d %d %d", right, middle-12, right+out, middle-24, right+out, middle+24,
			right, middle+12)
	case d.back(from, to) && d.down:
		x, endX := from.X+from.Width, to.X+to.Width
		y, endY := from.Y+from.Height/2, to.Y+to.Height/2
		return fmt.Sprintf("M%d %d C%d %d %d %d %d %d", x, y, x+out, y, endX+out, endY, endX, endY)
	case d.back(from, to):
		x, endX := from.X+from.Width/2, to.X+to.Width/2
		y, endY := from.Y+from.Height, to.Y+to.Height
		return fmt.Sprintf("M%d %d C%d %d %d %d %d %d", x, y, x, y+out, endX, endY+out, endX, endY)
	}
	x, y := from.X+from.Width, from.Y+from.Height/2
	endX, endY := to.X, to.Y+to.Height/2
	if d.down {
		x, y, endX, endY = from.X+from.Width/2, from.Y+from.Height, to.X+to.Width/2, to.Y
	}
	path := fmt.Sprintf("M%d %d", x, y)
	for _, point := range via {
		pointX, pointY := d.point(point)
		path += d.curve(x, y, int(pointX), int(pointY))
		x, y = int(pointX), int(pointY)
	}
	return path + d.curve(x, y, endX, endY)
}

func (d direction) curve(x, y, endX, endY int) string {
	const bend = columnGap / 2
	if d.down {
		return fmt.Sprintf(" C%d %d %d %d %d %d", x, y+bend, endX, endY-bend, endX, endY)
	}
	return fmt.Sprintf(" C%d %d %d %d %d %d", x+bend, y, endX-bend, endY, endX, endY)
}
