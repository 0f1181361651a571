package statuses

import "testing"

func TestUsersNamed(t *testing.T) {
	for words, want := range map[string]string{
		"InUse: still referenced by Pipeline lab/etl":       "Pipeline lab/etl",
		"Bucket logs is used by Pipeline etl":               "Pipeline etl",
		"Topic orders must be deleted first":                "Topic orders ",
		"Attached: still attached to Instance web-1":        "Instance web-1",
		"cannot be deleted: still bound to Claim data":      "Claim data",
		"attached to Instance web-1":                        "", // it may be well that it is
		"not attached to Instance web-1":                    "",
		"still needs ConfigMap settings":                    "", // it may be the object that needs it
		"depends on Job cleanup":                            "",
		"this bucket must be deleted before Topic old":      "",
		"waiting for Pipeline lab/etl":                      "",
		"no longer used by Pipeline lab/etl":                "",
		"it isn't referenced by Pipeline etl":               "",
		"":                                                  "",
		"failed to delete: still in use by Deployment web":  "Deployment web",
		"the vat can't go: it is used by Pipeline etl":      "Pipeline etl",
		"could not delete it, since it's used by Topic a":   "Topic a",
		"cannot say whether this is used by Pipeline etl":   "",
		"waiting for Vessel shop/aurora to leave":           "Vessel shop/aurora",
		"Releasing: waiting on Guest g1 to let go; 2nd try": "Guest g1",
		"waiting for Vessel shop/aurora to become ready":    "",
		"waiting for Machine a to be deleted":               "", // by who waits, perhaps
		"not waiting for Vessel aurora to leave":            "",
		"blockedBy: Lock.example.org shop/nightly":          "Lock.example.org shop/nightly",
		"inUseBy: Lock a, Lock b":                           "Lock a, Lock b",
		"ownedBy: Lock a":                                   "",
		"deleted: true, not used by Pipeline etl any more":  "",
	} {
		if got := UsersNamed(words); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
