package loss

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Volumes are the volumes that some objects take along, whose data a change of policy keeps: each once, by name.
func Volumes(taken []finding.Taken) (names []string) {
	for _, one := range taken {
		if name := one.Volume(); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// mostRetained is how many volumes, or contents of snapshots, one command names.
const mostRetained = 50

// Retain is the step that comes before all that let something go: volumes, and snapshots, that go with it keep their
// data under the policy Retain. It is false where there are none.
func Retain(kubectl session.Kubectl, taken []finding.Taken) (finding.Remedy, bool) {
	volumes, contents := Volumes(taken), contents(taken)
	if len(volumes)+len(contents) == 0 {
		return finding.Remedy{}, false
	}
	denied := slices.ContainsFunc(taken, func(one finding.Taken) bool {
		unread := one.Details.Unread
		return one.Risk == finding.DataLoss && unread != nil && unread.Why == finding.Forbidden
	})
	return retain(kubectl, volumes, contents, denied), true
}

// contents are the contents of snapshots that some objects take along, and which a change of policy keeps: each once.
func contents(taken []finding.Taken) (refs []finding.Ref) {
	known := map[string]bool{}
	for _, one := range taken {
		if content := one.Content(); content != nil && !known[content.Name] {
			known[content.Name] = true
			refs = append(refs, *content)
		}
	}
	slices.SortFunc(refs, finding.Compare)
	return refs
}

// RetainVolumes is the same step for volumes by name. denied says that the user may not even read one of them.
func RetainVolumes(kubectl session.Kubectl, names []string, denied bool) finding.Remedy {
	return retain(kubectl, names, nil, denied)
}

func retain(kubectl session.Kubectl, volumes []string, contents []finding.Ref, denied bool) finding.Remedy {
	volumes, contents = volumes[:min(len(volumes), mostRetained)], contents[:min(len(contents), mostRetained)]
	details := finding.StepDetails{Names: volumes, Count: len(volumes) + len(contents), Denied: denied}
	var commands []finding.Command
	set := func(resource, policy string, names []string) {
		if len(names) == 0 {
			return
		}
		command := kubectl.Prefix(finding.Ref{}, "patch")
		for _, name := range names {
			command = append(command, resource+"/"+name)
		}
		commands = append(commands, append(command, "--type", "merge", "-p", `{"spec":{"`+policy+`":"Retain"}}`))
	}
	set(cluster.PersistentVolumes().QualifiedName(), "persistentVolumeReclaimPolicy", volumes)
	set(snapshotContents().String(), "deletionPolicy",
		finding.Each(contents, func(content finding.Ref) string { return content.Name }))
	details.Contents = finding.Each(contents, finding.Ref.String)
	return finding.Remedy{Step: "RetainFirst", Details: details, Command: commands[0], More: commands[1:]}
}
