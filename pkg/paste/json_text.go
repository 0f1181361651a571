package paste

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/bounds"
)

const (
	// longestText is how much is read of one object, in bytes, and heaviestText what it may take in memory.
	longestText, heaviestText = 16 << 20, 64 << 20
)

// beginsJSON reports whether a line begins an object of JSON, or an array of them.
func beginsJSON(text string) bool {
	text = strings.TrimLeft(text, "[ \t,")
	rest, is := strings.CutPrefix(text, "{")
	rest = strings.TrimSpace(rest)
	return is && (rest == "" || strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "}"))
}

// scanner follows JSON to where the object that it begins with ends.
type scanner struct {
	depth             int
	inString, escaped bool
}

// end returns where in a piece of text the object ends, or -1.
func (s *scanner) end(text string) int {
	for at := range len(text) {
		c := text[at]
		switch {
		case s.escaped:
			s.escaped = false
		case s.inString:
			s.escaped, s.inString = c == '\\', c != '"'
		case c == '"':
			s.inString = true
		case c == '{', c == '[':
			s.depth++
		case c == '}', c == ']':
			if s.depth--; s.depth <= 0 {
				return at + 1
			}
		}
	}
	return -1
}

// json reads an object of JSON, to its end or as far as the text goes.
func (r *reader) json(first line) error {
	var text strings.Builder
	var scan scanner
	open := strings.IndexByte(first.text, '{')
	current := line{text: first.text[open:], quotes: first.quotes, number: first.number}
	for {
		end := scan.end(current.text)
		if end >= 0 {
			text.WriteString(current.text[:end])
			if rest := current.text[end:]; strings.TrimSpace(rest) != "" {
				r.lines.back(line{text: rest, quotes: current.quotes, number: current.number})
			}
			return r.decode(text.String(), first.number)
		}
		text.WriteString(current.text)
		text.WriteByte('\n')
		if text.Len() > longestText {
			r.problem(first.number, "an object is larger than %d MiB", longestText>>20)
			return nil
		}
		next, err := r.nextInJSON(&scan)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err != nil || next.quotes != first.quotes || !scan.inString && isFence(strings.TrimSpace(next.text)) {
			if err == nil {
				r.lines.back(next)
			}
			return r.decodeCut(text.String(), first.number, current.number)
		}
		current = next
	}
}

// nextInJSON returns the next line that isn't in place of others.
func (r *reader) nextInJSON(scan *scanner) (line, error) {
	for {
		next, err := r.lines.next()
		if err != nil || scan.inString || !isElision(strings.TrimSpace(next.text)) {
			return next, err
		}
		r.elided = true
	}
}

// decode takes in an object that is complete.
func (r *reader) decode(text string, at int) error {
	if r.elided {
		text = danglingComma.ReplaceAllString(text, "$1")
	}
	fields, err := decodeJSON(text)
	if err != nil {
		r.problem(at, "it can't be read as JSON: %s", err)
		return nil
	}
	return r.take(fields, at, true)
}

// decodeCut takes in what is complete of an object that is cut off.
func (r *reader) decodeCut(text string, at, ends int) error {
	whole, key := closed(text)
	fields, err := decodeJSON(whole)
	if err != nil {
		r.problem(ends, "the text is cut off within the object that begins in line %d", at)
		return nil
	}
	return r.takeCut(fields, key, at, ends)
}

func decodeJSON(text string) (map[string]any, error) {
	if bounds.JSON([]byte(text)) > heaviestText {
		return nil, errors.New("it takes too much memory")
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var fields map[string]any
	err := decoder.Decode(&fields)
	return fields, err
}

// closer follows JSON to the last value in it that is complete.
type closer struct {
	open, ends        []byte // the brackets that are open now, and at the last end of a value
	last              int    // that end
	inString, escaped bool
	isKey             bool // what follows is the key of a map
	begins            int  // of the last string
	key               string
}

func (c *closer) done(at int) { c.last, c.ends = at, append(c.ends[:0], c.open...) }

// closed ends JSON that was cut off behind the last value in it that is complete, and returns the key of the object
// itself within whose value that is.
func closed(text string) (whole, key string) {
	c := &closer{}
	for at := range len(text) {
		c.follow(text, at)
	}
	var out strings.Builder
	out.WriteString(text[:c.last])
	for i := len(c.ends) - 1; i >= 0; i-- {
		out.WriteByte(map[byte]byte{'{': '}', '[': ']'}[c.ends[i]])
	}
	return out.String(), c.key
}

func (c *closer) follow(text string, at int) {
	switch char := text[at]; {
	case c.escaped:
		c.escaped = false
	case c.inString:
		if c.escaped, c.inString = char == '\\', char != '"'; !c.inString && c.isKey && len(c.open) == 1 {
			c.key = text[c.begins:at]
		}
	case char == '"':
		c.inString, c.begins = true, at+1
	case char == '{', char == '[':
		c.open = append(c.open, char)
		c.isKey = char == '{'
		c.done(at + 1)
	case char == '}', char == ']':
		c.open = c.open[:max(0, len(c.open)-1)]
		c.isKey = false
		c.done(at + 1)
	case char == ':':
		c.isKey = false
	case char == ',':
		if !c.isKey {
			c.done(at)
		}
		c.isKey = len(c.open) > 0 && c.open[len(c.open)-1] == '{'
	}
}
