package bounds

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"

	yamlv3 "go.yaml.in/yaml/v3"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

const (
	// mostYAML is what one document of YAML may take while it is parsed: a list of 48 MiB, as kubectl prints it, takes
	// less.
	mostYAML = 1280 << 20
	// mostExpanded is how many bytes the aliases of one document may stand for. Written out, that many are more than
	// any object of Kubernetes has.
	mostExpanded = 4 << 20
	// perValue is what each value that an alias stands for counts, besides its text.
	perValue = 16
)

var (
	errHeavy    = fmt.Errorf("a document in it would take more than %d MiB of memory", mostYAML>>20)
	errExpands  = fmt.Errorf("its aliases (*name) expand to more than %d MiB", mostExpanded>>20)
	errInItself = errors.New("an alias in it (*name) stands for something that contains the alias")
)

// Exceeded reports whether something is no YAML to this package because it would take too much memory.
func Exceeded(err error) bool {
	return errors.Is(err, errHeavy) || errors.Is(err, errExpands) || errors.Is(err, errInItself)
}

// ToJSON returns one document of YAML as JSON. It returns an error for what is no YAML, what would take too much
// memory, and what expands too far by its aliases.
func ToJSON(document []byte) ([]byte, error) {
	if err := check(document); err != nil {
		return nil, err
	}
	return yaml.YAMLToJSON(document)
}

// Check returns an error where a file of YAML or JSON is not what ToJSON accepts, document by document. It is for the
// parsers of others, which know no bounds, and say themselves what is no YAML.
func Check(file []byte) error {
	for documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(file))); ; {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = check(document)
		}
		if err != nil {
			return err
		}
	}
}

// check judges one document before it is decoded.
func check(document []byte) error {
	if YAML(document) > mostYAML {
		return errHeavy
	}
	if !mayHaveAliases(document) {
		return nil
	}
	var root yamlv3.Node // in which aliases are not expanded
	if err := yamlv3.Unmarshal(document, &root); err != nil {
		return err // what another parser might make of it isn't known
	}
	_, err := (&expansion{sizes: map[*yamlv3.Node]int{}}).size(&root)
	return err
}

// mayHaveAliases reports whether a document has both an anchor and an alias, or something that looks like one. To parse
// it twice is not worth the time otherwise.
func mayHaveAliases(document []byte) bool {
	mark := func(sign string) *regexp.Regexp {
		return regexp.MustCompile(`(^|[\s,\[{:?-])\` + sign + `[^\s,\[\]{}]`)
	}
	return bytes.IndexByte(document, '&') >= 0 && bytes.IndexByte(document, '*') >= 0 &&
		mark("&").Match(document) && mark("*").Match(document)
}

// expansion adds up what the values of a document come to once all aliases are written out.
type expansion struct {
	sizes    map[*yamlv3.Node]int // of what has an anchor; -1 while it is being added up
	expanded int                  // what aliases stand for
}

// size returns what a value comes to, and an error where that of the aliases is too much.
func (e *expansion) size(node *yamlv3.Node) (size int, err error) {
	if node.Kind == yamlv3.AliasNode {
		size, known := e.sizes[node.Alias]
		if !known || size < 0 {
			return 0, errInItself
		}
		if e.expanded += size; e.expanded > mostExpanded {
			return 0, errExpands
		}
		return size, nil
	}
	if node.Anchor != "" {
		e.sizes[node] = -1
	}
	size = perValue + len(node.Value)
	for _, inside := range node.Content {
		one, err := e.size(inside)
		if err != nil {
			return 0, err
		}
		size += one
	}
	if node.Anchor != "" {
		e.sizes[node] = size
	}
	return size, nil
}
