package attribution

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestNameNeverConvicts asks about programs to which only names lead, in all combinations of what they are called, may
// do, and how they fare, of who set the finalizer, and of the ways by which a search goes: none is said to be the
// controller that is down, forbidden or missing. The exception is an operator by its name that reads the kind, may do
// everything, or has lost all rights: it is only likely, and only if no other program set the finalizer, unless it is
// the kind's own and may remove it.
func TestNameNeverConvicts(t *testing.T) {
	names := []string{"policy-controller", "database-backup", "shop-backup", "database-operator", "shop-operator"}
	ways := []stuck{
		database(), database("another"), stuckOn("ConfigMap", "shop.example.com/cleanup"),
		stuckOn("ConfigMap", "shop.example.com/cleanup", "another"),
	}
	rights := map[string]func(string) string{
		"none": func(string) string { return "" }, "reads": func(name string) string { return readsDatabases("lab/" + name) },
		"everything": func(name string) string { return may(`"*"`, "*", "*", "lab/"+name) },
	}
	states := map[string]func(namespace, name string) string{
		"up": runs, "at 0": stopped, "gone": func(string, string) string { return "" },
	}
	for _, name := range names {
		for _, way := range ways {
			for may, grant := range rights {
				for fares, program := range states {
					if may == "everything" && fares == "up" {
						continue // it may be the controller, and nothing is said against it
					}
					got := toldIn(t, grant(name)+"\n---\n"+program("lab", name), way)
					operates := strings.HasSuffix(name, "-operator") && (len(way.managers) == 0 ||
						name == "database-operator" && may == "everything" && way.kind == "Database")
					for _, verdict := range convictions(got, "lab/"+name) {
						if !operates || strings.Contains(verdict, "Proven") {
							t.Errorf("%s, rights %s, %s, %s set by %s: %s", name, may, fares, way.kind, way.managers, verdict)
						}
					}
				}
			}
		}
	}
}

// TestCataloguedNameNeverConvicts asks about a program that has nothing of the catalogue's but a name.
func TestCataloguedNameNeverConvicts(t *testing.T) {
	for fares, program := range map[string]func(namespace, name string) string{"up": runs, "at 0": stopped} {
		for _, of := range []stuck{challenge(), challenge("another")} {
			got := toldIn(t, program("lab", "cert-manager"), of)
			if all := convictions(got, "lab/cert-manager"); len(all) > 0 {
				t.Errorf("%s, set by %s: %s", fares, of.managers, all)
			}
		}
	}
}

// convictions are the lines of an answer that call something the controller, and say that it isn't there or may not
// work.
func convictions(answer, program string) (found []string) {
	confident := []string{
		isDownSaid + " Deployment", isForbiddenSaid + " ", "it probably ran as ServiceAccount " + program,
	}
	for line := range strings.Lines(answer) {
		says := func(word string) bool { return strings.Contains(line, word) }
		if slices.ContainsFunc(confident, says) {
			found = append(found, fmt.Sprint(line))
		}
	}
	return found
}

// TestPartOfKnownProjectIsNoName asks about an operator with a word of the finalizer's domain: below the domain of a
// project that the catalogue knows, the word may be anything, and below another domain it names the project.
func TestPartOfKnownProjectIsNoName(t *testing.T) {
	objects := may(`"get", "update"`, "", "configmaps", "lab/backup-operator") + "\n---\n" +
		stopped("lab", "backup-operator")
	for finalizer, convicts := range map[string]bool{"backup.velero.io/keep": false, "backup.acme.io/keep": true} {
		got := convictions(toldIn(t, objects, stuckOn("ConfigMap", finalizer)), "lab/backup-operator")
		if (len(got) > 0) != convicts {
			t.Errorf("%s: convicted by %q, want %v", finalizer, got, convicts)
		}
	}
}
