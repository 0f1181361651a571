package plugins

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/util/jsonpath"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
)

// validator checks what a file says.
type validator struct {
	file       string
	lines      map[string]int
	conditions *admission.Conditions
	problems   []Problem
}

func validate(file string, plugin *Plugin, lines map[string]int) []Problem {
	v := &validator{file: file, lines: lines, conditions: waitConditions()}
	v.check("apiVersion", plugin.APIVersion == APIVersion, "it has to be %s", APIVersion)
	v.check("kind", plugin.Kind == Kind, "it has to be %s", Kind)
	v.check("project", plugin.Project != "", "it is missing")
	v.check("finalizers", len(plugin.Finalizers)+len(plugin.Observers) > 0, "there is none")
	v.forms("observers", plugin.Observers, reporterForm, "the name of a component that reports events")
	for i, name := range plugin.Observers {
		v.check(item("observers", i), strings.Trim(name, "*./- ") != "", "%q would be everybody", name)
	}
	if plugin.Defaults != nil {
		v.check("defaults.names", len(plugin.Defaults.Names) == 0, "names can't be defaults")
		v.finalizer("defaults", plugin.Defaults)
	}
	expanded := plugin.expanded(file)
	for i := range plugin.Finalizers {
		field := fmt.Sprintf("finalizers[%d]", i)
		v.finalizer(field, &plugin.Finalizers[i])
		v.check(field+".names", len(plugin.Finalizers[i].Names) > 0, "there is none")
		v.check(field+".removedBy", expanded[i].RemovedBy != "", "it is missing")
		v.check(field+".waitsFor", expanded[i].WaitsFor != "", "it is missing")
		v.check(field+".loses", expanded[i].Loses != "", "it is missing")
		v.check(field+".alwaysOutside", !expanded[i].AlwaysOutside || expanded[i].MayRunOutside != "",
			"mayRunOutside, which says where it runs, is missing")
	}
	return v.problems
}

// check notes a problem unless ok. A field that isn't there has the line of what it is missing from.
func (v *validator) check(field string, ok bool, reason string, arguments ...any) {
	if ok {
		return
	}
	at := field
	for v.lines[at] == 0 && at != "" {
		at = at[:max(0, strings.LastIndexAny(at, ".["))]
	}
	v.problems = append(v.problems,
		Problem{File: v.file, Line: v.lines[at], Field: field, Reason: fmt.Sprintf(reason, arguments...)})
}

// The forms of single entries of lists. A * stands for any characters.
const (
	kindForm     = `^[A-Za-z0-9*]+(\.[a-z0-9*.-]+)?$`
	workloadForm = `^(Deployment|StatefulSet|DaemonSet|ReplicaSet|Job|CronJob|Pod)/[a-z0-9*.-]+$`
	labelForm    = `^[A-Za-z0-9./_-]+=[A-Za-z0-9*._-]*$`
	nameForm     = `^[a-z0-9*.-]+$`
	leaseForm    = `^[a-z0-9*.-]+/([a-z0-9*.:-]|\{driver\})+$`
	reporterForm = `^[A-Za-z0-9*._/ -]+$`
	resourceForm = `^[a-z0-9]+(\.(\*|[a-z0-9.-]+))?$`
)

func (v *validator) finalizer(field string, f *Finalizer) {
	for i, name := range f.Names {
		reasons := validation.IsQualifiedName(strings.ReplaceAll(name, "*", "x"))
		v.check(item(field+".names", i), len(reasons) == 0, "%q is no name of a finalizer: %s", name,
			strings.Join(reasons, "; "))
		v.check(item(field+".names", i), strings.Trim(name, "*./") != "", "%q would be every finalizer", name)
	}
	v.forms(field+".kinds", f.Kinds, kindForm, "KIND or KIND.GROUP")
	v.program(field, f.Workloads, f.Labels, f.Namespaces, f.Leases, f.Reporters)
	v.forms(field+".containers", f.Containers, nameForm, "the name of a container")
	v.verb(field+".removesBy", f.RemovesBy)
	if f.Agent != nil {
		v.agent(field+".agent", *f.Agent)
	}
	for i, guard := range f.Guards {
		v.check(item(field+".guards", i), slices.Contains(Guards(), guard), "%q is not one of %v", guard, Guards())
	}
	v.fields(field+".statusFields", f.StatusFields)
	v.fields(field+".resourceFields", f.ResourceFields)
	for i, link := range f.Links {
		parsed, err := url.Parse(link)
		v.check(item(field+".links", i), err == nil && parsed.Scheme == "https" && parsed.Host != "",
			"%q is no https address", link)
	}
	for name, check := range map[string]Check{
		"name": f.Verified.Name, "waitsFor": f.Verified.WaitsFor, "controller": f.Verified.Controller,
		"fields": f.Verified.Fields, "rescue": f.Verified.Rescue,
	} {
		v.check(field+".verified."+name, check == "" || slices.Contains(Checks(), check), "%q is not one of %v", check,
			Checks())
	}
	for i, wait := range f.Waits {
		v.wait(item(field+".waits", i), wait)
	}
	for i, act := range f.Acts {
		v.act(item(field+".acts", i), act)
	}
	for i, need := range f.Needs {
		v.need(item(field+".needs", i), need)
	}
	if f.Drains != nil {
		v.drain(field+".drains", *f.Drains)
	}
	v.elsewhere(field+".elsewhere", f.Elsewhere, f.Drains)
	if f.Rescue != nil {
		v.rescue(field+".rescue", *f.Rescue)
	}
	v.hooks(field+".hooks", f.Hooks)
	for i, one := range f.Switches {
		v.check(item(field+".switches", i)+".path", walkable(one.Path),
			"%q is no JSONPath through fields alone, such as {.spec.paused}", one.Path)
		v.check(item(field+".switches", i)+".confirmation",
			one.Confirmation == "" || one.Protects && confirms(one.Confirmation),
			"%q is no JSONPath of an annotation, or \"protects\" is missing", one.Confirmation)
		v.forms(item(field+".switches", i)+".of", one.owners(), kindForm, "KIND.GROUP")
		v.check(item(field+".switches", i)+".named", one.Named == "" || one.Of != "" && one.findable(),
			"%q is neither a name nor a JSONPath through fields alone, or there is no kind in \"of\"", one.Named)
	}
}

func (v *validator) wait(field string, wait Wait) {
	defined := wait.Defined() && jsonpath.New(field).Parse(wait.Resource) == nil && wait.Records == ""
	v.check(field+".resource", defined || regexp.MustCompile(resourceForm).MatchString(wait.Resource),
		"%q is not of the form PLURAL, PLURAL.GROUP, PLURAL.* or {.PATH}.{.PATH}", wait.Resource)
	v.check(field+".scope", wait.Scope == ScopeNamespace || wait.Scope == ScopeCluster, "%q is not one of [%s %s]",
		wait.Scope, ScopeNamespace, ScopeCluster)
	v.check(field+".says", wait.Says != "", "it is missing")
	v.where(field+".where", wait.Where, wait.Resource)
}

// where checks an expression that finds objects of a resource.
func (v *validator) where(field, expression, resource string) {
	if expression == "" {
		v.check(field, false, "it is missing")
		return
	}
	condition, err := v.conditions.Compile(expression)
	v.check(field, err == nil, "no CEL expression over self and object: %v", err)
	whole := err == nil && !condition.NeedsOnly("object", MetadataFields()...)
	v.check(field, !whole || resource != "secrets" && resource != "configmaps",
		"of Secrets and ConfigMaps nothing but metadata is read")
}

func (v *validator) fields(field string, fields []Field) {
	for i, one := range fields {
		err := jsonpath.New(field).Parse(one.Path)
		v.check(item(field, i)+".path", err == nil && strings.HasPrefix(one.Path, "{."),
			"%q is no JSONPath of the form {.spec.name}", one.Path)
		v.check(item(field, i)+".says", one.Says != "", "it is missing")
	}
}

func (v *validator) forms(field string, values []string, form, wanted string) {
	for i, value := range values {
		v.check(item(field, i), regexp.MustCompile(form).MatchString(value), "%q is not %s", value, wanted)
	}
}

func item(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }
