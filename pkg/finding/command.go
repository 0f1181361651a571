package finding

import (
	"errors"
	"slices"
	"strings"
)

// Command is a command as a list of arguments, the program first.
type Command []string

// String joins the arguments so that a POSIX shell takes them apart again.
func (c Command) String() string {
	quoted := make([]string, len(c))
	for i, argument := range c {
		quoted[i] = argument
		if argument == "" || strings.ContainsFunc(argument, special) {
			quoted[i] = "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

func special(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_@%+=:,./-", r))
}

// Asks reports whether this is a command of this program, by whichever name it is called: NAME VERB TYPE/NAME ….
// kubectl has no such verbs, and takes no flags before the name of a plugin.
func (c Command) Asks(verb string) bool {
	end := slices.IndexFunc(c, func(argument string) bool {
		return strings.HasPrefix(argument, "-") || strings.Contains(argument, "/")
	})
	return end > 1 && c[end-1] == verb
}

func (c Command) first() string {
	if len(c) == 0 {
		return ""
	}
	return c[0]
}

// verb is the first argument that is no flag, nor a flag's value.
func (c Command) verb() string {
	for i := 1; i < len(c); i++ {
		switch {
		case !strings.HasPrefix(c[i], "-"):
			return c[i]
		case !strings.Contains(c[i], "="):
			i++
		}
	}
	return ""
}

// OnlyReads reports whether a command of kubectl or Helm changes nothing: by its verb, or as a dry run. Any other
// command may change something.
func (c Command) OnlyReads() bool {
	reading := []string{"api-resources", "describe", "events", "explain", "get", "history", "list", "logs", "top"}
	return slices.Contains([]string{"kubectl", "helm"}, c.first()) &&
		(slices.Contains(reading, c.verb()) || c.verb() == "auth" && slices.Contains(c, "can-i") ||
			slices.Contains(c, "--dry-run=server"))
}

// Deletes returns the types and names of the objects that a kubectl command deletes, as it has them: pods/web-0.
func (c Command) Deletes() (paths []string) {
	if c.first() != "kubectl" || c.verb() != "delete" {
		return nil
	}
	for _, argument := range c[slices.Index(c, "delete")+1:] {
		if strings.HasPrefix(argument, "-") {
			break
		}
		paths = append(paths, argument)
	}
	return paths
}

// Values returns the values of a flag that may be given several times.
func (c Command) Values(flag string) (values []string) {
	for i := 0; i+1 < len(c); i++ {
		if c[i] == flag {
			values = append(values, c[i+1])
		}
	}
	return values
}

// Names reports whether one of the command's arguments is an object's type and name.
func (c Command) Names(object Ref) bool {
	return slices.ContainsFunc(c, func(argument string) bool { return strings.HasSuffix(argument, "/"+object.Name) })
}

// MarshalText writes the command as one string, which is how programs get it.
func (c Command) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what String has written. It fails at a quote that isn't closed.
func (c *Command) UnmarshalText(text []byte) error {
	*c = nil
	var argument []byte
	begun, quoted := false, false
	for at, letter := range text {
		escaped := at > 0 && text[at-1] == '\\' && !quoted
		switch {
		case letter == '\'' && !escaped:
			begun, quoted = true, !quoted
		case letter == '\\' && !quoted:
			begun = true
		case letter == ' ' && !quoted:
			*c = append(*c, string(argument))
			argument, begun = nil, false
		default:
			argument, begun = append(argument, letter), true
		}
	}
	if quoted {
		return errors.New("a quote isn't closed: " + string(text))
	}
	if begun {
		*c = append(*c, string(argument))
	}
	return nil
}
