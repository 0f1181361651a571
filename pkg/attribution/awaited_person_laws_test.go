package attribution

import "strings"

// personLaws are about controllers that run and say why they have not removed the finalizer.
func personLaws() (laws []law) {
	for _, c := range []struct {
		name, status string
		person       bool
	}{
		{
			"needs an approval, in a condition that sounds ill",
			`{conditions: [{type: DeletionBlocked, status: "True", reason: Blocked, message: needs approval by the data ` +
				`owner, lastTransitionTime: "2026-07-01T11:30:00Z"}]}`, true,
		},
		{
			"needs an approval, in one that doesn't",
			`{conditions: [{type: Ready, status: "False", reason: WaitingForApproval, message: change CHG-123, ` +
				`lastTransitionTime: "2026-07-01T11:30:00Z"}]}`, true,
		},
		{
			"was refused the approval",
			`{conditions: [{type: DeletionBlocked, status: "True", reason: Blocked, message: approval by the data owner was ` +
				`rejected, lastTransitionTime: "2026-07-01T11:30:00Z"}]}`, false,
		},
		{
			"does not reach who approves",
			`{conditions: [{type: DeletionBlocked, status: "True", reason: Blocked, message: "needs approval: the service ` +
				`returned HTTP 503", lastTransitionTime: "2026-07-01T11:30:00Z"}]}`, false,
		},
	} {
		held := database()
		held.spec = strings.Join([]string{"{}\nstatus: ", c.status}, "")
		l := law{
			name: "a controller that " + c.name, held: held,
			state: []string{databases("ops/database-operator"), runs("ops", "database-operator")},
			want:  []string{"ControllerFailing", "ops/database-operator"}, not: []string{"DeletionProtected"},
		}
		if c.person {
			l.want = []string{"DeletionProtected", "waits for a person", "ops/database-operator"}
			l.not = []string{"ControllerFailing", isUnknownSaid}
		}
		laws = append(laws, l)
	}
	return laws
}
