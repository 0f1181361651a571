package finding

// ObjectClass is the class of an object, and which controller it names.
type ObjectClass struct {
	Class      Ref    `json:"class"`
	Controller string `json:"controller"`
}

// Instance is a program that acts on some objects of a kind.
type Instance struct {
	Program    Ref      `json:"program"`
	Setting    string   `json:"setting,omitempty"`    // of its template, which says on which ones: NAME=VALUE
	Off        bool     `json:"off,omitempty"`        // it does nothing with objects of the kind, by that setting
	Own        bool     `json:"own,omitempty"`        // it acts in its own namespace alone, whatever its template says
	Namespaces []string `json:"namespaces,omitempty"` // the only ones in which RBAC lets it, if that shows it
	Serves     string   `json:"serves,omitempty"`     // the controller that the ones name which it has written to
}

// Elsewhere is the one program that acts on other objects of the kind, and not on this one; nil for none, and where
// several do.
func (d ControllerMissingDetails) Elsewhere() *Ref {
	if d.Absence == nil {
		return nil
	}
	absence, is := d.Absence.Details.(AbsenceDetails)
	if !is || len(absence.Instances) != 1 || absence.Instances[0].Off {
		return nil
	}
	return &absence.Instances[0].Program
}
