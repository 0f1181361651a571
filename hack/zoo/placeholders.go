package zoo

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// placeholder is ${uid:TYPE/NAME} or ${name:TYPE/LABEL=VALUE}, both with @NAMESPACE after it or without, or ${now},
// or ${now-DURATION}.
var placeholder = regexp.MustCompile(`\$\{(uid|name|now)([:-])?([^}]*)\}`)

// namespaceOf reads the namespace of a document in which placeholders may stand where YAML wants something else.
func namespaceOf(document []byte) (string, error) {
	var namespaced struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
	}
	err := yaml.Unmarshal(placeholder.ReplaceAll(document, []byte("unknown")), &namespaced)
	return namespaced.Metadata.Namespace, err
}

// fill replaces placeholders by what they stand for: the uid or the name of an object, in the given namespace if they
// name none, and times.
func (b *Breaker) fill(ctx context.Context, document []byte, namespace string) ([]byte, error) {
	var failed error
	filled := placeholder.ReplaceAllFunc(document, func(match []byte) []byte {
		parts := placeholder.FindSubmatch(match)
		value, err := b.stand(ctx, string(parts[1]), string(parts[3]), namespace)
		failed = errors.Join(failed, err)
		return []byte(value)
	})
	return filled, failed
}

func (b *Breaker) stand(ctx context.Context, what, text, namespace string) (string, error) {
	if what == "now" {
		var ago time.Duration
		var err error
		if text != "" {
			ago, err = time.ParseDuration(text)
		}
		return time.Now().Add(-ago).UTC().Format(metav1.RFC3339Micro), err
	}
	name, elsewhere, found := strings.Cut(text, "@")
	if found {
		namespace = elsewhere
	}
	object, err := b.Get(ctx, Object{Object: name, Namespace: namespace})
	switch {
	case err != nil:
		return "", err
	case what == "name":
		return object.GetName(), nil
	}
	return string(object.GetUID()), nil
}
