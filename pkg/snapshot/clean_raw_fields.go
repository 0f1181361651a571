package snapshot

import "bytes"

// deepestRaw is how deep an object may be nested: as deep as in a manifest (files/objects.go).
const deepestRaw = 200

// members writes what is kept of a map. Its opening brace may have been written, with something in it; then
// choose is asked about each key first, and has passed over what it doesn't want.
func (r *rawObject) members(within string, choose func(key string) (bool, error)) error {
	if err := r.expect('{'); err != nil {
		return err
	}
	if choose == nil {
		r.out = append(r.out, '{')
	}
	if r.depth++; r.depth > deepestRaw {
		return errNotJSON
	}
	for first := true; ; first = false {
		switch r.peek() {
		case '}':
			r.at++
			r.depth--
			r.out = append(r.out, '}')
			return nil
		case ',':
			if first {
				return errNotJSON
			}
			r.at++
		}
		key, as, err := r.quoted()
		if err == nil {
			err = r.expect(':')
		}
		if err == nil && choose != nil {
			var wanted bool
			if wanted, err = choose(key); err == nil && !wanted {
				continue
			}
		}
		if err == nil {
			err = r.member(within, key, as)
		}
		if err != nil {
			return err
		}
	}
}

// member writes what is kept of a field of a map that stands under a key, as cleaner.field decides.
func (r *rawObject) member(within, key string, as []byte) error {
	isText := r.peek() == '"'
	if r.depth == 2 && within == "metadata" {
		if err := r.note(key); err != nil {
			return err
		}
	}
	switch {
	case within == "annotations" && isText, (within == "env" || within == "httpHeaders") && key == "value":
		return r.replaced(within, key, as, isText)
	case key == "fieldsV1":
		from := r.at
		if err := r.skip(); err != nil {
			return err
		}
		r.key(as)
		r.out = append(r.out, r.ownFields(r.in[from:r.at])...)
		return nil
	case isText && namesDriver(key):
		from := r.at
		text, _, err := r.quoted()
		if err != nil {
			return err
		}
		r.meet(text)
		r.at = from
	}
	if dropped(key) {
		return r.skip()
	}
	r.key(as)
	return r.value(key)
}

// replaced writes a text of which cleaner.field keeps something else.
func (r *rawObject) replaced(within, key string, as []byte, isText bool) error {
	if !isText {
		r.key(as)
		r.out = appendText(r.out, r.named(""))
		return r.skip()
	}
	text, _, err := r.quoted()
	if err != nil {
		return err
	}
	kept, keep := r.named(text), true
	if within == "annotations" {
		kept, keep = r.annotation(key, text)
	}
	if keep {
		r.key(as)
		r.out = appendText(r.out, kept)
	}
	return nil
}

func (r *rawObject) key(as []byte) {
	if r.out[len(r.out)-1] != '{' {
		r.out = append(r.out, ',')
	}
	r.out = append(append(r.out, as...), ':')
}

// note remembers of the metadata what decides who wants the object.
func (r *rawObject) note(key string) error {
	from := r.at
	defer func() { r.at = from }()
	var err error
	switch key {
	case "name":
		r.name, _, err = r.quoted()
	case "namespace":
		r.namespace, _, err = r.quoted()
	case "deletionTimestamp":
		r.deleted = r.peek() == '"'
	case "ownerReferences":
		r.owned = bytes.HasPrefix(r.in[r.at:], []byte("[{"))
	case "finalizers":
		r.held = bytes.HasPrefix(r.in[r.at:], []byte(`["`))
	}
	return err
}

// value writes what is kept of a value that stands under a key.
func (r *rawObject) value(key string) error {
	switch r.peek() {
	case '{':
		return r.members(key, nil)
	case '[':
		return r.elements(key)
	case '"':
		text, as, err := r.quoted()
		if err != nil {
			return err
		}
		kept := r.text(key, text)
		if r.shortens {
			kept, _ = short(kept).(string)
		}
		if kept == text {
			r.out = append(r.out, as...)
		} else {
			r.out = appendText(r.out, kept)
		}
		return nil
	case 0, '}', ']', ',', ':':
		return errNotJSON
	}
	r.out = append(r.out, r.scalar()...)
	return nil
}

func (r *rawObject) elements(key string) error {
	r.at++
	r.out = append(r.out, '[')
	if r.depth++; r.depth > deepestRaw {
		return errNotJSON
	}
	for first := true; ; first = false {
		switch r.peek() {
		case ']':
			r.at++
			r.depth--
			r.out = append(r.out, ']')
			return nil
		case ',':
			if first {
				return errNotJSON
			}
			r.at++
			r.out = append(r.out, ',')
		}
		if err := r.value(key); err != nil {
			return err
		}
	}
}
