package finding

// Ownership says what the garbage collector makes of an owner reference (deletion-mechanics A). The
// values are part of the command's interface.
type Ownership string

// Only an owner reference that is honoured says when its dependent goes.
const (
	Honoured       Ownership = ""               // A1, A5, A9
	OwnerAbsent    Ownership = "OwnerAbsent"    // A2: no object of that kind and name
	OwnerReplaced  Ownership = "OwnerReplaced"  // A3: another object, with another uid, has the name
	OwnerMisnamed  Ownership = "OwnerMisnamed"  // A4: the uid is an object of another kind or name
	OwnerUnserved  Ownership = "OwnerUnserved"  // A6: the kind isn't served
	OwnerElsewhere Ownership = "OwnerElsewhere" // A7: the owner is in another namespace
	// A8: the owner's kind has namespaces, the dependent has none
	DependentClusterScoped Ownership = "DependentClusterScoped"
	OwnerUnreadable        Ownership = "OwnerUnreadable" // it could not be looked at
	OwnersCycle            Ownership = "OwnersCycle"     // A19 and cycles: in the end, it owns itself
)

// Words says it for people, as what the owner is to the dependent.
func (o Ownership) Words() string {
	return map[Ownership]string{
		OwnerAbsent: "absent", OwnerReplaced: "another object has this name (uid mismatch)", OwnerMisnamed: "the uid is another object's (kind or name is wrong)",
		OwnerUnserved: "its kind is not served", OwnerElsewhere: "in another namespace (never honoured)",
		DependentClusterScoped: "has a namespace, and its dependent has none (never honoured)", OwnerUnreadable: "could not be read", OwnersCycle: "a cycle of owners",
	}[o]
}
