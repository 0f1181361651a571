package cluster

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// The kinds of what discovery answers (k8s v1.37 apiserver/pkg/endpoints/discovery).
const (
	aggregatedKind = "APIGroupDiscoveryList"
	coreKind       = "APIVersions"
	groupsKind     = "APIGroupList"
	resourcesKind  = "APIResourceList"
)

// discoveryKinds returns the kinds that may answer at a path of the server, or nil where that isn't one of discovery.
func discoveryKinds(path string) []string {
	switch words := strings.Split(strings.Trim(path, "/"), "/"); {
	case len(words) == 1 && words[0] == "api":
		return []string{aggregatedKind, coreKind}
	case len(words) == 1 && words[0] == "apis":
		return []string{aggregatedKind, groupsKind}
	case len(words) == 2 && words[0] == "api", len(words) == 3 && words[0] == "apis":
		return []string{resourcesKind}
	}
	return nil
}

// checked returns a response of discovery, or why its body doesn't say what is served. A version without resources is
// one that serves nothing for now; a server without groups or versions is none.
func checked(response *http.Response, body []byte, kinds []string) (*http.Response, error) {
	if bytes.HasPrefix(body, []byte(protobufMagic)) {
		return response, nil // which client-go doesn't ask for
	}
	if err := expectObject(bufio.NewReader(bytes.NewReader(body))); err != nil {
		return nil, err
	}
	var answer struct {
		Kind, GroupVersion      string
		Items, Groups, Versions []json.RawMessage
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("the list of what the server serves can't be read: %w", err)
	}
	empty := len(answer.GroupVersion)+len(answer.Items)+len(answer.Groups)+len(answer.Versions) == 0
	switch {
	case answer.Kind == "" && !empty: // client-go doesn't ask for it either
	case !slices.Contains(kinds, answer.Kind):
		return nil, anObject(answer.Kind)
	case empty:
		return nil, &WrongAnswer{Got: "an empty list of what it serves"}
	}
	return response, nil
}
