// Package bounds keeps what others have written from taking more memory than it may: it estimates what JSON and YAML
// take once they are decoded, and reads YAML whose aliases expand no further than people need. It reads no cluster.
//
// This package may change at any time.
package bounds

import "bytes"

// What decoding adds to the length of a text, in bytes: a map with one entry in it, and an element of a list or another
// entry of a map; the same in YAML, which is parsed into nodes before. Go allocates whole groups of entries.
const (
	perMap      = 300
	perItem     = 48
	perYAMLMap  = 500
	perYAMLKey  = 300
	perYAMLItem = 160
)

// JSON estimates how many bytes of memory a piece of JSON takes when it is decoded. The weight of a text is the sum of
// those of its pieces. It is never much below the truth; braces and commas in texts count as if they were none.
func JSON(text []byte) int64 {
	maps, items := bytes.Count(text, []byte("{")), bytes.Count(text, []byte(","))+bytes.Count(text, []byte("["))
	return int64(len(text) + maps*perMap + items*perItem)
}

// YAML estimates how many bytes of memory a piece of YAML takes when it is parsed.
func YAML(text []byte) int64 {
	weight := len(text)
	for mark, each := range map[string]int{
		"\n": perYAMLItem, ",": perYAMLItem, "[": perYAMLItem, ": ": perYAMLKey, ":\n": perYAMLKey, "{": perYAMLMap,
	} {
		weight += bytes.Count(text, []byte(mark)) * each
	}
	return int64(weight)
}
