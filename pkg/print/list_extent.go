package print

import "strings"

// listExtent is how much a list says: so many causes in detail, rows of a table of objects, groups of objects that wait
// for no cause, and rows of the table of causes.
type listExtent struct{ causes, rows, others, overview int }

// listExtents are those of a list, the fullest first. Details go before rows: the table of causes has all of them.
func listExtents() (all []listExtent) {
	for causes := causesTold; causes > 2; causes-- {
		all = append(all, listExtent{causes, rowsTold, othersTold, rowsOfAll})
	}
	for causes := 3; causes > 0; causes-- {
		all = append(all,
			listExtent{causes, rowsTold / 2, othersTold / 2, rowsOfAll},
			listExtent{causes, rowsTold / 4, othersTold / 3, rowsOfAll / 2},
		)
	}
	return all
}

// fullestList chooses the fullest extent in which a list is no longer than it should be, or else the smallest. write
// writes the list to a writer of the given style. Pages say as much as the first.
func (w *writer) fullestList(write func(to *writer, tried listExtent)) listExtent {
	all := listExtents()
	if w.page != nil {
		return all[0]
	}
	for _, tried := range all {
		var text strings.Builder
		write(&writer{out: &text, style: w.style, over: w.over}, tried)
		if strings.Count(text.String(), "\n") <= mostLines {
			return tried
		}
	}
	return all[len(all)-1]
}

// mostOf is how many of some rows are shown where so many may be. The last one is never left out alone.
func mostOf(rows, most int) int {
	if rows > most+1 {
		return most
	}
	return rows
}
