package credential

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// shape is one in which texts have a credential in a place that its surroundings show. Only the group v goes.
type shape struct {
	hint string // one of these words, in small letters, is in every such text
	expr string
	// prose says that the value is left if it is a plain word, as in "the password is wrong".
	prose bool
}

// Parts of shapes. Each has one value.
const (
	quotedValue = `(?:"(?P<v>[^"\n]+)"|'(?P<v>(?:[^'\n]|'')+)'|` + "`(?P<v>[^`\n]+)`" + `)`
	eitherValue = `(?:` + `\\*"(?P<v>[^"\\\n]+)\\*"|'(?P<v>(?:[^'\n]|'')+)'|(?P<v>[^\s'";,)]+))`
	// no part of a name, and what is no word of prose
	beforeWord   = `(?:^|[\s"'(,;:])`
	strangeValue = `(?P<v>[^\s'"<(]*[^a-z\s'".,:;()!?-][^\s'"]*)`
	mixedValue   = `(?P<v>[^\s'"]*(?:[a-z][^\s'"]*[0-9]|[0-9][^\s'"]*[a-z])[^\s'"]*)`
	secretName   = `(?:password|passwd|passphrase|passcode)`
)

// shapesOf are all shapes that are neither assignments nor arguments of commands. Each has one value.
func shapesOf() []shape {
	return slices.Concat(shapesOfPrograms(), shapesOfMarkup(), shapesOfSentences(), shapesOfAddresses())
}

// shapesOfPrograms are those of statements, configuration files and pipes.
func shapesOfPrograms() []shape {
	return []shape{
		// databases
		{"identified", `\bidentified\s+(?:with\s+\S+\s+)?by\s+` + eitherValue, true},
		{"replace", `\bidentified\s.*\breplace\s+` + eitherValue, true},
		{"password", `\bpassword\s*(?:=\s*)?\(\s*` + quotedValue, true},
		{"password", `\bset\s+password\s+for\s+\S+\s*=\s*` + eitherValue, true},
		{"password", `\bpassword\s*=?\s*n'(?P<v>[^'\n]+)'`, false},
		{"auth", `\bauth\(\s*["'][^"'\n]*["']\s*,\s*` + quotedValue, false},
		// files of accounts
		{"login", `\blogin\s+\S+\s+password\s+(?P<v>\S+)`, true},
		{fourColons, `(?m)^[^:\s]+:(?:\d+|\*):[^:\s]+:[^:\s]+:(?P<v>\S+)$`, false},
		{"bindpw", `(?m)^\s*bindpw\s+(?P<v>\S+)`, true},
		{"rootpw", `(?m)^\s*rootpw\s+(?P<v>\S+)`, true},
		{"requirepass", `\brequirepass\s+(?P<v>\S+)`, true}, {"masterauth", `\bmasterauth\s+(?P<v>\S+)`, true},
		{"community", `\bsnmp-server\s+community\s+(?P<v>\S+)`, false},
		{"{s", `\{ss?ha[0-9]*\}(?P<v>[a-z0-9+/=]+)`, false},
		{"set ", `\bset\s+[\w/:.]*_?(?:secret_access_key|session_token|_authtoken|_password)\s+(?P<v>\S+)`, true},
		{"private-lines", `(?s)putty-user-key-file-\d:(?P<v>.*private-lines:.*)`, false},
		// pipes
		{"| ", `\b(?:echo|printf)\s+(?:-\w+\s+)*` + eitherValue +
			`\s*\|\s*(?:sudo\s+-s|passwd\s+--stdin|chpasswd|[\w-]+\s+(?:\w+\s+)*login\b[^\n|]*--password-stdin)`, false},
		{"passw", `\bpassword-(?:command|file)[= ]["'<(]+(?:echo|printf)\s+` + eitherValue, false},
		{"auth-user-pass", `\bauth-user-pass\s*<\(\s*printf\s+'[^'\n]*?\\n(?P<v>[^'\n]+)'`, false},
		{"sqlplus", `\bsqlplus\s+[\w$#]+/(?P<v>[^@\s]+)@`, false},
		{"jdbc:oracle", `\bjdbc:oracle:\w+:[\w$#]+/(?P<v>[^@\s]+)@`, false},
		{"username=", `\busername=[^\s,%]+%(?P<v>[^\s,]+)`, false},
		{"send ", `\bsend\s+\\*"(?P<v>[^"\\\n]+)[^\n]*\bpassword\b`, false},
	}
}

// shapesOfMarkup are those of XML, and of printed lists.
func shapesOfMarkup() []shape {
	return []shape{
		{"</", `<(?:\w+:)?[\w.-]*(?:` + secretName +
			`|secret|token|(?:api|secret|access|auth|private)[_-]?key|credential)\b` +
			`[^<>]*>\s*(?:<!\[cdata\[)?(?P<v>[^<>\[\]]+)`, false},
		{"<name>", `<name>[^<>]*(?:` + secretName + `|secret|token|api-?key)\s*</name>\s*<value>(?P<v>[^<>]+)`, false},
		{"&lt;", `&lt;[\w:.-]*(?:` + secretName + `|secret|token)&gt;(?P<v>[^&<>]+)`, false},
		{"...", `(?:` + secretName + `|secret|token|api_?key)\.{3,}(?P<v>[^\s.]\S*)`, true}, // a list with dots between
		// Go's print of an environment variable, and pairs in lists
		{"{", `\{[A-Z0-9_]*(?:password|passwd|token|secret|api_?key|credentials?)\s(?P<v>[^\s{}]+)\s`, true},
		{"password", `["']` + secretName + `["']\s*,\s*["'](?P<v>[^"'\n]+)["']\s*[\])]`, false},
	}
}

func shapesOfSentences() []shape {
	return []shape{
		{"pass", beforeWord + secretName + `\s+(?:for\s+\S+\s+)?(?:is|was|to|set to)\s*:?\s+` +
			`(?:` + quotedValue + `|` + strangeValue + `)`, true},
		{"pass", beforeWord + secretName + `\s+` + quotedValue, true},
		{"pass", beforeWord + secretName + `\s+` + mixedValue, true},
		{"key is", beforeWord + `(?:secret|access|api|private) key is ` + quotedValue, true},
		{"passphrase", `\bpassphrase\s+(?P<v>[^\s'"]*[0-9][^\s'"]*)`, true},
		{"token", `\b(?:using|invalid|bad|wrong|with|expired)\s+token\s+` + quotedValue, true},
		{"api", `\bapi[ _-]?key\s+(?:provided:?\s+|is\s+)?` + quotedValue, true},
		{"api", `\bapi key\s+(?:provided:?\s+)?(?P<v>[a-z0-9_*-]*[0-9][a-z0-9_*-]{5,}|[a-z0-9_*-]{6,}[0-9])`, true},
		{"token", `\btoken\s+(?P<v>[a-z0-9]{6}\.[a-z]*[0-9][a-z0-9]{10,})\b`, false},
		{"secret_id=", `\bsecret_id=(?P<v>[^\s&"']+)`, false},
		{"secret", `\bsecret "value"\s*:\s*(?P<v>\S+)`, false},
	}
}

// shapesOfAddresses are those of addresses that are secrets, because who knows them may post there, and of what signs
// requests.
func shapesOfAddresses() []shape {
	const hook = `\bhttps?://[^\s/"'<>]+/(?:\S*/)?(?:web-?)?`
	return []shape{
		{"hook/", hook + `hook/(?:catch/)?(?P<v>[^\s"'<>]*[0-9x][^\s"'<>]*)`, false},
		{"hooks/", hook + `hooks/(?:catch/)?(?P<v>[^\s"'<>]*[0-9x][^\s"'<>]*)`, false},
		{"pagerduty", `\bevents\.pagerduty\.com/integration/(?P<v>[^\s"'<>/]+)`, false},
		{"ifttt", `\bmaker\.ifttt\.com/\S*/key/(?P<v>[^\s"'<>/]+)`, false},
		{"hc-ping", `\bhc-ping\.com/(?P<v>[^\s"'<>/]+)`, false},
		{"%3a", `\w+%3a%2f%2f[^\s%]+%3a(?P<v>[^\s%]+)%40`, false},
		{"digest", `\bdigest\s[^\n]*\bresponse="(?P<v>[^"]+)"`, false},
		{"aws4", `\bsignature=(?P<v>[a-z0-9]+)`, false},
		{"awsaccesskeyid=", `[?&]awsaccesskeyid=(?P<v>[^\s&"']+)`, false},
		{"code=", `[?&]code=(?P<v>[^\s&"'<>]+)`, false}, {"key=", `[?&]key=(?P<v>[^\s&"'<>]+)`, false},
	}
}

// fourColons are in a text, in any places.
const fourColons = "::::"

// compiled are the shapes with their expressions, made when they are first needed.
var compiled = sync.OnceValue(func() []compiledShape {
	var all []compiledShape
	for _, one := range shapesOf() {
		found := compiledShape{shape: one, expression: regexp.MustCompile(`(?i)` + one.expr)}
		for group, name := range found.expression.SubexpNames() {
			if name == "v" {
				found.values = append(found.values, group)
			}
		}
		all = append(all, found)
	}
	return all
})

type compiledShape struct {
	shape
	expression *regexp.Regexp
	values     []int // the groups; one has matched
}

// mayBeIn reports whether a text in small letters has the hint of a shape, by its pairs first.
func (s compiledShape) mayBeIn(small string, pairs *pairs) bool {
	if s.hint == fourColons {
		return strings.Count(small, ":") >= len(fourColons)
	}
	return pairs.mayHave(s.hint) && strings.Contains(small, s.hint)
}

// withoutShapes takes out of a text the values of the shapes in it.
func withoutShapes(text string) string {
	small := strings.ToLower(text)
	pairs := pairsOf(small)
	for _, one := range compiled() {
		if !one.mayBeIn(small, &pairs) {
			continue
		}
		var spans [][2]int
		for _, match := range one.expression.FindAllStringSubmatchIndex(text, -1) {
			for _, group := range one.values {
				from, to := match[2*group], match[2*group+1]
				if from < 0 || strings.HasPrefix(text[from:], Removed) || one.prose && plainWord(text[from:to]) {
					continue
				}
				spans = append(spans, [2]int{from, to})
			}
		}
		if len(spans) > 0 {
			text = replaced(text, spans)
			small = strings.ToLower(text)
			pairs = pairsOf(small)
		}
	}
	return text
}
