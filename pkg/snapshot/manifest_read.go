package snapshot

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/yaml"
)

const (
	// longestDocument is how much YAML is parsed at once: it takes about twenty times as much memory.
	longestDocument = 48 << 20
	// mostManifests is how much is read in all.
	mostManifests = 1 << 30
)

// listSeen is what a file says of the list that it holds.
type listSeen struct {
	apiVersion, kind string
	items            int
	first            map[string]any
}

// read takes in what a file holds, JSON or YAML, one object or many, and returns the lists of it.
func (a *assembly) read(in io.Reader) ([]listSeen, error) {
	buffered := bufio.NewReaderSize(&bounded{in: in, left: mostManifests}, 1<<16)
	for {
		start, err := buffered.Peek(1)
		if err != nil {
			return nil, ended(err)
		}
		if strings.ContainsAny(string(start), " \t\r\n") {
			_, _ = buffered.Discard(1) // it was there to peek at
			continue
		}
		if start[0] == 0x1f {
			return nil, errors.New("it is a recording or an archive: a recording is read alone, an archive is unpacked first")
		}
		if start[0] == '{' || start[0] == '[' {
			return a.readJSON(buffered)
		}
		return a.readYAML(buffered)
	}
}

func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// bounded is an error where io.LimitReader is the end: half a file is not a file.
type bounded struct {
	in   io.Reader
	left int64
}

func (b *bounded) Read(into []byte) (int, error) {
	n, err := b.in.Read(into)
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("it is larger than %d MiB", mostManifests>>20)
	}
	return n, err
}

// readYAML reads documents, one at a time.
func (a *assembly) readYAML(in *bufio.Reader) ([]listSeen, error) {
	var lists []listSeen
	var document bytes.Buffer
	flush := func() error {
		defer document.Reset()
		if len(bytes.TrimSpace(document.Bytes())) == 0 {
			return nil
		}
		data, err := yaml.YAMLToJSON(document.Bytes())
		if err != nil {
			return fmt.Errorf("it is neither YAML nor JSON: %w", err)
		}
		if bytes.Equal(data, []byte("null")) {
			return nil // a comment
		}
		found, err := a.readJSON(bufio.NewReader(bytes.NewReader(data)))
		lists = append(lists, found...)
		return err
	}
	for starts := true; ; {
		part, err := in.ReadSlice('\n')
		if starts && bytes.HasPrefix(part, []byte("---")) {
			if err := flush(); err != nil {
				return lists, err
			}
		} else {
			document.Write(part)
		}
		if document.Len() > longestDocument {
			return lists, fmt.Errorf("a document of it is larger than %d MiB; JSON may be larger: kubectl get … -o json", longestDocument>>20)
		}
		starts = !errors.Is(err, bufio.ErrBufferFull)
		if err != nil && starts {
			return lists, errors.Join(flush(), ended(err))
		}
	}
}

// readJSON reads one object after the other. kubectl cluster-info dump writes logs between them.
func (a *assembly) readJSON(in *bufio.Reader) ([]listSeen, error) {
	var lists []listSeen
	for {
		decoder := json.NewDecoder(in)
		decoder.UseNumber()
		for {
			list, err := a.readObject(decoder)
			if list != nil {
				lists = append(lists, *list)
			}
			if errors.Is(err, io.EOF) {
				return lists, nil
			}
			if err != nil {
				return lists, err
			}
			rest := bufio.NewReader(io.MultiReader(decoder.Buffered(), in))
			if skipped, err := skipLogs(rest); err != nil {
				return lists, ended(err)
			} else if skipped {
				in = rest
				break
			}
			in = rest
			decoder = json.NewDecoder(in)
			decoder.UseNumber()
		}
	}
}

// skipLogs passes over white space and logs of containers.
func skipLogs(in *bufio.Reader) (skipped bool, err error) {
	for {
		start, err := in.Peek(1)
		switch {
		case err != nil:
			return skipped, err
		case strings.ContainsAny(string(start), " \t\r\n"):
			_, _ = in.Discard(1)
			continue
		case start[0] != '=':
			return skipped, nil
		}
		for over, starts := false, true; !over; {
			part, err := in.ReadSlice('\n')
			over = starts && bytes.HasPrefix(part, []byte("==== END logs"))
			starts = !errors.Is(err, bufio.ErrBufferFull)
			if err != nil && starts {
				return true, err
			}
		}
		skipped = true
	}
}

// readObject reads one object, or a list, of which each item is taken in as it arrives.
func (a *assembly) readObject(decoder *json.Decoder) (*listSeen, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	if token != json.Delim('{') {
		return nil, errors.New("it holds something that is no object of Kubernetes")
	}
	fields, list := map[string]any{}, &listSeen{}
	var unnamed []map[string]any // items of which only the list's kind tells what they are
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, cut(err)
		}
		key, _ := token.(string)
		if key == "items" {
			if unnamed, err = a.readItems(decoder, list); err != nil {
				return nil, err
			}
			continue
		}
		var value any
		if err := decoder.Decode(&value); err != nil {
			return nil, cut(err)
		}
		fields[key] = value
	}
	if _, err := decoder.Token(); err != nil {
		return nil, cut(err)
	}
	list.apiVersion, _ = fields["apiVersion"].(string)
	list.kind, _ = fields["kind"].(string)
	of, isList := strings.CutSuffix(list.kind, "List")
	if !isList {
		if list.items > 0 && list.kind == "" { // kubectl prints the kind behind the items
			return nil, errors.New("it seems to have been cut off: it holds items and not what they are a list of, which kubectl prints behind them")
		}
		if list.items > 0 {
			return nil, fmt.Errorf("it holds a %s with items, which is no list", list.kind)
		}
		return nil, a.take(fields)
	}
	for _, item := range unnamed {
		if of == "" {
			return nil, errors.New("it holds something without apiVersion or kind, which is no object of Kubernetes")
		}
		item["apiVersion"], item["kind"] = list.apiVersion, of
		if err := a.take(item); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (a *assembly) readItems(decoder *json.Decoder, list *listSeen) (unnamed []map[string]any, err error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, cut(err)
	}
	if token == nil {
		return nil, nil // no items
	}
	if token != json.Delim('[') {
		return nil, errors.New("it holds a list without items")
	}
	for decoder.More() {
		var item map[string]any
		if err := decoder.Decode(&item); err != nil {
			return nil, cut(err)
		}
		if list.items++; list.items == 1 {
			list.first = item
		}
		kind, _ := item["kind"].(string)
		version, _ := item["apiVersion"].(string)
		if kind == "" || version == "" {
			unnamed = append(unnamed, item)
		} else if err := a.take(item); err != nil {
			return nil, err
		}
	}
	_, err = decoder.Token()
	return unnamed, cut(err)
}

// cut rewords the end of a file within an object.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errTruncated
	}
	return err
}
