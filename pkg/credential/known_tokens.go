package credential

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// form is one in which credentials stand by themselves.
type form struct {
	hints      []string // a text without any of these isn't looked at
	unbroken   int      // nor one in which fewer characters than these follow it before a blank
	expression *regexp.Regexp
	with       string
}

// mayBeIn reports whether a text may have the form, by its pairs first.
func (f form) mayBeIn(text string, pairs *pairs) bool {
	return slices.ContainsFunc(f.hints, func(hint string) bool {
		for pairs.mayHave(hint) {
			at := strings.Index(text, hint)
			if at < 0 || f.unbroken == 0 {
				return at >= 0
			}
			if text = text[at+len(hint):]; upTo(text[:min(f.unbroken, len(text))], " \n") == f.unbroken {
				return true
			}
		}
		return false
	})
}

// forms are compiled once, when they are first needed.
var forms = sync.OnceValue(func() []form {
	all := []form{
		{
			[]string{"-----BEGIN"}, 0,
			regexp.MustCompile(`(?s)-----BEGIN [A-Z0-9 ]*-----.*?(-----END [A-Z0-9 ]*-----|$)`), Removed,
		},
		{[]string{"AGE-SECRET"}, 0, regexp.MustCompile(`AGE-SECRET-KEY-1[A-Za-z0-9]+`), Removed},
		// JSON web tokens, also encrypted or cut off
		{[]string{"eyJ"}, 0, regexp.MustCompile(`eyJ[A-Za-z0-9_=-]{5,}(\.[A-Za-z0-9_=-]*)*`), Removed},
		{
			[]string{"earer", "EARER", "asic", "ASIC", "igest", "egotiate"}, 0,
			regexp.MustCompile(`\b((?i:bearer[ \t]+(?:token[ \t]+)?|basic[ \t]+|negotiate[ \t]+))` + valueLike),
			"${1}" + Removed,
		},
		// Vault's older ones: the first parts of a domain, before a slash, may look so
		{
			[]string{"s."}, shortestToken,
			regexp.MustCompile(`\bs\.[A-Za-z0-9]{24}(\.?(?:[^\w/.-]|$))`), Removed + "${1}",
		},
		// addresses that are secrets: who knows them may post there
		{
			[]string{"slack"}, shortestToken,
			regexp.MustCompile(`(hooks\.slack(?:-gov)?\.com/)[^\s"'<>]+`), "${1}" + Removed,
		},
		{
			[]string{"office", "azure"}, 0,
			regexp.MustCompile(`((?:(?:webhook|outlook)\.office(?:365)?|logic\.azure)\.com(?::\d+)?/)[^\s"'<>]+`),
			"${1}" + Removed,
		},
		{
			[]string{"discord"}, shortestToken,
			regexp.MustCompile(`(discord(?:app)?\.com/api/webhooks/)[^\s"'<>]+`), "${1}" + Removed,
		},
		{[]string{"telegram"}, shortestToken, regexp.MustCompile(`(api\.telegram\.org/bot)[^\s"'<>/]+`), "${1}" + Removed},
	}
	for _, shape := range []struct{ hint, expression string }{
		{"AKIA", `AKIA[A-Z0-9]{12,}`}, {"ASIA", `ASIA[A-Z0-9]{12,}`}, // AWS
		{"AIza", `AIza[A-Za-z0-9_-]{30,}`}, {"ya29.", `ya29\.[A-Za-z0-9_.-]{10,}`}, // Google
		{"GOOG1", `GOOG1[A-Z0-9]{20,}`}, {"GOCSPX-", `GOCSPX-[A-Za-z0-9_-]{10,}`}, {"1//0", `1//0[A-Za-z0-9_-]{20,}`},
		{"8Q~", `[A-Za-z0-9_.~-]*8Q~[A-Za-z0-9_.~-]{10,}`},                                    // Microsoft Entra
		{"gh", `gh[pousr]_[A-Za-z0-9]{16,}`}, {"github_pat_", `github_pat_[A-Za-z0-9_]{16,}`}, // GitHub
		{"gl", `gl(?:pat|ptt|dt|rt|cbt|agent|oas|ft|imt|soat)-[A-Za-z0-9_-]{10,}`},              // GitLab
		{"xox", `xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{8,}`}, {"xapp-", `xapp-[A-Za-z0-9-]{8,}`}, // Slack
		{"sk rk", `\b[sr]k[-_](?:live|test|proj|ant|or)[-_][A-Za-z0-9_-]{8,}`},
		{"sk-", `\bsk-[A-Za-z0-9]{20,}`},                                                        // Stripe, OpenAI
		{"hv", `\bhv[sbr]\.[A-Za-z0-9_-]{10,}`},                                                 // Vault
		{"SG.", `SG\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`}, {"npm_", `npm_[A-Za-z0-9]{20,}`}, // SendGrid, npm
		{"dckr_pat_", `dckr_[a-z]+_[A-Za-z0-9_-]{16,}`}, {"pypi-", `pypi-[A-Za-z0-9_-]{20,}`}, // Docker, PyPI
		{"do", `do[opr]_v1_[a-f0-9]{20,}`}, {"dapi", `\bdapi[a-f0-9]{32}`}, {"EAA", `\bEAA[A-Za-z0-9]{30,}`}, // others
		{"whsec_", `whsec_\w{16,}`}, {"glsa_", `glsa_\w{20,}`}, {"hf_", `\bhf_[A-Za-z]{20,}`},
		{"dp.", `\bdp\.[a-z]+(?:\.\w+)?\.\w{30,}`},
		{"shp", `shp(?:at|ca|pa|ss)_[a-f0-9]{20,}`}, {"key-", `\bkey-[a-f0-9]{32}\b`}, {"SK", `\bSK[a-f0-9]{32}\b`},
		{"ATATT", `ATATT[\w=-]{20,}`}, {"sq0", `sq0[a-z]{3}-[\w-]{16,}`}, {"pscale_", `pscale_[a-z]+_[\w-]{16,}`},
		{"PMAK-", `PMAK-[\w-]{20,}`}, {"fm", `\bfm[12][a-z]?_[A-Za-z0-9+/=]{10,}`}, {"sha256~", `sha256~[\w-]{16,}`},
		{".atlasv1.", `\w+\.atlasv1\.[\w-]{20,}`},
		{"$", `\$(?:2[abxy]|1|5|6|y|apr1|argon2(?:id|i|d)|scrypt)\$[A-Za-z0-9./$=,+-]{16,}`}, // hashed passwords
		{"~", `(?i)\b[a-z0-9]{3}7Q~[A-Za-z0-9_.~-]{20,}`}, {"NRAK-", `NRAK-[A-Z0-9]{20,}`}, {"lin_", `lin_api_\w{20,}`},
	} {
		all = append(all, form{strings.Fields(shape.hint), shortestToken, regexp.MustCompile(shape.expression), Removed})
	}
	return all
})

// shortestToken is how many characters any token has behind its hint.
const shortestToken = 8

// valueLike is what follows the name of a scheme of authorization, and is no word of prose.
const valueLike = `[A-Za-z0-9._~+/=-]*(?:[0-9=+/_~]|[a-z][A-Z])[A-Za-z0-9._~+/=-]*`
