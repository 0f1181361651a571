package snapshot

import "strings"

// expression replaces the names in the texts of a CEL expression. What it compares with names would
// otherwise come out differently, and would still be readable. A text between brackets that follow a word
// is the key of a field, and stays.
func (n *names) expression(expression string) string {
	var out strings.Builder
	for at := 0; at < len(expression); {
		quote := expression[at]
		if quote != '\'' && quote != '"' {
			out.WriteByte(quote)
			at++
			continue
		}
		end := at + 1
		for end < len(expression) && expression[end] != quote {
			if expression[end] == '\\' {
				end++
			}
			end++
		}
		if end = min(end, len(expression)); isIndex(expression[:at]) {
			out.WriteString(expression[at:end])
		} else {
			out.WriteByte(quote)
			out.WriteString(n.text(expression[at+1 : end]))
		}
		if end < len(expression) {
			out.WriteByte(quote)
		}
		at = end + 1
	}
	return out.String()
}

// isIndex tells whether what comes next is a key: an opening bracket, and before it what is looked into.
func isIndex(before string) bool {
	before, bracket := strings.CutSuffix(strings.TrimRight(before, " "), "[")
	return bracket && before != "" && (inName(before[len(before)-1]) || strings.ContainsAny(before[len(before)-1:], "_)]"))
}
