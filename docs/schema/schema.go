// Package schema holds the published JSON Schemas of what the program prints, one file for each kind.
package schema

import "embed"

// Files are the schemas, as KIND.json.
//
//go:embed *.json
var Files embed.FS
