package statuses

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Undiscovered reads which group versions could not be discovered, and what was said of each: "…: GROUP/VERSION:
// text, GROUP/VERSION: text" (k8s v1.37 client-go/discovery/discovery_client.go:ErrGroupDiscoveryFailed), or, of an
// answer that kube-apiserver kept, "stale GroupVersion discovery: GROUP/VERSION".
func Undiscovered(message string) map[schema.GroupVersion]string {
	found := map[schema.GroupVersion]string{}
	stale := regexp.MustCompile(`(stale GroupVersion discovery): ([a-z0-9.-]+/v[a-z0-9]+)`)
	for _, match := range stale.FindAllStringSubmatch(message, -1) {
		if version, err := schema.ParseGroupVersion(match[2]); err == nil {
			found[version] = match[1]
		}
	}
	places := regexp.MustCompile(`(?:^|[:,] )([a-z0-9.-]+/v[a-z0-9]+): `).FindAllStringSubmatchIndex(message, -1)
	for i, place := range places {
		end := len(message)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		version, err := schema.ParseGroupVersion(message[place[2]:place[3]])
		if err == nil {
			found[version] = strings.TrimSpace(message[place[1]:end])
		}
	}
	return found
}
