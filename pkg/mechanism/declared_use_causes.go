package mechanism

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// userBy is the cause of an object that uses the held one according to a declaration.
func userBy(reads *session.Session, held Held, declaration, user *Object, details finding.StillInUseDetails) Finding {
	return Finding{
		Reason: finding.StillInUse, Situation: "UserByDeclaration", Object: user.Ref, Certainty: finding.Likely,
		Details: details, Key: finding.KeyOf("UserByDeclaration", held.Hold.Name, held.Ref, user.Resource.QualifiedName()),
		Evidence: []Evidence{
			declaration.Ref.Observed("declares that %s uses %s", user.Ref, held.Ref), user.Ref.Observed("no deletionTimestamp"),
		},
		Remedies: []Remedy{
			seeUser(reads, held, user), endUse(reads, declaration, held), {
				Step: "DeleteDeclaredUser", Details: finding.StepDetails{Object: &user.Ref},
				Command: reads.Kubectl.Command(user, "delete", "--wait=false"), Risk: finding.DataLoss,
			},
		},
	}
}

// standingUse is the cause of a declaration that names no user, or one that is gone.
func standingUse(reads *session.Session, held Held, declaration *Object, details finding.StillInUseDetails) Finding {
	return Finding{
		Reason: finding.StillInUse, Situation: "UseDeclared", Object: declaration.Ref, Certainty: finding.Likely,
		Details: details, Key: finding.KeyOf("UseDeclared", held.Hold.Name, held.Ref, declaration.Resource.QualifiedName()),
		Evidence: []Evidence{declaration.Ref.Observed("names %s, and has no deletionTimestamp", held.Ref)},
		Remedies: []Remedy{
			seeUser(reads, held, declaration), endUse(reads, declaration, held),
		},
	}
}

// referrer is the cause of an object that refers to the held one.
func referrer(reads *session.Session, held Held, user *Object, field string) Finding {
	return Finding{
		Reason: finding.StillInUse, Situation: "RefersToHeld", Object: user.Ref, Certainty: finding.Likely,
		Details:  finding.StillInUseDetails{Of: &held.Ref, Field: field},
		Key:      finding.KeyOf("RefersToHeld", held.Hold.Name, held.Ref, user.Resource.QualifiedName(), field),
		Evidence: []Evidence{user.Ref.Observed("%s names %s; no deletionTimestamp", field, held.Ref)},
		Remedies: []Remedy{seeUser(reads, held, user), {
			Step: "DeleteDeclaredUser", Details: finding.StepDetails{Object: &user.Ref},
			Command: reads.Kubectl.Command(user, "delete", "--wait=false"), Risk: finding.DataLoss,
		}},
	}
}

// seeUser is the step that shows what uses the held object.
func seeUser(reads *session.Session, held Held, user *Object) Remedy {
	details := finding.StepDetails{Object: &user.Ref, Other: &held.Ref}
	return Remedy{Step: "SeeDeclaredUser", Details: details, Command: reads.Kubectl.Command(user, "describe")}
}
