package statuses

import "testing"

func TestRefusingQuota(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		`pods "x" is forbidden: exceeded quota: tiny, requested: pods=1, used: pods=1, limited: pods=1`: "tiny",
		`pods "x" is forbidden: failed quota: tiny: must specify cpu`:                                   "tiny",
		"exceeded quota: tiny": "tiny",
		"the quota is used up": "",
	} {
		if got := RefusingQuota(words); got != want {
			t.Errorf("%s: %q, want %q", words, got, want)
		}
	}
}
