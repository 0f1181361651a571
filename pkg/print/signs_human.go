package print

import (
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// signs writes, in wide output, a table of what points at each program that may be the controller, and the objections
// to it.
func (s *sentences) signs(programs []finding.ProgramSigns) {
	if !s.w.style.Wide || len(programs) == 0 {
		return
	}
	var rows [][]string
	for _, program := range programs {
		fares := program.Fares
		if program.Chosen {
			fares += "; taken for the controller"
		}
		rows = append(rows, []string{program.Program.String(), fmt.Sprint(program.Score), fares})
		for _, sign := range program.Signs {
			rows = append(rows, []string{"", fmt.Sprintf("%+d", sign.Weight), sign.Message})
		}
	}
	s.w.table("  ", []string{"CANDIDATE", "WEIGHT", "SIGN"}, rows, s.w.style.width())
}
