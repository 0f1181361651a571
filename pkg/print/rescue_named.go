package print

import "github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"

// rescueTaken names the command for a deletion by mistake below what is deleted with the object.
func (t *diagnosisText) rescueTaken(d *result.Diagnosis) {
	if len(d.Rescue) == 0 || d.Mistake != "" {
		return
	}
	if len(d.Takes) == 0 {
		t.w.line()
	}
	t.w.labelledCommands(labelBlock, "  By mistake? ", d.Rescue)
}

// rescue names the command for a deletion by mistake before all steps, and says what is about to be lost, if nothing
// above does and there is room.
func (t *diagnosisText) rescue(d *result.Diagnosis) {
	switch {
	case len(d.Rescue) == 0 || d.Mistake == "":
	case t.extent.without >= sparesMistake:
		t.w.labelledCommands(labelBlock, "  By mistake? ", d.Rescue)
	default:
		t.w.paragraph("  ", d.Mistake, nil)
		t.w.command("       ", d.Rescue)
	}
}
