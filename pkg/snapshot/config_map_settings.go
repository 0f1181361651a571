package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// mapSettings are the ConfigMaps from which programs get variables that may say which objects they act on
// (attribution/config_maps.go), by NAMESPACE/NAME. It is safe for several at once.
type mapSettings struct {
	mu sync.Mutex
	by map[string][]mapSetting
}

// mapSetting is a key that is a variable, or all keys with a prefix, and what else says so with it.
type mapSetting struct {
	key, variable string // no key: all of them, and the prefix
	flags         []string
}

// meet notes the ConfigMaps in the containers of an object.
func (m *mapSettings) meet(namespace string, value any) {
	switch value := value.(type) {
	case []any:
		for _, one := range value {
			m.meet(namespace, one)
		}
	case map[string]any:
		containers, _ := value["containers"].([]any)
		for _, one := range containers {
			if container, is := one.(map[string]any); is {
				m.meetContainer(namespace, container)
			}
		}
		for _, field := range []string{"spec", "template", "jobTemplate"} {
			if value[field] != nil {
				m.meet(namespace, value[field])
			}
		}
	}
}

func (m *mapSettings) meetContainer(namespace string, container map[string]any) {
	all, _ := container["envFrom"].([]any)
	for _, one := range all {
		from, _ := one.(map[string]any)
		ref, _ := from["configMapRef"].(map[string]any)
		prefix, _ := from["prefix"].(string)
		m.add(namespace, ref, mapSetting{variable: prefix})
	}
	variables, _ := container["env"].([]any)
	for _, one := range variables {
		variable, _ := one.(map[string]any)
		from, _ := variable["valueFrom"].(map[string]any)
		ref, _ := from["configMapKeyRef"].(map[string]any)
		if key, _ := ref["key"].(string); key != "" {
			name := fmt.Sprint(variable["name"])
			m.add(namespace, ref, mapSetting{key: key, variable: name, flags: flagsWith(container, "$("+name+")")})
		}
	}
}

func (m *mapSettings) add(namespace string, ref map[string]any, of mapSetting) {
	name, _ := ref["name"].(string)
	if name == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.by == nil {
		m.by = map[string][]mapSetting{}
	}
	m.by[namespace+"/"+name] = append(m.by[namespace+"/"+name], of)
}

// flagsWith are the flags of a container whose value has a text in it.
func flagsWith(container map[string]any, text string) (flags []string) {
	for _, field := range []string{"command", "args"} {
		words, _ := container[field].([]any)
		flag := ""
		for _, one := range words {
			word := fmt.Sprint(one)
			if name, _, _ := strings.Cut(word, "="); strings.HasPrefix(word, "-") {
				flag = name
			}
			if strings.Contains(word, text) {
				flags = append(flags, flag)
			}
		}
	}
	return flags
}

// of returns what a recording holds of a ConfigMap's data: what may say which objects programs act on. It answers false
// for a ConfigMap that gives none of them variables.
func (m *mapSettings) of(namespace, name string, data map[string]any) (kept map[string]any, gives bool) {
	m.mu.Lock()
	settings := slices.Clone(m.by[namespace+"/"+name])
	m.mu.Unlock()
	kept, left := map[string]any{}, false
	for key, value := range data {
		text := fmt.Sprint(value)
		tells, keeps := false, false
		for _, one := range settings {
			if one.key != "" && one.key != key {
				continue
			}
			variable := one.variable
			if one.key == "" {
				variable += key
			}
			for _, setting := range append([]string{variable}, one.flags...) {
				tells = tells || naming.MaySet(setting)
				keeps = keeps || keepsSetting(setting, text)
			}
		}
		switch {
		case keeps:
			kept[key] = text
		case tells:
			kept[key] = Removed
		}
		left = left || !keeps && !tells
	}
	if left {
		var missing []string
		for _, one := range settings {
			if _, there := data[one.key]; one.key != "" && !there && !slices.Contains(missing, one.key) {
				missing = append(missing, one.key)
			}
		}
		slices.Sort(missing)
		kept[Removed] = strings.Join(missing, " ")
	}
	return kept, len(settings) > 0
}

// meetMapSettings meets the names in what is kept of a ConfigMap's data.
func (n *names) meetMapSettings(content map[string]any) {
	if content["kind"] != "ConfigMap" {
		return
	}
	data, _ := content["data"].(map[string]any)
	for key, value := range data {
		if text, is := value.(string); is && key != Removed {
			n.meetSetting(key, text)
		}
	}
}
