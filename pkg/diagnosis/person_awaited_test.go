package diagnosis_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestPersonAwaited wants a controller that asks for an approval to be said to run where it was seen, and not where
// only its words were.
func TestPersonAwaited(t *testing.T) {
	held := database(time.Hour, "managedFields: ["+managed("shop-operator", 20*time.Second, worksOn)+"]",
		`status: {conditions: [{type: DeletionBlocked, status: "True", reason: Blocked, message: needs approval by the `+
			`data owner, lastTransitionTime: "`+at(20*time.Second)+`"}]}`)
	seen := []string{
		granted("shop-operator", mayWrite, "databases", theOperator), account("shop-operator"), operator(1, ""),
		operatorPod(podIsReady), node("n1", "True", ""),
	}
	for name, c := range map[string]struct {
		objects []string
		runs    bool
	}{
		"its words alone": {[]string{held}, false},
		"it runs":         {append(seen, held), true},
	} {
		asked := whyCase{target: "databases.shop.example.com/orders", objects: c.objects, verdict: result.Stuck}
		causes := asked.ask(t).RootCauses
		if len(causes) != 1 || !strings.Contains(causes[0].Message, "waits for a person") {
			t.Fatalf("%s: %v", name, causes)
		}
		if strings.Contains(causes[0].Message, "runs and asks") != c.runs {
			t.Errorf("%s: %s", name, causes[0].Message)
		}
	}
}
