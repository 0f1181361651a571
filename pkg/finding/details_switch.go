package finding

import "time"

// SwitchDetails are those of ReconciliationPaused and DeletionProtected, unless a controller reports that itself.
type SwitchDetails struct {
	Field string `json:"field"` // where the switch is: annotation example.com/paused, spec.paused
	Value string `json:"value"`
	Item  string `json:"item,omitempty"` // whose switch it is, in a list: KIND NAMESPACE/NAME
	// Confirmation is the annotation with which a person has to confirm the deletion.
	Confirmation string `json:"confirmation,omitempty"`
	Held         Ref    `json:"held,omitzero"` // by the finalizer, if another object bears the switch
	// Project is whose switch that is by the catalogue; empty where only its name says what it does.
	Project string `json:"project,omitempty"`
	// Manager has set it, at Since, as far as managedFields tell.
	Manager string    `json:"manager,omitempty"`
	Since   time.Time `json:"since,omitzero"`
}
