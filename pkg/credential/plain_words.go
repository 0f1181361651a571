package credential

import (
	"strings"
	"sync"
)

// plainWord reports whether a word is a part of a sentence, rather than being a value: "token: expired",
// "--token and --username", "the password is wrong". No password is one of these.
func plainWord(word string) bool { return plainWords()[tidy(word)] }

// noun reports whether a word begins a sentence if another one follows.
func noun(word string) bool { return nouns()[tidy(word)] }

func tidy(word string) string {
	return strings.ToLower(strings.TrimRight(word, ".,:;!?)"))
}

// setOf returns words as a set, which is made once.
func setOf(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for _, word := range strings.Fields(words) {
			set[word] = true
		}
		return set
	})
}

// plainWords are function words, and what messages say of a credential.
var plainWords = setOf(`
a an the this that these those it its they them their his her my you your we our he she i one all any some each
every both no none nobody and or but nor so if then else when while where which who whose what how why because
unless until than as is isn't are aren't was wasn't were be been being has hasn't have haven't had do does
doesn't don't did didn't can can't cannot could couldn't may might must mustn't should shouldn't will won't
would wouldn't not never neither of in on at to from for by with without about into over under after before
between through during since per via expired expires revoked denied required missing invalid valid malformed
empty unset set given used unused refused rejected failed failing forbidden unauthorized unauthenticated unknown
undefined unsupported unavailable deleted created updated rotated disabled enabled wrong incorrect mismatch
mismatched absent present found unable already still only also too yes true false null nil optional default
strict string strings int bool duration file stringarray again please use using see check sign try instead
permission unexpected gone`)

// nouns are subjects of messages.
var nouns = setOf(`
secret secrets token password field value key error request access authentication user client account role
certificate object resource server webhook yaml json illegal failed operation cannot name namespace
context connection dial read write lookup net http rpc post get put i/o timed timeout tls x509 eof`)
