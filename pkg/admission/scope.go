package admission

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/interpreter"
)

// scope is the variables of one evaluation.
type scope struct {
	values  map[string]any
	unknown []*interpreter.AttributePattern
	guessed bool // something is unknown, so an error says nothing
}

func (s *scope) guess(pattern *interpreter.AttributePattern) {
	s.unknown = append(s.unknown, pattern)
	s.guessed = true
}

func newScope(request *Request, bound *bindings, uses map[string]*uses) *scope {
	null := types.NullValue
	s := &scope{values: map[string]any{"object": null, "oldObject": null, "namespaceObject": null, "params": null}}
	// Whether somebody is allowed something is never asked on another's behalf.
	s.unknown = append(s.unknown, cel.AttributePattern("authorizer"), cel.AttributePattern("authorizer.requestResource"))
	s.addContent("object", request.Object, uses["object"])
	s.addContent("oldObject", request.OldObject, uses["oldObject"])
	s.addRequest(request)
	switch within := request.Within; {
	case request.Namespace == "" || request.isNamespace():
	case within == nil || within.Content == nil:
		s.guess(cel.AttributePattern("namespaceObject"))
	default:
		s.values["namespaceObject"] = within.Content.Fields
	}
	if bound != nil && bound.hasParam {
		switch {
		case bound.paramUnknown:
			s.guess(cel.AttributePattern("params"))
		case bound.param != nil:
			s.values["params"] = bound.param.Fields
		}
	}
	return s
}

// addContent adds an object. Of one of which only metadata was read, every other field is unknown.
func (s *scope) addContent(name string, content *Content, use *uses) {
	if content == nil {
		return
	}
	s.values[name] = content.Fields
	if content.Whole {
		return
	}
	s.guessed = s.guessed || use.whole()
	for _, field := range use.fields {
		if field != "metadata" && field != "apiVersion" && field != "kind" {
			s.guess(cel.AttributePattern(name).QualString(field))
		}
	}
}

// addRequest adds the request (k8s v1.37 apiserver/pkg/admission/plugin/cel:CreateAdmissionRequest).
func (s *scope) addRequest(request *Request) {
	kind := map[string]any{"group": request.Kind.Group, "version": request.Kind.Version, "kind": request.Kind.Kind}
	resource := map[string]any{
		"group": request.Resource.Group, "version": request.Resource.Version, "resource": request.Resource.Resource,
	}
	user := map[string]any{"username": request.User}
	s.values["request"] = map[string]any{
		"kind": kind, "requestKind": kind, "resource": resource, "requestResource": resource,
		"subResource": request.Subresource, "requestSubResource": request.Subresource,
		"name": request.Name, "namespace": request.Namespace, "operation": string(request.Operation), "dryRun": false, "userInfo": user,
	}
	info := func(field string) *interpreter.AttributePattern {
		return cel.AttributePattern("request").QualString("userInfo").QualString(field)
	}
	groups, known := request.groups()
	user["groups"] = groups
	s.unknown = append(s.unknown, info("uid"), info("extra"),
		cel.AttributePattern("request").QualString("options"), cel.AttributePattern("request").QualString("uid"))
	if request.User == "" {
		s.unknown = append(s.unknown, info("username"))
	}
	if !known {
		s.unknown = append(s.unknown, info("groups"))
	}
}
