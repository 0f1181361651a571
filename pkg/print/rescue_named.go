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
// above does.
func (t *diagnosisText) rescue(d *result.Diagnosis) {
	if len(d.Rescue) > 0 && d.Mistake != "" {
		t.w.paragraph("  ", d.Mistake, nil)
		t.w.command("       ", d.Rescue)
	}
}
