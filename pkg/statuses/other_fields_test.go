package statuses_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// TestInOtherFields wants what a status says in fields of any name, where nothing else in it says anything.
func TestInOtherFields(t *testing.T) {
	for name, test := range map[string]struct{ status, where, words string }{
		"another language": {`{meldung: "Speicher ist nicht erreichbar"}`, "status.meldung", "Speicher ist nicht erreichbar"},
		"an error in another language": {`{erreur: {code: E42, texte: volume introuvable}}`, "status.erreur.texte",
			"volume introuvable"},
		"a field of no telling name": {`{lastAttempt: "rpc error: code = PermissionDenied"}`, "status.lastAttempt",
			"rpc error: code = PermissionDenied"},
		"conditions of other names": {`{condiciones: [{tipo: Eliminado, mensaje: la zona no permite borrar}]}`,
			"status.condiciones[0].mensaje", "la zona no permite borrar"},
		"an exit code":           {`{job: {exitCode: 137, name: wipe}}`, "status.job.exitCode", "exitCode: 137"},
		"an exit code that is 0": {`{job: {exitCode: 0, name: wipe}}`, "", ""},
		"a message is enough":    {`{message: still at it, note: the weather is fine}`, "status.message", "still at it"},
		"names and versions":     {`{image: Ubuntu 22.04, machine: Standard D4, at: "2026-01-02 11:00"}`, "", ""},
		"what has been":          {`{history: [{event: the creation has failed}]}`, "", ""},
	} {
		for written, seen := range map[string]bool{"2026-01-02T11:30:00Z": true, "2026-01-02T10:30:00Z": false} {
			object := &unstructured.Unstructured{}
			document := `{apiVersion: a/v1, kind: K, metadata: {name: x, deletionTimestamp: "2026-01-02T11:00:00Z", ` +
				`managedFields: [{manager: m, subresource: status, time: "` + written + `", ` +
				`fieldsV1: {"f:status": {}}}]}, status: ` + test.status + `}`
			if err := yaml.Unmarshal([]byte(document), &object.Object); err != nil {
				t.Fatal(err)
			}
			said := statuses.Sayings(object)
			switch {
			case test.words == "" || !seen:
				if len(said) > 0 {
					t.Errorf("%s, written %s: %+v", name, written, said)
				}
			case len(said) != 1 || said[0].Where != test.where || said[0].Words != test.words:
				t.Errorf("%s: %+v, want %s: %s", name, said, test.where, test.words)
			}
		}
	}
}
