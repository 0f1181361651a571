package snapshot

import (
	"encoding/json"
	"errors"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// rawObject is the JSON of a whole object on its way into a recording. It is cleaned in one pass, without
// being decoded: TestCleanRaw compares that with what cleaner.whole makes of it.
type rawObject struct {
	*cleaner
	in       []byte
	at       int
	out      []byte
	depth    int
	custom   bool // of a kind that is none of Kubernetes' own
	shortens bool // texts, because they stand in what people wrote into a custom resource

	meta            []byte // as it came
	name, namespace string
	deleted, owned  bool
	held            bool
}

var errNotJSON = errors.New("the server answered something else than an object in JSON")

// raw returns an object without secrets, from its JSON. Where that doesn't tell its kind, the resource does.
func (c *cleaner) raw(resource cluster.Resource, object []byte) (*rawObject, error) {
	r := &rawObject{cleaner: c, in: object, custom: custom(resource), out: make([]byte, 0, len(object)/2+256)}
	r.out = appendText(append(r.out, `{"apiVersion":`...), resource.GroupVersion().String())
	r.out = appendText(append(r.out, `,"kind":`...), resource.Kind)
	if err := r.members("", func(key string) (bool, error) {
		switch key {
		case "apiVersion", "kind":
			return false, r.skip()
		case "metadata":
			from := r.at
			if err := r.skip(); err != nil {
				return false, err
			}
			r.meta, r.at = r.in[from:r.at], from
		}
		r.shortens = r.custom && key != "metadata" && key != "status"
		return true, nil
	}); err != nil {
		return nil, err
	}
	if resource.Kind == "CSIDriver" {
		c.meet(r.name)
	}
	if r.name == "" {
		return nil, errNotJSON
	}
	return r, nil
}

// keeps is Keep.Keeps.
func (r *rawObject) keeps(keep cluster.Keep) bool {
	return keep == cluster.KeepAll || keep&cluster.KeepSlim != 0 ||
		keep&cluster.KeepTerminating != 0 && r.deleted || keep&cluster.KeepOwned != 0 && r.owned || keep&cluster.KeepHeld != 0 && r.held
}

// metadata decodes the object's metadata, as it was before it was cleaned.
func (r *rawObject) metadata(resource cluster.Resource) (*metav1.PartialObjectMetadata, error) {
	meta := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: resource.GroupVersion().String(), Kind: resource.Kind}}
	return meta, json.Unmarshal(r.meta, &meta.ObjectMeta)
}

func appendText(out []byte, text string) []byte {
	data, _ := json.Marshal(text) // a string has an encoding
	return append(out, data...)
}

// peek returns the first byte of what comes next, or 0 at the end.
func (r *rawObject) peek() byte {
	for ; r.at < len(r.in); r.at++ {
		switch b := r.in[r.at]; b {
		case ' ', '\t', '\n', '\r':
		default:
			return b
		}
	}
	return 0
}

func (r *rawObject) expect(b byte) error {
	if r.peek() != b {
		return errNotJSON
	}
	r.at++
	return nil
}

// quoted returns a text, and how it stands there.
func (r *rawObject) quoted() (text string, as []byte, err error) {
	if r.peek() != '"' {
		return "", nil, errNotJSON
	}
	from, escaped := r.at, false
	for r.at++; r.at < len(r.in); r.at++ {
		switch r.in[r.at] {
		case '\\':
			escaped = true
			r.at++
		case '"':
			r.at++
			as = r.in[from:r.at]
			if escaped {
				return text, as, json.Unmarshal(as, &text)
			}
			return string(as[1 : len(as)-1]), as, nil
		}
	}
	return "", nil, errNotJSON
}

// skip passes over a value.
func (r *rawObject) skip() error {
	depth := 0
	for {
		switch r.peek() {
		case 0:
			return errNotJSON
		case '"':
			if err := r.pass(); err != nil {
				return err
			}
		case '{', '[':
			depth++
			r.at++
			continue
		case '}', ']':
			depth--
			r.at++
		case ',', ':':
			r.at++
			continue
		default:
			r.scalar()
		}
		if depth <= 0 {
			return nil
		}
	}
}

// pass passes over a text.
func (r *rawObject) pass() error {
	for r.at++; r.at < len(r.in); r.at++ {
		switch r.in[r.at] {
		case '\\':
			r.at++
		case '"':
			r.at++
			return nil
		}
	}
	return errNotJSON
}

// scalar passes over a number, true, false or null.
func (r *rawObject) scalar() []byte {
	from := r.at
	for r.at < len(r.in) && !slices.Contains([]byte(",]} \t\r\n"), r.in[r.at]) {
		r.at++
	}
	return r.in[from:r.at]
}
