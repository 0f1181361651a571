package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
)

// explainTarget says why a target could not be read, naming it as TYPE/NAME -n NAMESPACE, and what to do about it.
func explainTarget(ctx context.Context, c *connection, target session.Target, err error) error {
	name := targetName(target)
	var gone *session.GoneError
	var unread *session.UnreadError
	switch {
	case errors.As(err, &gone):
		return gone
	case errors.As(err, &unread):
		return unread // which names the object
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%s: interrupted before there was an answer", name)
	case apierrors.IsNotFound(err):
		return notFoundError{text: name + ": not found" + cmp.Or(renamed(c), whyNotFound(ctx, c, target)), error: err}
	case apierrors.IsForbidden(err):
		return fmt.Errorf("you are not allowed to read %s.\nThe server says: %w.\n"+
			"Ask an administrator for the verb get on %s, or to run this command%s", name, err,
			target.Resource.QualifiedName(), forAdministrator(target))
	case apierrors.IsMethodNotSupported(err):
		return fmt.Errorf("%s: the server doesn't allow reading objects of this type", name)
	}
	meant := ""
	if c.live == nil { // what a recording doesn't have isn't absent, but may be misspelt
		meant = suggestion(ctx, c, target)
	}
	return fmt.Errorf("%s: %w%s", name, err, strings.TrimSuffix("; "+meant, "; "))
}

// forAdministrator continues "run this command" with one that needs kubectl alone: its output can be asked about. There
// is none for Secrets.
func forAdministrator(target session.Target) string {
	command := session.AskWhole(session.Named(target.Resource, target.Namespace, target.Name))
	if len(command) == 0 {
		return ""
	}
	return fmt.Sprintf(", or for the output of this one, which kubectl finalizers why -f FILE reads:\n  %s", command)
}

// notFoundError is the error that an object isn't there, in words that help.
type notFoundError struct {
	error
	text string
}

// Error implements error.
func (e notFoundError) Error() string { return e.text }

// Unwrap returns what the server said.
func (e notFoundError) Unwrap() error { return e.error }

// isGone reports whether an object isn't there, or has gone while it was looked at. One that was created anew is there.
func isGone(err error) bool {
	var gone *session.GoneError
	return apierrors.IsNotFound(err) || errors.As(err, &gone) && !gone.Recreated
}

// tellGone says on standard error that an object isn't there, where that is an answer and no error.
func (o *options) tellGone(how error) {
	text := escape.Text(how.Error())
	if !strings.HasSuffix(text, "?") {
		text += "."
	}
	_ = print.Paragraph(o.out.ErrOut, text, plainStyle(o.out.ErrOut)) // there is nowhere left to complain
}

// whyNotFound says what is known about an object that isn't there, and what may have been meant instead.
func whyNotFound(ctx context.Context, c *connection, target session.Target) string {
	meant := suggestion(ctx, c, target)
	if meant != "" {
		meant = "; " + meant
	}
	if text, missing := noNamespace(ctx, c, target.Namespace); missing {
		return ", because " + text + meant
	}
	if left := volumesOf(ctx, c, target); len(left) > 0 {
		return fmt.Sprintf("; it is gone, but %[1]s still exists. To see what may block that, run %[2]s why on it. "+
			"To keep its data, run %[2]s rescue on the claim", strings.Join(left, ", "), c.options.Program)
	}
	other := ""
	if meant == "" {
		other = namesake(ctx, c, target)
	}
	switch {
	case meant != "":
		return meant
	case other != "":
		return "; did you mean " + other + "?"
	case target.Namespace != "":
		return fmt.Sprintf("; it may already be gone, or be in another namespace than %q (-n)", target.Namespace)
	}
	return "; it may already be gone"
}

// volumesOf returns the volumes that still refer to a claim, as TYPE/NAME: none where they can't be read.
func volumesOf(ctx context.Context, c *connection, target session.Target) (names []string) {
	if target.Resource.GroupResource() != cluster.PersistentVolumeClaims().GroupResource() {
		return nil
	}
	volumes, err := c.reader.List(ctx, cluster.PersistentVolumes(), "", cluster.Selector{})
	if err != nil {
		return nil
	}
	for _, volume := range volumes {
		claim, _, _ := unstructured.NestedStringMap(volume.Object, "spec", "claimRef")
		if claim["namespace"] == target.Namespace && claim["name"] == target.Name {
			names = append(names, "persistentvolumes/"+volume.GetName())
		}
	}
	return names
}

// noneFound says that nothing matches a selector, as kubectl does. It fails if the namespace isn't there.
func (o *options) noneFound(ctx context.Context, c *connection) (text string, err error) {
	if o.allNamespaces {
		return "No resources found.", nil
	}
	return fmt.Sprintf("No resources found in namespace %q.", c.namespace), o.requireNamespace(ctx, c, c.namespace)
}

// tellNone says on standard error that nothing matches a selector, and fails as noneFound does.
func (o *options) tellNone(ctx context.Context, c *connection) error {
	text, err := o.noneFound(ctx, c)
	if err == nil {
		_, _ = fmt.Fprintln(o.out.ErrOut, text)
	}
	return err
}

// requireNamespace is for a namespace in which nothing was found. It fails if the namespace isn't there: who mistypes
// it would read that all is well, and a pipeline would continue (docs/decisions/0012-what-people-type.md). With
// --ignore-not-found, it only says so. A namespace that can't be read may be there.
func (o *options) requireNamespace(ctx context.Context, c *connection, namespace string) error {
	text, missing := noNamespace(ctx, c, namespace)
	if !missing {
		return nil
	}
	err := notFoundError{text: text, error: apierrors.NewNotFound(cluster.Namespaces().GroupResource(), namespace)}
	if o.ignoreNotFound {
		o.tellGone(err)
		return nil
	}
	return err
}

// noNamespace reports whether a namespace isn't there, and says so.
func noNamespace(ctx context.Context, c *connection, namespace string) (text string, missing bool) {
	if namespace == "" {
		return "", false
	}
	if _, err := c.reader.Metadata(ctx, cluster.Namespaces(), "", namespace); !apierrors.IsNotFound(err) {
		return "", false
	}
	text = fmt.Sprintf("there is no namespace %q", namespace)
	near := map[string]int{} // as far as namespaces may be listed
	visit := func(object *metav1.PartialObjectMetadata) {
		if isLike(namespace, object.Name) {
			near[object.Name] = spelling.Distance(namespace, object.Name)
		}
	}
	_ = c.reader.EachMetadata(ctx, cluster.Namespaces(), "", cluster.Selector{}, visit)
	if len(near) > 0 {
		return text + "; did you mean " + strings.Join(spelling.Closest(3, near), " or ") + "?", true
	}
	return text + "; name another one with -n", true
}

// isLike reports whether a name is a slip of the finger away, or differs in nothing but capital letters.
func isLike(typed, name string) bool {
	return spelling.IsNear(typed, name) || strings.EqualFold(typed, name)
}

// warnOfNamespace warns where a namespace is absent that may come to be later.
func warnOfNamespace(ctx context.Context, c *connection, errOut io.Writer, namespace string) {
	if text, missing := noNamespace(ctx, c, namespace); missing {
		warn(errOut, text)
	}
}

// nearest returns up to three resources whose names are a slip of the finger away.
func nearest(resources []cluster.Resource, wanted string) []string {
	near := map[string]int{}
	for _, resource := range resources {
		for _, name := range resource.Names() {
			if !spelling.IsNear(wanted, name) {
				continue
			}
			letters, qualified := spelling.Distance(wanted, name), resource.QualifiedName()
			if best, known := near[qualified]; !known || letters < best {
				near[qualified] = letters
			}
		}
	}
	return spelling.Closest(3, near)
}

// longestFinalizer is how long a finalizer may be: 253 letters, a slash and 63 more (k8s v1.37
// apimachinery/pkg/api/validation/objectmeta.go:ValidateFinalizerName).
const longestFinalizer = 253 + 1 + 63

// nearNames returns the names that are most like one that isn't known: a few letters apart, or of the same domain.
func nearNames(asked string, names []string) []string {
	if len(asked) > longestFinalizer {
		return nil
	}
	asked = strings.ToLower(asked)
	domain, _, _ := strings.Cut(asked, "/")
	near, slips := map[string]int{}, max(2, len(asked)/6)
	for _, name := range names {
		lower := strings.ToLower(name)
		letters := spelling.Distance(asked, lower)
		if _, part, has := strings.Cut(lower, "/"); has && !strings.Contains(asked, "/") { // people leave the domain out
			letters = min(letters, spelling.Distance(asked, part))
		}
		switch {
		case letters <= slips:
			near[name] = letters
		case strings.Contains(domain, ".") && (strings.HasPrefix(lower, domain+"/") ||
			strings.HasSuffix(lower, "."+domain) || strings.HasPrefix(asked, lower+"/")),
			len(asked) > 3 && strings.Contains(lower, asked):
			near[name] = len(asked) + letters
		}
	}
	if closest := slices.Min(append(slices.Collect(maps.Values(near)), slips+1)); closest <= slips {
		maps.DeleteFunc(near, func(_ string, letters int) bool { return letters > closest })
	}
	return spelling.Closest(few, near)
}
