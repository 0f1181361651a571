package statuses_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

func TestTellsError(t *testing.T) {
	for annotation, want := range map[string]bool{
		"acme.io/last-error": true, "acme.io/failure-message": true, "lastError": true, "acme.io/errors": true,
		"acme.io/error-page": false, "acme.io/message": false, "acme.io/": false, "errors.acme.io/paused": false,
	} {
		if got := statuses.TellsError(annotation); got != want {
			t.Errorf("%s tells of an error: %v, want %v", annotation, got, want)
		}
	}
}

func TestReportsOfAnnotations(t *testing.T) {
	const trouble = "failed to release it"
	for name, test := range map[string]struct {
		value, written string
		words          string // none if empty
		seen, before   bool
	}{
		"written since the deletion": {
			value: trouble, written: "2026-01-02T12:00:00Z", words: trouble, seen: true,
		},
		"written long before the deletion": {
			value: trouble, written: "2026-01-01T12:00:00Z", words: trouble, before: true,
		},
		"nobody knows by whom": {value: trouble},
		"no error":             {value: "no error was found", written: "2026-01-02T12:00:00Z"},
		"no sentence":          {value: "false", written: "2026-01-02T12:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			object := &unstructured.Unstructured{}
			document := `{apiVersion: acme.io/v1, kind: Farm, metadata: {name: x, deletionTimestamp: "2026-01-02T11:00:00Z", ` +
				`annotations: {acme.io/last-error: "` + test.value + `"}`
			if test.written != "" {
				document += `, managedFields: [{manager: farm, operation: Update, time: "` + test.written + `", ` +
					`fieldsType: FieldsV1, fieldsV1: {"f:metadata": {"f:annotations": {"f:acme.io/last-error": {}}}}}]`
			}
			if err := yaml.Unmarshal([]byte(document+"}}"), &object.Object); err != nil {
				t.Fatal(err)
			}
			reports := statuses.Reports(object)
			if test.words == "" {
				if len(reports) > 0 {
					t.Errorf("reports %v, want none", reports)
				}
				return
			}
			if len(reports) != 1 || reports[0].Words != test.words || reports[0].Seen != test.seen ||
				reports[0].Before != test.before {
				t.Errorf("reports %v, want %q, seen %v, before %v", reports, test.words, test.seen, test.before)
			}
		})
	}
}
