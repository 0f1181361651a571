package zoo_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// judgeLesser says what is wrong with an answer that was given without something that the full one rests on. With fewer
// rights, an answer may say less, but never something different.
func judgeLesser(full *result.Diagnosis, got reply, lacking lack, met *meeting, targetToo bool) []string {
	problems := met.problems
	wrong := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if got.code != 0 {
		ended := full.Verdict == result.Progressing && got.isGone()
		said := strings.HasPrefix(got.errOut, "error: ") && strings.Contains(got.errOut, full.Target.Name)
		if !ended && (!targetToo || got.code != 1 || got.out != "" || !said) {
			wrong("exit code %d", got.code)
		}
		return problems
	}
	var lesser result.Diagnosis
	if err := json.Unmarshal([]byte(got.out), &lesser); err != nil {
		wrong("%v", err)
		return problems
	}
	if lesser.Verdict != full.Verdict && lesser.Verdict != result.Undetermined {
		wrong("the verdict is %s, and %s with everything", lesser.Verdict, full.Verdict)
	}
	if lesser.Verdict != result.Undetermined {
		known, objects := causesOf(full), objectsOf(full)
		for _, cause := range causesOf(&lesser) {
			lessCertain := cause.reason == finding.ControllerUnknown && slices.Contains(objects, cause.object)
			consequence := cause.reason == finding.WebhookUnavailable && slices.ContainsFunc(full.Observations, isOfWebhook)
			if !slices.Contains(known, cause) && !lessCertain && !consequence {
				wrong("%s is no cause", cause)
			}
		}
	}
	// Without a hit nothing was lacking: a kind of some other scenario has gone in the meantime.
	if met.hits > 0 && !lacking.unnamed && !slices.ContainsFunc(lesser.Unreadable,
		func(unreadable finding.Unreadable) bool { return lacking.named(unreadable.Resource) }) {
		wrong("it is not among what could not be read")
	}
	return problems
}

// isOfWebhook reports whether an observation is that a webhook is the consequence of a cause.
func isOfWebhook(observation result.Observation) bool {
	return slices.Contains([]string{"WebhookComesBack", "WebhookLeftBehind"}, observation.Situation)
}

// found is one root cause at one object, the objects that share it counted one by one.
type found struct {
	reason finding.Reason
	object string
}

func (f found) String() string { return fmt.Sprintf("%s of %s", f.reason, f.object) }

func causesOf(diagnosis *result.Diagnosis) []found {
	var all []found
	for _, cause := range diagnosis.RootCauses {
		for _, ref := range append([]finding.Ref{cause.Object}, cause.Others...) {
			all = append(all, found{reason: cause.Reason, object: ref.Kind + "/" + ref.Path()})
		}
	}
	return all
}

func objectsOf(diagnosis *result.Diagnosis) []string {
	var objects []string
	for _, cause := range causesOf(diagnosis) {
		objects = append(objects, cause.object)
	}
	for _, cause := range diagnosis.RootCauses { // what waits for a cause may be as far as less leads
		for _, ref := range cause.Path {
			objects = append(objects, ref.Kind+"/"+ref.Path())
		}
	}
	return objects
}
