package cluster

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// printed is a table of some rows, each with the cells of two columns.
func printed(second string, rows ...string) string {
	text := `200 {"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":[{"name":"Name"},{"name":"` + second +
		`"}],"rows":[`
	for i, row := range rows {
		name, cell, _ := strings.Cut(row, " ")
		text += map[bool]string{true: ","}[i > 0] + fmt.Sprintf(`{"cells":[%q,%q]}`, name, cell)
	}
	return text + "]}"
}

// starting is what a server answers that serves pods, and that may know definitions which it doesn't serve yet.
func starting(more map[string]string) map[string]string {
	answers := map[string]string{
		"/api":  `200 {"kind":"APIVersions","versions":["v1"]}`,
		"/apis": `200 {"kind":"APIGroupList","groups":[{"name":"apps","versions":[]}]}`,
		"/api/v1": `200 {"kind":"APIResourceList","groupVersion":"v1","resources":` +
			`[{"name":"pods","kind":"Pod"}]}`,
		"/apis/apiextensions.k8s.io/v1": definitionsServed,
		shirtsDefinition:                shirtsDefined,
		definitionsPath:                 printed("Created At", "shirts.shop.example.com now"),
		servicesPath:                    printed("Service", "v1. Local", "v1.shop.example.com Local"),
		shirtsService:                   "404 " + named("v1.shop.example.com"),
	}
	maps.Copy(answers, more)
	return answers
}

const (
	definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	servicesPath    = "/apis/apiregistration.k8s.io/v1/apiservices"
)

// TestIncompleteDiscovery has servers that don't name what is defined: it is unread, and never absent. What is not
// defined any more is absent.
func TestIncompleteDiscovery(t *testing.T) {
	shirts := namespaced("shop.example.com", "Shirt")
	served := &ServedKinds{Resources: []Resource{Pods(), shirts}}
	const group = `200 {"kind":"APIGroupList","groups":[{"name":"shop.example.com","versions":[{"groupVersion":` +
		`"shop.example.com/v1","version":"v1"}],"preferredVersion":{"groupVersion":"shop.example.com/v1","version":"v1"}}]}`
	gone := "404 " + named("shirts.shop.example.com")
	const none, unread, known, failed, unchecked = "none", "unread", "named", "failed", "unchecked"
	for _, c := range []struct {
		name    string
		before  *ServedKinds
		answers map[string]string
		want    string
	}{
		{"defined, and not named", nil, nil, unread},
		{"a kind beside another one", nil, map[string]string{"/apis": group, "/apis/shop.example.com/v1": `200 {"kind":` +
			`"APIResourceList","groupVersion":"shop.example.com/v1","resources":[{"name":"hats","kind":"Hat"}]}`}, unread},
		{"defined and named", nil, map[string]string{"/apis": group, "/apis/shop.example.com/v1": `200 {"kind":` +
			`"APIResourceList","groupVersion":"shop.example.com/v1","resources":[{"name":"shirts","kind":"Shirt"}]}`}, known},
		{"not established", nil, map[string]string{
			shirtsDefinition: strings.Replace(shirtsDefined, `"True"`, `"False"`, 1)}, none},
		{"no version of it is served", nil, map[string]string{
			shirtsDefinition: strings.Replace(shirtsDefined, `"served":true`, `"served":false`, 1)}, none},
		{"deleted since the names were read", nil, map[string]string{
			shirtsDefinition: gone}, none},
		{"the definition can't be read", nil, map[string]string{shirtsDefinition: "500 {}"}, unchecked},
		{"the names can't be read", nil, map[string]string{definitionsPath: "500 {}"}, unchecked},
		{"the names are no table", nil, map[string]string{definitionsPath: "200 <html>"}, unchecked},
		{"a part of the names", nil, map[string]string{definitionsPath: `200 {"kind":"Table","metadata":{"continue":"x"}}`},
			unchecked},
		{"the names may not be read", nil, map[string]string{definitionsPath: "403 {}", servicesPath: "403 {}"}, none},
		{"another server that is not named", nil, map[string]string{definitionsPath: printed("Created At"),
			servicesPath: printed("Service", "v1.shop.example.com shop/api")}, failed},
		{"served before, and nothing may be read", served, map[string]string{
			definitionsPath: "403 {}", servicesPath: "403 {}", shirtsDefinition: "403 {}"}, unread},
		{"served before, and the definition can't be read", served, map[string]string{
			definitionsPath: "403 {}", shirtsDefinition: "500 {}"}, unread},
		{"served before, and deleted", served, map[string]string{definitionsPath: printed("Created At"),
			shirtsDefinition: gone}, none},
		{"served before, and the definition isn't found by no API server", served, map[string]string{
			definitionsPath: printed("Created At"), shirtsDefinition: "404 page not found"}, unread},
		{"served before, not by a definition, and APIServices may not be read", served, map[string]string{
			definitionsPath: printed("Created At"), servicesPath: "403 {}", shirtsDefinition: gone}, unread},
	} {
		t.Run(c.name, func(t *testing.T) {
			live, _ := answering(t, starting(c.answers))
			live.Expect(c.before)
			servedKinds, err := live.ServedKinds(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got := none
			resource, found := servedKinds.OfKind(shirts.GroupKind())
			_, undiscovered := servedKinds.Undiscovered[shirts.GroupResource()]
			version := schema.GroupVersion{Group: "shop.example.com", Version: "v1"}
			switch {
			case found && undiscovered:
				got = unread
			case found:
				got = known
			case servedKinds.Failed[version] != nil:
				got = failed
			case len(servedKinds.Unchecked) > 0:
				got = unchecked
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			unserved := servedKinds.Unserved(version.WithKind("Shirt"))
			if got == unread && (resource.Version != "v1" || !resource.Namespaced || unserved) {
				t.Errorf("what is known of it: %+v", resource)
			}
			if got == none && !unserved {
				t.Error("nothing is known of it, and it isn't unserved")
			}
		})
	}
}
