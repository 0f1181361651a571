package rescue

import (
	"regexp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// mostOwned is for how many dependents there is a command each.
const mostOwned = 20

// plainName are the names that mean nothing else within a shell's double quotes.
var plainName = regexp.MustCompile(`^[A-Za-z0-9.:/-]+$`)

// giveOwners gives dependents their owners back, whose uids are new. Controllers of Kubernetes' workloads find theirs
// by labels.
func (r *returning) giveOwners() {
	created := map[string]*session.Object{}
	for _, saved := range r.p.files {
		if saved.again && saved.copied == nil && saved.object.Ref.UID != "" {
			created[saved.object.Ref.UID] = saved.object
		}
	}
	var commands []finding.Command
	var dependents []*session.Object
	for _, saved := range r.p.files {
		if saved.object.Meta == nil {
			continue
		}
		if command := r.ownCommand(saved, created); command != nil {
			commands, dependents = append(commands, command), append(dependents, saved.object)
		}
	}
	if len(commands) == 0 {
		return
	}
	details := finding.RescueDetails{Names: named(dependents), Count: len(dependents)}
	r.p.back(finding.Remedy{Step: "GiveOwners", Details: details}, commands[:min(mostOwned, len(commands))]...)
}

// ownCommand is the command that gives an object the owners that are created again, with the others that it has; nil
// where it had none of them, or a name can't be in a command.
func (r *returning) ownCommand(saved *file, created map[string]*session.Object) finding.Command {
	var references []string
	again := false
	for _, reference := range saved.object.Meta.OwnerReferences {
		owner := created[string(reference.UID)]
		uid := string(reference.UID)
		if owner != nil && stageOf(owner) == workloads {
			return nil // whose controller does that
		}
		if owner != nil { // another one may still be there, as it was
			again = true
			uid = "$(" + r.p.kubectl().Command(owner, "get", "-o", "jsonpath={.metadata.uid}").String() + ")"
		}
		for _, text := range []string{reference.APIVersion, reference.Kind, reference.Name, string(reference.UID)} {
			if !plainName.MatchString(text) {
				return nil
			}
		}
		references = append(references, referenceTo(reference, uid))
	}
	if !again {
		return nil
	}
	patch := `{\"metadata\":{\"ownerReferences\":[` + strings.Join(references, ",") + `]}}`
	command := r.p.kubectl().Command(saved.object, "patch", "--type", "merge", "-p").String()
	return finding.Command{"sh", "-c", command + ` "` + patch + `"`}
}

// referenceTo is an owner reference as JSON, within a shell's double quotes.
func referenceTo(reference metav1.OwnerReference, uid string) string {
	text := `{\"apiVersion\":\"` + reference.APIVersion + `\",\"kind\":\"` + reference.Kind + `\",\"name\":\"` +
		reference.Name + `\",\"uid\":\"` + uid + `\"`
	if reference.Controller != nil && *reference.Controller {
		text += `,\"controller\":true`
	}
	if reference.BlockOwnerDeletion != nil && *reference.BlockOwnerDeletion {
		text += `,\"blockOwnerDeletion\":true`
	}
	return text + "}"
}
