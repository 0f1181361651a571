package attribution

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// classLimit is what a program's template says of the classes of the objects that it acts on: which ones, or what these
// name as their controller.
type classLimit struct {
	whose       string // as in heldClass; empty for any
	names       []string
	controllers []string // DOMAIN/PATH
}

// addClassLimit adds the limit that a setting about classes is, if it is one: --controller-name is often what a program
// calls itself, and no domain.
func addClassLimit(limits []limit, says naming.Setting, name, value string) []limit {
	one := &classLimit{}
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
	return append(limits, limit{setting: strings.TrimLeft(name, "-") + "=" + value, classes: one})
}

// exclude reports whether an object of these classes is none that a program with this limit acts on. Nothing is known
// of an object without a class, as many programs act on such objects, nor where it is not known which controller a
// class names.
func (l *classLimit) exclude(classes []heldClass) (excluded bool) {
	for _, class := range classes {
		if !strings.HasSuffix(class.whose, l.whose) {
			continue
		}
		if slices.Contains(l.names, class.name) || slices.Contains(l.controllers, class.controller) ||
			len(l.controllers) > 0 && class.controller == "" {
			return false
		}
		excluded = true
	}
	return excluded
}
