// Package credential removes credentials from texts: passwords in addresses and connection strings, tokens, keys, what
// is assigned to a name that says that it is secret, and all that in encoded form. It knows them by their form alone:
// it can't find a secret that looks like a plain word, with nothing before it that calls it secret.
//
// This package may change at any time.
package credential

import (
	"strconv"
	"strings"
)

// Removed stands where a credential was: one word, which every form takes for the credential that it was.
const Removed = "(hidden)"

// mostLayers is how many encodings within one another are looked into.
const mostLayers = 3

// Clean returns a text without its credentials. What was cleaned stays as it is when it is cleaned again.
func Clean(text string) string {
	for range mostRounds { // what is left of one form may be another
		cleaned := clean(text, mostLayers)
		if cleaned == text {
			break
		}
		text = cleaned
	}
	return text
}

const mostRounds = 8

// CleanCode returns a program without the credentials in it, if their form alone shows them. A value that it compares
// with a name that says that it is secret stays.
func CleanCode(program string) string {
	return withoutEncoded(withoutUsers(standingAlone(program)), mostLayers)
}

// Has reports whether a text has the form of a credential, or holds one.
func Has(text string) bool { return Clean(text) != text }

func clean(text string, layers int) string {
	if len(text) < shortest {
		return text
	}
	text = withoutUsers(withoutBootstrapTokens(standingAlone(text)))
	text = withoutArguments(withoutShapes(text))
	text = withoutAssigned(text)
	return withoutEncoded(text, layers)
}

// shortest is the length of the shortest text that is looked at: pwd=x.
const shortest = 5

// standingAlone takes out what has the form of a credential by itself.
func standingAlone(text string) string {
	pairs := pairsOf(text)
	for _, form := range forms() {
		if form.mayBeIn(text, &pairs) {
			text = form.expression.ReplaceAllString(text, form.with)
		}
	}
	return text
}

// Keeping returns Clean for texts in which some names may stand that look like credentials and are none. They stay.
func Keeping(names []string) func(string) string {
	if len(names) == 0 {
		return Clean
	}
	var hides, shows []string
	for i, name := range names {
		hidden := string(placeFrom) + strconv.Itoa(i) + string(placeTo)
		hides, shows = append(hides, name, hidden), append(shows, hidden, name)
	}
	hide, show := strings.NewReplacer(hides...), strings.NewReplacer(shows...)
	return func(text string) string {
		if strings.ContainsRune(text, placeFrom) { // what has such characters of its own could be taken for a name
			return Clean(text)
		}
		return show.Replace(Clean(hide.Replace(text)))
	}
}

// What replaces a name for a while is no word to any form: its ends are characters that no text should have.
const placeFrom, placeTo = '\ue000', '\ue001'
