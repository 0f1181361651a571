package mechanism

import (
	"testing"
	"time"
)

func TestDefinitionCleanup(t *testing.T) {
	old, young := databases(deleted(time.Hour, cleanup), withoutOne), databases(deleted(time.Second, cleanup), withoutOne)
	held := manifest("shop.example.com/v1", "Database", "shop", "db", deleted(time.Hour, "shop.example.com/cleanup"), "")
	alive := manifest("shop.example.com/v1", "Database", "shop", "db", "", "")
	const waits, note = "wait Database shop/db", "InstancesToDelete " + definition
	runCases(t, []mechanismCase{
		{name: "an instance that is Terminating", objects: old + held, told: []string{waits}},
		{name: "an instance that nobody has deleted", objects: old + alive, told: []string{waits, "open " + note}},
		{name: "a moment ago", objects: young + alive, told: []string{waits, "progress " + note}},
		{name: "none is left", objects: old, told: []string{"open " + note}},
		{name: "instances that may not be read", objects: old + held, deny: "databases"},
	})
}
