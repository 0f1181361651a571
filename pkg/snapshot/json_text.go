package snapshot

import (
	"encoding/json"
	"strconv"
	"time"
)

// jsonText is JSON that is written piece by piece, without reflection.
type jsonText struct{ data []byte }

func (j *jsonText) begin() { j.data = append(j.data, '{') }

func (j *jsonText) end() { j.data = append(j.data, '}') }

// comma separates what comes next from what stands before it.
func (j *jsonText) comma() {
	if last := j.data[len(j.data)-1]; last != '{' && last != '[' {
		j.data = append(j.data, ',')
	}
}

// key begins a member. Names of fields need no escapes.
func (j *jsonText) key(name string) {
	j.comma()
	j.data = append(append(append(j.data, '"'), name...), '"', ':')
}

// text appends a text. What needs escapes is left to encoding/json.
func (j *jsonText) text(text []byte) {
	for _, c := range text {
		if c < 0x20 || c > 0x7e || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			encoded, _ := json.Marshal(string(text)) // a text has an encoding
			j.data = append(j.data, encoded...)
			return
		}
	}
	j.data = append(append(append(j.data, '"'), text...), '"')
}

// texted appends a member that is a text, unless that or its name is empty.
func (j *jsonText) texted(name string, text []byte) {
	if name != "" && len(text) > 0 {
		j.key(name)
		j.text(text)
	}
}

func (j *jsonText) number(name string, number int64) {
	j.key(name)
	j.data = strconv.AppendInt(j.data, number, 10)
}

// seconds appends a time, given in seconds since 1970.
func (j *jsonText) seconds(since int64) {
	j.data = append(time.Unix(since, 0).UTC().AppendFormat(append(j.data, '"'), time.RFC3339), '"')
}
