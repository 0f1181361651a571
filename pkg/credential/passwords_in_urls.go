package credential

import (
	"regexp"
	"strings"
	"sync"
)

// withoutUsers takes who asks, and by which password, out of addresses: all up to the last @ of
// SCHEME://USER:PASSWORD@HOST and of USER:PASSWORD@HOST.
func withoutUsers(text string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	text = addresses().ReplaceAllStringFunc(text, func(address string) string {
		scheme := strings.Index(address, "://") + len("://")
		return replaceUser(address, scheme)
	})
	return sources().ReplaceAllStringFunc(text, func(source string) string { return replaceUser(source, 0) })
}

// replaceUser replaces the part of an address from a place to the last @ that is not of a digest.
func replaceUser(address string, from int) string {
	end := len(address)
	for {
		at := strings.LastIndexByte(address[:end], '@')
		if at < from {
			return address
		}
		if rest := address[at+1:]; !strings.HasPrefix(rest, "sha256:") && !strings.HasPrefix(rest, "sha512:") {
			if address[from:at] == Removed {
				return address
			}
			return address[:from] + Removed + address[at:]
		}
		end = at
	}
}

var addresses = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>]*@(?:sha(?:256|512):)?`)
})

// sources are data sources as drivers of databases take them: root:password@tcp(10.0.0.1:3306)/shop.
var sources = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`[A-Za-z0-9_.%+-]+:[^\s/:"'<>()@][^\s/"'<>]*@(?:sha(?:256|512):|[a-z]+\(|[A-Za-z0-9.\[-])`)
})
