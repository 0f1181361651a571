package plugins

import (
	"strings"
	"time"

	"k8s.io/client-go/util/jsonpath"
)

// Drain is the Pods of a Node that must be removed before its machine. A drain always leaves mirror Pods and finished
// Pods alone. What a PodDisruptionBudget refuses is known without a field here.
type Drain struct {
	// Node is a JSONPath of the Node's name in the held object. Without one, the held object is the Node.
	Node string `json:"node,omitempty"`
	// Unless is a CEL expression over self, the held object, that is true where nothing is drained.
	Unless string `json:"unless,omitempty"`
	// Skips is a CEL expression that is true for Pods that aren't waited for. In it, object is the Pod and
	// self the held object. Without one, those of DaemonSets are not.
	Skips string `json:"skips,omitempty"`
	// Forgets is how long after its deletionTimestamp a Pod isn't waited for any more: 1m.
	Forgets string `json:"forgets,omitempty"`
	// Refuses is a CEL expression, as Skips, that is true for Pods that are waited for and not evicted.
	Refuses string `json:"refuses,omitempty"`
	// Because completes the sentence "Pod x …", of Pods that Refuses is true for.
	Because string `json:"because,omitempty"`
	// Within are JSONPaths of how long Pods are waited for at most, in seconds or as 10m: the first that there is, and
	// above 0.
	Within []string `json:"within,omitempty"`
	// Since is a JSONPath of the time from which Within counts. Without one, that is the deletion.
	Since string `json:"since,omitempty"`
	// Of is the kind, as KIND.GROUP, of the Node's owner in which Within and Since stand. Without one, it is the held
	// object.
	Of string `json:"of,omitempty"`
}

func (v *validator) drain(field string, drain Drain) {
	if drain.Node != "" {
		err := jsonpath.New(field).Parse(drain.Node)
		v.check(field+".node", err == nil && strings.HasPrefix(drain.Node, "{."),
			"%q is no JSONPath of the form {.spec.name}", drain.Node)
	}
	for _, path := range append([]string{drain.Since}, drain.Within...) {
		err := jsonpath.New(field).Parse(path)
		v.check(field+".within", err == nil && (path == "" || strings.HasPrefix(path, "{.")),
			"%q is no JSONPath of the form {.spec.timeout}", path)
	}
	v.check(field+".within", len(drain.Within) > 0 || drain.Since == "" && drain.Of == "",
		"since and of are about within")
	if drain.Forgets != "" {
		_, err := time.ParseDuration(drain.Forgets)
		v.check(field+".forgets", err == nil, "%q is no length of time, such as 1m", drain.Forgets)
	}
	for name, expression := range map[string]string{
		"unless": drain.Unless, "skips": drain.Skips, "refuses": drain.Refuses,
	} {
		if expression == "" {
			continue
		}
		_, err := v.conditions.Compile(expression)
		v.check(field+"."+name, err == nil, "no CEL expression over self and object: %v", err)
	}
	v.check(field+".because", (drain.Refuses == "") == (drain.Because == ""), "refuses and because belong together")
}
