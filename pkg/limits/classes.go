package limits

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// Class is the class of an object, which says which of several implementations acts on it: a GatewayClass of a Gateway.
// It is the object itself, if that is a class.
type Class struct {
	Whose      string // the kind without "Class", in small letters; empty where the field doesn't tell
	Name       string
	Controller string       // that the class names; empty where that isn't known
	Ref        *finding.Ref // nil where no such class is seen
}

// classes are what a program's template says of the classes of the objects that it acts on: which ones, or what these
// name as their controller.
type classes struct {
	whose       string // as in Class; empty for any
	names       []string
	controllers []string // DOMAIN/PATH
}

// addClasses adds the limit that a setting about classes is, if it is one: --controller-name is often what a program
// calls itself, and no domain.
func addClasses(limits []Limit, says naming.Setting, name, value string) []Limit {
	one := &classes{}
	whose, _ := naming.ClassOf(name)
	if !slices.Contains([]string{"controller", "watch", "watched"}, whose) {
		one.whose = whose
	}
	for _, each := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
		if regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+/.+$`).MatchString(each) {
			one.controllers = append(one.controllers, each)
		} else if says == naming.NamesClass {
			one.names = append(one.names, each)
		}
	}
	if len(one.names)+len(one.controllers) == 0 || slices.Contains(one.names, "*") {
		return limits
	}
	return append(limits, Limit{Setting: strings.TrimLeft(name, "-") + "=" + value, classes: one})
}

// exclude reports whether an object of these classes is none that a program with this limit acts on. Nothing is known
// of an object without a class, as many programs act on such objects, nor where it is not known which controller a
// class names.
func (c *classes) exclude(held []Class) (excluded bool) {
	for _, class := range held {
		if !strings.HasSuffix(class.Whose, c.whose) {
			continue
		}
		if slices.Contains(c.names, class.Name) || slices.Contains(c.controllers, class.Controller) ||
			len(c.controllers) > 0 && class.Controller == "" {
			return false
		}
		excluded = true
	}
	return excluded
}
