package plugins

import (
	"fmt"
	"slices"
	"strings"
)

// Agent says that a finalizer's controller runs in the Pods of an object that the held one names: each of these objects
// has a controller of its own.
type Agent struct {
	// Of leads from the held object to the one with the Pods, which are in its namespace.
	Of Named `json:"of"`
	// Pods are labels of these Pods, as KEY=VALUE. {name} stands for the name of the object whose Pods they are.
	Pods []string `json:"pods"`
	// After is the program that removes the finalizer when it sees the deletion of that object. Without one, nothing
	// removes it then.
	After *Program `json:"after,omitempty"`
}

// Program is a program that removes a finalizer in the place of another. Its fields mean what those of a finalizer do.
type Program struct {
	// RemovedBy is what the program is called.
	RemovedBy string `json:"removedBy"`
	// WaitsFor is when it removes the finalizer.
	WaitsFor string `json:"waitsFor"`
	// RemovesBy is the verb by which it does.
	RemovesBy string `json:"removesBy,omitempty"`
	// Workloads run it.
	Workloads []string `json:"workloads,omitempty"`
	// Labels are labels of its Pods.
	Labels []string `json:"labels,omitempty"`
	// Namespaces are where it is usually installed.
	Namespaces []string `json:"namespaces,omitempty"`
	// Leases are those it holds while it leads.
	Leases []string `json:"leases,omitempty"`
	// Managers are the field managers that it writes as.
	Managers []string `json:"managers,omitempty"`
	// Reporters are the names under which it reports events.
	Reporters []string `json:"reporters,omitempty"`
}

// PodsOf are the labels of the Pods of an object, as a selector.
func (a Agent) PodsOf(name string) string {
	return strings.ReplaceAll(strings.Join(a.Pods, ","), "{name}", name)
}

// WithoutAgent is what is known of the finalizer where the object with its controller's Pods is being deleted, or gone.
func (f Finalizer) WithoutAgent() Finalizer {
	if f.Agent == nil || f.Agent.After == nil {
		return f
	}
	after := *f.Agent.After
	f.RemovedBy, f.WaitsFor, f.Workloads, f.Containers = after.RemovedBy, after.WaitsFor, after.Workloads, nil
	f.Labels, f.Namespaces, f.Leases = after.Labels, after.Namespaces, after.Leases
	f.Managers, f.Reporters, f.RemovesBy = after.Managers, after.Reporters, after.RemovesBy
	f.Start, f.EndsWait, f.IfRunning, f.SafeWayOut, f.SafeWayOutElsewhere = "", "", "", "", ""
	f.Waits, f.Acts, f.Needs = nil, nil, nil
	return f
}

func (v *validator) agent(field string, agent Agent) {
	v.named(field+".of", agent.Of)
	v.check(field+".pods", len(agent.Pods) > 0, "it is missing")
	of := false
	for i, label := range agent.Pods {
		of = of || strings.Contains(label, "{name}")
		v.forms(fmt.Sprintf("%s.pods[%d]", field, i), []string{strings.ReplaceAll(label, "{name}", "x")}, labelForm,
			"KEY=VALUE")
		v.check(item(field+".pods", i), !strings.Contains(label, "*"), "%q is no label of some value", label)
	}
	v.check(field+".pods", of, "none has {name}, so they would be the Pods of all such objects")
	if after := agent.After; after != nil {
		v.check(field+".after.removedBy", after.RemovedBy != "", "it is missing")
		v.check(field+".after.waitsFor", after.WaitsFor != "", "it is missing")
		v.verb(field+".after.removesBy", after.RemovesBy)
		v.program(field+".after", after.Workloads, after.Labels, after.Namespaces, after.Leases, after.Reporters)
	}
}

// program checks where a program runs.
func (v *validator) program(field string, workloads, labels, namespaces, leases, reporters []string) {
	v.forms(field+".workloads", workloads, workloadForm,
		"KIND/NAME, of a Deployment, StatefulSet, DaemonSet, Pod, Job or CronJob")
	v.forms(field+".labels", labels, labelForm, "KEY=VALUE")
	v.forms(field+".namespaces", namespaces, nameForm, "the name of a namespace")
	v.forms(field+".leases", leases, leaseForm, "NAMESPACE/NAME")
	v.forms(field+".reporters", reporters, reporterForm, "the name of a component that reports events")
}

// verb checks by which a finalizer is removed.
func (v *validator) verb(field, verb string) {
	v.check(field, verb == "" || verb == "update" || verb == "patch", "%q is neither update nor patch", verb)
}

// readAgent returns what is read of held objects to find the object whose Pods the controller runs in.
func (f Finalizer) readAgent() (all []Reads) {
	if f.Agent == nil {
		return nil
	}
	for _, path := range PathsIn(f.Agent.Of.Named) {
		all = append(all, Reads{Kinds: slices.Clone(f.Kinds), Path: path})
	}
	return all
}
