package paste

import (
	"errors"
	"io"
	"regexp"
	"strings"
	"time"
)

// Question is what a command asked of the cluster: all objects of some types, in a namespace or in all.
type Question struct {
	Resources []string // as they were typed, without duplicates
	Namespace string   // empty if the command names none
	All       bool     // in all namespaces
	Line      int
	// MetadataOnly says that no more than the metadata of the objects was printed.
	MetadataOnly bool

	names    []string
	narrowed bool // by a selector, a filter or something that is not understood
	done     bool // it is known that it has not failed
	verb     string
	piece    []string       // the part of each object that was printed, or nil
	columns  []customColumn // what was printed of each object, or nil
}

// command is a line of a shell that asks the cluster, behind the prompt of that.
var command = regexp.MustCompile(`^` + prompts + `?` + before + `(?:kubectl|oc|k)\s+(\S.*)$`)

// before is what runs a command: sudo, watch -n 1, microk8s, or a variable that is set for it. watch prints the command
// in its first line.
const before = `(?:Every \d+[.,]\d+s: |(?:sudo|time|watch|k3s|microk8s|[A-Z_]{1,40}=\S{1,200})\s+(?:-n\s?\d+\s+)?)*`

// watched is what watch prints behind the command: the host and the time.
var watched = regexp.MustCompile(`^(Every .*?)\s{2,}\S+: \w+ .*$`)

// piped is the command of kubectl at the end of a pipeline, which is run for each type that another one lists.
var piped = regexp.MustCompile(`\|\s*xargs\s(?:.*\s)?(?:kubectl|oc|k)\s+(get\s.*)$`)

// prompts are what shells print in front of a command: Unix shells end it with a sign, some have the folder and the
// branch behind that, and shells of Windows begin with the drive.
const prompts = `(?:[^\s$#%]{0,80}[\s~]?[^\s$#%]{0,80}[$#%❯➜+]\s{1,3}(?:[~/]\S{0,80}\s{1,3})?` +
	`(?:git:\(\S{1,80}\)\s{1,3})?(?:✗\s{1,3})?|~\s{1,3}|(?:PS )?[A-Z]:[^>]{0,120}>\s{0,3})`

// isCommand reports whether a line is a command of kubectl. Expressions are slow, and texts may have millions of lines.
func isCommand(text string) bool {
	return (strings.Contains(text, "kubectl ") || strings.Contains(text, "oc ") || strings.Contains(text, "k ")) &&
		command.MatchString(text)
}

// asksDate is a line of a shell that asks for the time.
var asksDate = regexp.MustCompile(`^` + prompts + `date(?:\s-u)?(?:\s\+\S+)?$`)

// exitCode is what a shell prints of a command whose output follows.
var exitCode = regexp.MustCompile(`^# exit code (\d{1,3})$`)

func isExitCode(text string) bool { return text[0] == '#' && exitCode.MatchString(text) }

// exit notes how the command above has ended.
func (r *reader) exit(first line) error {
	r.asked.done = strings.HasSuffix(strings.TrimSpace(first.text), " 0")
	r.asked.narrowed = r.asked.narrowed || !r.asked.done
	r.answers, r.named = true, nil // the question was not a person's
	return nil
}

func isDate(text string) bool { return strings.Contains(text, "date") && asksDate.MatchString(text) }

// date takes in the time in the line below.
func (r *reader) date(line) error {
	next, err := r.lines.next()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, layout := range []string{time.RFC3339, "Mon Jan _2 15:04:05 UTC 2006"} {
		if at, err := time.Parse(layout, strings.TrimSpace(next.text)); err == nil {
			r.sink.Dated(at)
			return nil
		}
	}
	r.lines.back(next)
	return nil
}

// command notes which command the output that follows answers.
func (r *reader) command(first line) error {
	text := watched.ReplaceAllString(strings.TrimSpace(first.text), "$1")
	words := command.FindStringSubmatch(text)[1]
	r.asked, r.taken, r.pieces = parseCommand(words), 0, nil
	if last := piped.FindStringSubmatch(words); last != nil { // what it gets is listed by the first one
		get := parseCommand(last[1])
		r.asked = Question{verb: get.verb, Namespace: get.Namespace, All: get.All, narrowed: true}
	}
	r.asked.Line, r.answers = first.number, false
	r.mentionNamed(r.asked)
	return nil
}

// isFlagWithValue reports whether a flag of kubectl get has a value behind it and doesn't narrow what is listed.
func isFlagWithValue(flag string) bool {
	switch flag {
	case "-n", "--namespace", "-o", "--output", "--context", "--kubeconfig", "--cluster", "--user", "--as", "--as-group",
		"--sort-by", "--chunk-size", "--request-timeout", "-L", "--label-columns", "-s", "--server", "--token":
		return true
	}
	return false
}

// isFlag reports whether a flag without a value leaves a list complete.
func isFlag(flag string) bool {
	switch flag {
	case "--show-managed-fields", "--ignore-not-found", "--show-kind", "--show-labels", "--no-headers", "2>&1",
		"2>/dev/null":
		return true
	}
	return false
}

func parseCommand(text string) (asked Question) {
	asked.piece = pieceIn(text)
	words := strings.Fields(text)
	for at := 0; at < len(words); at++ {
		word := strings.Trim(words[at], `'"`)
		flag, value, hasValue := strings.Cut(word, "=")
		if isFlagWithValue(flag) && !hasValue && at+1 < len(words) {
			at++
			value = strings.Trim(words[at], `'"`)
		}
		switch {
		case flag == "-n", flag == "--namespace":
			asked.Namespace = value
		case word == "-A", word == "--all-namespaces", word == "--all-namespaces=true":
			asked.All = true
		case flag == "-o", flag == "--output":
			asked.columns = customColumns(value)
		case strings.HasPrefix(word, "-o"), isFlagWithValue(flag), isFlag(flag):
		case strings.HasPrefix(word, "-n") && len(word) > 2 && word[2] != '-':
			asked.Namespace = word[2:]
		case word == ">", word == ">>", word == "2>":
			at++
		case strings.HasPrefix(word, "-"), strings.ContainsAny(word, "|;&<>$`\\"):
			if asked.narrowed = true; narrowsByValue(flag) && !hasValue {
				at++
			}
			if strings.ContainsAny(word, "|;&") {
				return asked
			}
		case asked.verb == "":
			asked.verb = word
		case strings.Contains(word, "/"):
			asked.names = append(asked.names, word)
		case len(asked.Resources) == 0:
			asked.Resources = strings.Split(word, ",")
		default:
			asked.names = append(asked.names, word)
		}
	}
	return asked
}

// lists reports whether a command asks for all objects of some types.
func (q Question) lists() bool {
	return q.verb == "get" && len(q.Resources) > 0 && len(q.names) == 0 && !q.narrowed
}

// only returns the type that a command asks for, if that is one.
func (q Question) only() string {
	if len(q.Resources) != 1 || q.Resources[0] == "all" {
		return ""
	}
	return q.Resources[0]
}
