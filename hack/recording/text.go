package recording

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed shared.txt
var sharedText []byte

// shared is what several recordings have in common, in groups: the lines of one are in the same recordings.
type shared struct {
	groups []map[string]string
	models models
}

// embedded is shared.txt as it is embedded, for reading only: hundreds of recordings are read by one test.
var embedded = sync.OnceValues(func() (*shared, error) { return parseShared(sharedText) })

func parseShared(data []byte) (*shared, error) {
	all := &shared{models: models{}}
	for number, line := range eachLine(data) {
		if strings.HasPrefix(line, "# ") {
			all.groups = append(all.groups, map[string]string{})
			continue
		}
		found, err := all.models.read(line)
		if len(all.groups) == 0 || err != nil {
			return nil, fmt.Errorf("shared.txt:%d: %.60s (%w)", number, line, err)
		}
		maps.Copy(all.groups[len(all.groups)-1], found)
		for key, body := range found {
			all.models.add(key, body)
		}
	}
	return all, nil
}

// text returns a group's lines in order. It is named by its number.
func (s *shared) text() []byte {
	var out bytes.Buffer
	before := models{}
	for i, group := range s.groups {
		fmt.Fprintf(&out, "# %d\n", i+1)
		write(&out, group, before)
		for _, key := range slices.Sorted(maps.Keys(group)) {
			before.add(key, group[key])
		}
	}
	return out.Bytes()
}

// text returns a recording as it is kept.
func (r *recording) text(common *shared) []byte {
	left := maps.Clone(r.lines)
	var named []int
	for i, group := range common.groups {
		if within(group, r.lines) {
			named = append(named, i+1)
			maps.DeleteFunc(left, func(key, _ string) bool { _, has := group[key]; return has })
		}
	}
	var out bytes.Buffer
	out.WriteString(join(wordHead, encode(r.head)))
	out.WriteString(join(wordShared, ranges(named)))
	write(&out, left, common.models)
	return out.Bytes()
}

// write writes lines in order. What was asked of many places is in one line.
func write(out *bytes.Buffer, lines map[string]string, before models) {
	asked := map[string][]string{}
	for _, key := range slices.Sorted(maps.Keys(lines)) {
		words := strings.SplitN(key, " ", 3)
		if words[0] == wordRead && lines[key] == "" {
			asked[words[2]] = append(asked[words[2]], words[1])
			continue
		}
		out.WriteString(before.written(key, lines[key]))
	}
	for _, question := range slices.Sorted(maps.Keys(asked)) {
		out.WriteString(join(wordReads+" "+question, strings.Join(asked[question], " ")))
	}
}

func within(group, lines map[string]string) bool {
	for key, body := range group {
		if has, is := lines[key]; !is || has != body {
			return false
		}
	}
	return true
}

func parse(data []byte, common *shared) (*recording, error) {
	one := &recording{lines: map[string]string{}}
	for number, line := range eachLine(data) {
		word, rest, _ := strings.Cut(line, " ")
		var err error
		switch word {
		case wordHead:
			err = decode([]byte(rest), &one.head)
		case wordShared:
			err = one.include(rest, common)
		default:
			var found map[string]string
			found, err = common.models.read(line)
			maps.Copy(one.lines, found)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if one.head.RecordedAt.IsZero() {
		return nil, errors.New("it has no head")
	}
	return one, nil
}

func (r *recording) include(named string, common *shared) error {
	for word := range strings.FieldsSeq(named) {
		from, to, several := strings.Cut(word, "-")
		if !several {
			to = from
		}
		first, err := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err := errors.Join(err, err2); err != nil || first < 1 || last > len(common.groups) {
			return fmt.Errorf("shared.txt has no %q", word)
		}
		for _, group := range common.groups[first-1 : last] {
			maps.Copy(r.lines, group)
		}
	}
	return nil
}

// ranges writes sorted numbers.
func ranges(numbers []int) string {
	var words []string
	for i := 0; i < len(numbers); {
		last := i
		for last+1 < len(numbers) && numbers[last+1] == numbers[last]+1 {
			last++
		}
		word := strconv.Itoa(numbers[i])
		if last > i {
			word += "-" + strconv.Itoa(numbers[last])
		}
		words, i = append(words, word), last+1
	}
	return strings.Join(words, " ")
}

// cut separates what a line is about from what it says: of reads, that begins after what was asked.
func cut(line string) (key, body string) {
	words := strings.SplitN(line, " ", 3)
	switch {
	case len(words) == 3 && words[0] == wordRead:
		asked, outcome, _ := strings.Cut(words[2]+" ", "} {")
		if outcome == "" {
			return line, ""
		}
		return strings.Join(words[:2], " ") + " " + asked + "}", "{" + strings.TrimSuffix(outcome, " ")
	case words[0] == wordServes || words[0] == wordWhole || words[0] == wordMeta:
		key, body, _ = strings.Cut(line, " {")
		return key, "{" + body
	}
	return line, ""
}

func join(key, body string) string { return strings.TrimSuffix(key+" "+body, " ") + "\n" }

// eachLine goes through the lines of a text, with their numbers.
func eachLine(data []byte) func(func(int, string) bool) {
	return func(yield func(int, string) bool) {
		number := 0
		for line := range bytes.Lines(data) {
			number++
			if !yield(number, strings.TrimRight(string(line), "\r\n")) {
				return
			}
		}
	}
}
