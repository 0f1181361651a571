package attribution

import "fmt"

// classFor is a class of Databases that names a controller, and whose status a program wrote.
func classFor(name, controller, writer string) string {
	return fmt.Sprintf(`
apiVersion: shop.example.com/v1
kind: DatabaseClass
metadata:
  name: %[1]s
  uid: %[1]s
  managedFields:
  - {manager: %[3]s, operation: Update, apiVersion: v1, subresource: status, time: "2026-06-01T11:00:00Z",
     fieldsType: FieldsV1, fieldsV1: {"f:status": {"f:phase": {}}}}
spec: {controllerName: %[2]s}
`, name, controller, writer)
}

// servedNameLaws are about programs that act on classes by the controller that these name, which no template shows.
func servedNameLaws() []law {
	const ours, theirs, program = "ours.example.net/databases", "theirs.example.net/databases", "database-operator"
	held := stuckOn("DatabaseClass", "shop.example.com/in-use")
	held.namespace, held.name, held.spec = "", "pro", "{controllerName: "+theirs+"}"
	may := may(writesKind, "shop.example.com", "databaseclasses", "ops/"+program)
	works := []string{isMissingSaid}
	return []law{
		{
			name: "a program that writes to classes of another controller", held: held,
			state: []string{may, runs("ops", program), classFor("lite", ours, program)},
			want: []string{
				isMissingSaid, "Likely", "of the controller " + ours, "names the controller " + theirs, "Install " + theirs,
			},
		},
		{
			name: "a program that writes to classes of both controllers", held: held, not: works, state: []string{
				may, runs("ops", program), classFor("lite", ours, program), classFor("max", theirs, program),
			},
		},
		{
			name: "a program that wrote to the class itself", held: writtenBy(held, program), not: works,
			state: []string{may, runs("ops", program), classFor("lite", ours, program)},
		},
		{
			name: "another program writes to the classes of another controller", held: held, not: works,
			state: []string{may, runs("ops", program), classFor("lite", ours, "someone")},
		},
		{
			name: "a controller that is called by a bare name", held: held, not: works,
			state: []string{may, runs("ops", program), classFor("lite", "databases", program)},
		},
		{
			name: "another program that may be the controller", held: held, not: works, state: []string{
				may, runs("ops", program), classFor("lite", ours, program), runs("theirs", "keeper"),
				mayUpdateClasses("theirs/keeper"),
			},
		},
	}
}

func mayUpdateClasses(account string) string {
	return may("get, update", "shop.example.com", "databaseclasses", account)
}
