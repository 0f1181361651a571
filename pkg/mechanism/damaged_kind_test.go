package mechanism

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// corrupt is what the server says of a database in storage that it can't hand out.
func corrupt(name, why string) string {
	return fmt.Sprintf("failed to read one or more databases.shop.example.com from the storage: "+
		"StorageError: corrupt object, Code: 7, Key: /registry/shop.example.com/databases/shop/%s, "+
		"ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=309: %s", name, why)
}

const unconverted = "conversion webhook for shop.example.com/v0, Kind=Database failed: refused"

// databases is a definition whose objects are stored in v0 and read in v1.
func databases(meta, more string) string {
	return manifest("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "databases.shop.example.com", meta,
		"spec: {group: shop.example.com, scope: Namespaced, names: {plural: databases, kind: Database}, "+
			"versions: [{name: v0, served: true, storage: true}, {name: v1, served: true}], conversion: "+more+"}\n"+
			"status: {storedVersions: [v0]}")
}

const (
	byWebhook  = "{strategy: Webhook, webhook: {clientConfig: {service: {namespace: ext, name: converter}}}}"
	withoutOne = "{strategy: None}"
	definition = "CustomResourceDefinition databases.shop.example.com"
	cleanup    = "customresourcecleanup.apiextensions.k8s.io"
)

func TestDamagedKind(t *testing.T) {
	going := databases(deleted(time.Hour, cleanup), byWebhook)
	undecodable := "cause UndecodableObject UndecodableInStorage " + definition
	owner := configMap("owner", deleted(time.Hour, "foregroundDeletion"))
	for _, c := range []struct {
		name, objects, damage string
		told                  []string
	}{
		{
			name: "conversion fails, of a definition", objects: going, damage: corrupt("db", unconverted),
			told: []string{"cause ConversionWebhookUnavailable ConversionFails " + definition},
		},
		{
			name: "conversion fails, of a namespace's content", damage: corrupt("db", unconverted),
			objects: goingNamespace(time.Hour, reports("NamespaceDeletionContentFailure", corrupt("db", unconverted))) +
				databases("", byWebhook) + managerRuns(),
			told: []string{"wait " + definition, "  cause ConversionWebhookUnavailable ConversionFails " + definition},
		},
		{
			name:    "conversion fails, and the namespace controller says nothing",
			objects: goingNamespace(time.Hour, "") + databases("", byWebhook) + managerRuns(),
			damage:  corrupt("db", unconverted),
			told: []string{"wait " + definition, "  cause ConversionWebhookUnavailable ConversionFails " + definition,
				"later ContentNotReported"},
		},
		{
			name: "an object doesn't decode", objects: databases(deleted(time.Hour, cleanup), withoutOne),
			damage: corrupt("db", "illegal base64"),
			told:   []string{undecodable},
		},
		{
			name:    "two objects don't decode, told once",
			damage:  corrupt("db", "illegal base64") + ", " + corrupt("other", "illegal base64"),
			objects: owner + databases("", withoutOne) + managerRuns(),
			told:    []string{"wait " + definition, "  " + undecodable},
		},
		{
			name:    "nobody knows what doesn't decode",
			damage:  "StorageError: corrupt object, Code: 7, Key: /registry/odd, AdditionalErrorMsg: x",
			objects: databases(deleted(time.Hour, cleanup), withoutOne), told: []string{"open SomethingUndecodable"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			tools := toolsWith(t, c.objects, func(memory *clustertest.Memory) {
				memory.Break("databases", errors.New(c.damage))
			})
			checkTold(t, c.told, askTools(t, tools, c.objects))
		})
	}
}
