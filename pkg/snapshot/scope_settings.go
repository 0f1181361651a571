package snapshot

import (
	"regexp"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// targetNamespaces is the annotation of a pod template by which the Operator Lifecycle Manager says which namespaces an
// operator acts on; a variable refers to it.
const targetNamespaces = "olm.targetNamespaces"

// limits reports whether a value in a container's arguments or variables says which objects the program acts on, as
// namespaces or labels (limits/template_settings.go). name is that of the variable, or the argument before; an argument
// may have both.
func limits(field string, name, value any) bool {
	says, named := name.(string)
	text, is := value.(string)
	if !named || !is {
		return false
	}
	if field == "env" {
		return keepsSetting(says, text)
	}
	return (field == "args" || field == "command") && strings.HasPrefix(says, "-") && !strings.Contains(says, "=") &&
		keepsSetting(says, text)
}

// keepsSetting reports whether the value of a setting is kept: it says which objects a program acts on, or names its
// lock, and can be nothing else. What switches something on or off is a truth value, or names controllers.
func keepsSetting(name, value string) bool {
	told := naming.SettingOf(name) != naming.NoLimit || naming.LockFlagOf(name) != naming.NoLockFlag
	_, tellsApart := naming.TraitOf(name, value)
	return (told || (tellsApart || naming.TellsDuty(name, value)) && !credential.Random(value)) && scopes(value)
}

// scopes reports whether a text can be names of namespaces or a selector, and refers to variables at the most.
func scopes(text string) bool {
	return regexp.MustCompile(`^[-a-zA-Z0-9._/,;=!() $*]{0,1000}$`).MatchString(text)
}

// meetScopes meets the namespaces in the arguments and variables of programs that say which objects they act on, and
// keeps the names of these variables.
func (n *names) meetScopes(value any) {
	switch value := value.(type) {
	case []any:
		for _, one := range value {
			n.meetScopes(one)
		}
	case map[string]any:
		name, _ := value["name"].(string)
		if text, is := value["value"].(string); is && naming.SettingOf(name) != naming.NoLimit {
			n.kept.Insert(name)
			n.meetSetting(name, text)
		} else if is && naming.TellsDuty(name, text) {
			n.kept.Insert(name)
		}
		for _, field := range []string{"command", "args"} {
			words, _ := value[field].([]any)
			n.meetFlags(words)
		}
		for _, one := range value {
			n.meetScopes(one)
		}
	}
}

func (n *names) meetFlags(words []any) {
	flag := ""
	for _, one := range words {
		word, _ := one.(string)
		name, value, has := strings.Cut(word, "=")
		switch {
		case has && strings.HasPrefix(name, "-"):
			flag = name
		case strings.HasPrefix(word, "-"):
			flag, value = word, ""
		default:
			value = word
		}
		if naming.LockFlagOf(flag) != naming.NoLockFlag {
			n.meetScope(value)
		}
		switch naming.SettingOf(flag) {
		case naming.NamesClass, naming.NamesController:
			if n.meetSetting(flag, value); strings.Contains(value, "/") {
				n.kept.Insert(word)
			}
		case naming.NamesNamespaces, naming.PerhapsNamespaces, naming.LeavesOutNamespaces:
			n.meetSetting(flag, value)
		}
	}
}

// meetSetting meets the names in the value of a setting. What classes call their controller stays as it is, there and
// in the classes.
func (n *names) meetSetting(name, value string) {
	switch naming.SettingOf(name) {
	case naming.NamesClass, naming.NamesController:
		for each := range strings.SplitSeq(value, ",") {
			if strings.Contains(each, "/") {
				n.kept.Insert(each, value)
			} else {
				n.meet(strings.TrimSpace(each))
			}
		}
	default:
		n.meetScope(value)
	}
}

// meetScope meets the names in a list of namespaces.
func (n *names) meetScope(list string) {
	for _, name := range regexp.MustCompile(`[a-z0-9][-a-z0-9]*`).FindAllString(list, -1) {
		n.meet(name)
	}
}
