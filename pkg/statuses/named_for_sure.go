package statuses

import "strings"

// How sure it is that a word behind one for a kind is the name of an object.
const (
	MayBeName    = iota // a word of prose as well: "bucket policy not found"
	LooksLikeOne        // no plain word: secret cloud-creds
	IsName              // quoted, with its namespace, or right before what is said of it: "cf", shop/cf, cf not found
)

// SureOf says how sure it is that a reference, which Named has found, is one to an object. A word behind a colon may
// begin another statement: "cannot empty bucket: multi-part uploads not found".
func (s Statement) SureOf(reference Reference) int {
	text, name := strings.ToLower(s.Words), strings.ToLower(reference.Name)
	for _, quotes := range [][2]string{
		{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"‘", "’"}, {`\"`, `\"`}, {"/", ""},
	} {
		if strings.Contains(text, quotes[0]+name+quotes[1]) {
			return IsName
		}
	}
	if !strings.ContainsAny(name, "-._0123456789") {
		return MayBeName
	}
	for _, kind := range reference.Kinds {
		if strings.Contains(text, strings.ToLower(kind)+": "+name) {
			return MayBeName
		}
		for _, absent := range []string{" not found", " does not exist", " doesn't exist", " is missing", " is gone"} {
			if strings.Contains(text, strings.ToLower(kind)+" "+name+absent) {
				return IsName
			}
		}
	}
	return LooksLikeOne
}
