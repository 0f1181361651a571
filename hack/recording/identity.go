package recording

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
)

// identity names the object that a line of a snapshot is about, and says how much of it was read.
type identity struct {
	place
	Form, Namespace, Name string
}

// UnmarshalJSON implements json.Unmarshaler.
func (i *identity) UnmarshalJSON(data []byte) error {
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	*i = identity{placeIn(fields), text(fields["form"]), text(fields["namespace"]), text(fields["name"])}
	return nil
}

// String returns the place, and NAMESPACE/NAME or the name.
func (i identity) String() string {
	return i.place.String() + " " + strings.TrimPrefix(i.Namespace+"/"+i.Name, "/")
}

func identityOf(form, at, name string) identity {
	namespace, rest, namespaced := strings.Cut(name, "/")
	if !namespaced {
		namespace, rest = "", name
	}
	return identity{placeOf(at), form, namespace, rest}
}

// uid is the one that an object has in recordings of tests: what is on every cluster is the same in all of them.
func (i identity) uid() string {
	sum := sha256.Sum256([]byte(i.group + " " + i.resource + " " + i.Namespace + "/" + i.Name))
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// identified replaces the uids of recorded objects wherever they stand. If a name was used twice, the second object
// keeps its uid.
func identified(data []byte, entries []entry) []byte {
	done, given := map[string]bool{}, map[string]bool{}
	var pairs []string
	for _, each := range entries {
		if each.Object == nil {
			continue
		}
		before, after := textAt(each.Body, "metadata", "uid"), each.Object.uid()
		if before == "" || done[before] || given[after] {
			continue
		}
		done[before], given[after] = true, true
		pairs = append(pairs, before, after)
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(bytes.Clone(data))))
}
