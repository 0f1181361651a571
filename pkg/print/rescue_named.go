package print

import "github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"

// rescue names the command for a deletion by mistake, where data is about to go.
func (t *diagnosisText) rescue(d *result.Diagnosis) {
	if len(d.Rescue) > 0 {
		if len(d.Takes) == 0 { // else it is below these
			t.w.line()
		}
		t.w.labelledCommands(labelBlock, "  By mistake? ", d.Rescue)
	}
}
