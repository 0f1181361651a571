package recording

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// line is one that is in some recordings.
type line struct{ key, body string }

// Share looks for what the recordings below a folder of the repository have in common, and writes it and them anew.
func Share(hack string) error {
	files, err := filepath.Glob(filepath.Join(hack, "*", "testdata", "recorded*", "*"+Extension))
	if err != nil {
		return err
	}
	common, err := parseShared(sharedText)
	if err != nil {
		return err
	}
	all := make([]*recording, len(files))
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err == nil {
			all[i], err = parse(data, common)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	common, err = parseShared(inCommon(all).text())
	if err != nil {
		return err
	}
	for i, file := range files {
		if err := os.WriteFile(file, all[i].text(common), 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(hack, "recording", "shared.txt"), common.text(), 0o600)
}

// inCommon puts lines that are in the same recordings into one group. The groups of many recordings come first.
func inCommon(all []*recording) *shared {
	where := map[line][]int{}
	for i, one := range all {
		for key, body := range one.lines {
			where[line{key, body}] = append(where[line{key, body}], i)
		}
	}
	groups := map[string]map[string]string{}
	for has, recordings := range where {
		if len(recordings) < 2 {
			continue
		}
		name := fmt.Sprintf("%05d %05d", 99999-len(recordings), recordings)
		if groups[name] == nil {
			groups[name] = map[string]string{}
		}
		groups[name][has.key] = has.body
	}
	found := &shared{}
	names := make([]string, 0, len(groups))
	for name := range groups {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		found.groups = append(found.groups, groups[name])
	}
	found.groups = append(found.groups, worthModels(where, found))
	return found
}

// muchElse is how long a line is that is worth a model of its own, although there is one already.
const muchElse = 400

// worthModels returns the objects of single recordings like which an object of another one can be described.
func worthModels(where map[line][]int, found *shared) map[string]string {
	var single []line
	for has, recordings := range where {
		if len(recordings) == 1 {
			single = append(single, has)
		}
	}
	slices.SortFunc(single, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(where[a][0], where[b][0]), cmp.Compare(a.body, b.body))
	})
	known, used := models{}, map[string]string{}
	for _, group := range found.groups {
		for key, body := range group {
			known.add(key, body)
		}
	}
	alone := map[string]string{}
	for _, one := range single {
		at, name, is := parts(one.key)
		if !is {
			continue
		}
		like, ok := strings.CutPrefix(known.written(one.key, one.body), wordLike+" ")
		if ok {
			key, _ := cut(like)
			if _, as, other := strings.Cut(key, " = "); other {
				name = as
			}
			if body, was := alone[at+" "+name]; was {
				used[at+" "+name] = body
			}
			if len(like) < muchElse {
				continue
			}
		}
		known.add(one.key, one.body)
		if _, has := alone[one.key]; !has {
			alone[one.key] = one.body
		}
	}
	return used
}
