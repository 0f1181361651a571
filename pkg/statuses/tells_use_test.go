package statuses

import "testing"

func TestTellsUse(t *testing.T) {
	for words, want := range map[string]bool{
		"InUse: still referenced by Pipeline lab/etl": true,
		"topic orders must be deleted first":          true,
		"Bucket logs still uses this key":             true,
		"waiting for Pipeline lab/etl":                false,
		"no longer used by Pipeline lab/etl":          false,
		"it isn't referenced by Pipeline etl":         false,
		"deleting the users of Pipeline etl":          false,
		"":                                            false,
	} {
		if got := TellsUse(words); got != want {
			t.Errorf("%q: %v", words, got)
		}
	}
}
