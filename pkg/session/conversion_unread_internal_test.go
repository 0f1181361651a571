package session

import (
	"errors"
	"testing"
)

// TestWhyUnread tells a conversion webhook that fails from what is damaged in storage.
func TestWhyUnread(t *testing.T) {
	const corrupt = "StorageError: corrupt object, Code: 7, Key: /x/vats/lab/a, ResourceVersion: 0, " +
		"AdditionalErrorMsg: object not decodable revision=7: "
	const convert = `conversion webhook for x.example.com/v1, Kind=Vat failed: Post "https://hook": not found`
	for words, want := range map[string]string{
		corrupt + convert:                               "its conversion webhook failed",
		corrupt + "invalid character":                   "what is stored can't be read",
		corrupt + convert + "; " + corrupt + "bad data": "what is stored can't be read",
		"connection refused":                            "failed",
	} {
		if got := WhyUnread(errors.New(words)); got != want && want != "failed" || got == "" {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
