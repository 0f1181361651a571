package snapshot

import "testing"

func TestRedactExpression(t *testing.T) {
	n := newNames()
	for _, name := range []string{"payroll", "key"} {
		n.meet(name)
	}
	n.settle()
	payroll, key := n.by["payroll"], n.by["key"]
	for given, want := range map[string]string{
		`oldObject.metadata.name != 'key'`: `oldObject.metadata.name != '` + key + `'`,
		`object.metadata.labels['key'] in ['payroll', "key"]`: `object.metadata.labels['key'] in ['` + payroll +
			`', "` + key + `"]`,
		`request.userInfo.username.startsWith("system:node:payroll")`: `request.userInfo.username.startsWith("system:node:` +
			payroll + `")`,
		`payroll.key == 'it\'s'`: `payroll.key == 'it\'s'`,
		`'unclosed payroll`:      `'unclosed ` + payroll,
		`'`:                      `'`,
		`'\`:                     `'\`,
		``:                       ``,
	} {
		if got := n.expression(given); got != want {
			t.Errorf("%s: got %s, want %s", given, got, want)
		}
	}
}
