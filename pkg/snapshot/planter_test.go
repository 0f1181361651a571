package snapshot_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// planter fills objects with markers, each different, and remembers where each was put.
type planter struct {
	forms  []string // with %s for a marker
	places map[string]string
	lower  bool // as names are
}

func (p *planter) text(place string) string {
	marker := fmt.Sprintf("ZP%dQX", len(p.places))
	if p.lower {
		marker = strings.ToLower(marker)
	}
	p.places[marker] = place
	form := p.forms[len(p.places)%len(p.forms)]
	if strings.HasPrefix(form, "base64 ") {
		return base64.StdEncoding.EncodeToString([]byte("password=" + marker))
	}
	return fmt.Sprintf(form, marker)
}

// credentials are forms in which a credential stands by itself, in code too.
func credentials() []string {
	return []string{
		"postgres://me:%s@db.example.com/x", "failed: Bearer %s.", "eyJhbGciOiJIUzI1NiJ9.%s.c2ln", "AKIA%sAAAAAAAAAAAA",
		"-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----", "https://hooks.slack.com/services/T0/%s", "base64 ",
		"https://a.example.com/?key=%s", "ghp_%sabcdefghijklmnop", "root:%s@tcp(db:3306)/x",
	}
}

// fill puts a text into each field of a value, a list or a map with one element into each of these.
func (p *planter) fill(value reflect.Value, place string, depth int) {
	switch set := value.Addr().Interface().(type) {
	case *metav1.ObjectMeta, *metav1.TypeMeta, *metav1.Time, *metav1.MicroTime:
		return
	case *runtime.RawExtension:
		set.Raw, _ = json.Marshal(map[string]string{"planted": p.text(place)})
		return
	case *intstr.IntOrString:
		*set = intstr.FromString(p.text(place))
		return
	}
	if depth > deepestPlanted {
		return
	}
	switch value.Kind() {
	case reflect.String:
		value.SetString(p.text(place))
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		p.fill(value.Elem(), place, depth+1)
	case reflect.Slice:
		if value.Type().Elem().Kind() != reflect.Uint8 {
			value.Set(reflect.MakeSlice(value.Type(), 1, 1))
			p.fill(value.Index(0), place, depth+1)
		}
	case reflect.Map:
		key, inner := reflect.New(value.Type().Key()).Elem(), reflect.New(value.Type().Elem()).Elem()
		key.SetString("key")
		p.fill(inner, place, depth+1)
		value.Set(reflect.MakeMap(value.Type()))
		value.SetMapIndex(key, inner)
	case reflect.Struct:
		for i := range value.NumField() {
			name, _, _ := strings.Cut(value.Type().Field(i).Tag.Get("json"), ",")
			if inner := place + "." + name; value.Field(i).CanSet() {
				p.fill(value.Field(i), strings.TrimSuffix(inner, "."), depth+1)
			}
		}
	}
}

// plantedMeta is metadata with markers in all that is free in it.
func (p *planter) meta(place string, object map[string]any) {
	object["metadata"] = map[string]any{
		"name": "a", "namespace": "shop", "uid": "u", "generateName": p.text(place + ".generateName"),
		"selfLink": p.text(place + ".selfLink"),
		"labels":   map[string]any{"api-token": p.text("a secret label"), "note": p.text(place + ".labels")},
		"annotations": map[string]any{
			"kubectl.kubernetes.io/last-applied-configuration": p.text(place + ".annotations"),
			"x.example.com/y":           p.text(place + ".annotations"),
			"kubernetes.io/description": p.text(place + ".annotations"),
			"x.example.com/owner-uid":   p.text(place + ".annotations"),
			"helm.sh/hook":              p.text(place + ".annotations"), "meta.helm.sh/release-name": p.text("release"),
		},
		"managedFields": []any{map[string]any{"manager": "m",
			"fieldsV1": map[string]any{"f:spec": map[string]any{"f:" + p.text(place): map[string]any{}}}}},
	}
}

// kindsOf are the kinds that are planted: all of Kubernetes' own.
func kindsOf() (kinds []schema.GroupVersionKind) {
	for kind := range scheme.Scheme.AllKnownTypes() {
		object, err := scheme.Scheme.New(kind)
		_, has := object.(metav1.Object)
		if err == nil && has && cluster.ServedByKubernetes(kind.Group) && kind.Version == "v1" {
			kinds = append(kinds, kind)
		}
	}
	slices.SortFunc(kinds, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) })
	return kinds
}

// documents are objects of every kind, Terminating or not, and custom resources, full of markers.
func (p *planter) documents(t *testing.T, terminating bool) string {
	t.Helper()
	var all []string
	add := func(object map[string]any, kind schema.GroupVersionKind) {
		object["apiVersion"], object["kind"] = kind.GroupVersion().String(), kind.Kind
		p.meta("metadata", object)
		if meta, _ := object["metadata"].(map[string]any); terminating {
			meta["deletionTimestamp"], meta["finalizers"] = "2026-01-01T10:00:00Z", []any{"x.example.com/hold"}
		}
		data, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(data))
	}
	for _, kind := range kindsOf() {
		typed, err := scheme.Scheme.New(kind)
		if err != nil {
			t.Fatal(err)
		}
		p.fill(reflect.ValueOf(typed).Elem(), kind.GroupKind().String(), 0)
		object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
		if err != nil {
			t.Fatal(err)
		}
		add(object, kind)
	}
	for _, custom := range []schema.GroupVersionKind{
		{Group: "shop.example.com", Version: "v1", Kind: "Gadget"}, {Group: "apiextensions.k8s.io", Version: "v1",
			Kind: "CustomResourceDefinition"},
		{Group: "apiregistration.k8s.io", Version: "v1", Kind: "APIService"},
	} {
		add(p.custom(custom.GroupKind().String()), custom)
	}
	return strings.Join(all, "\n---\n")
}

// custom is what people write into custom resources, and controllers into their status.
func (p *planter) custom(kind string) map[string]any {
	inside := func(place string) map[string]any {
		fields := map[string]any{}
		for _, name := range strings.Fields("colour script name namespace url kind apiVersion uid message phase " +
			"gadgetName gadgetRefs inventory secretRef value data token finalizers caBundle openAPIV3Schema") {
			fields[name] = p.text(place + "." + name)
		}
		return fields
	}
	fields := map[string]any{}
	for _, area := range []string{"spec", "status", "config", "data", "stringData"} {
		top := inside(kind + "." + area)
		for _, name := range strings.Fields("template gadgetRef resourceRef selector metadata names versions " +
			"conversion service") {
			inner := inside(kind + "." + area + "." + name)
			inner["matchLabels"] = map[string]any{"note": p.text(kind + "." + area + "." + name + ".matchLabels")}
			if name == "template" {
				inner["deeper"] = []any{inside(kind + "." + area + "." + name + ".deeper"),
					p.text(kind + "." + area + "." + name + ".deeper")}
			}
			top[name] = inner
		}
		top["conditions"] = []any{inside(kind + "." + area + ".conditions")}
		top["list"] = []any{p.text(kind + "." + area + ".list"), []any{p.text(kind + "." + area + ".list")}}
		fields[area] = top
	}
	return fields
}

// replaced puts a credential in the place of each text.
func (p *planter) replaced(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			value[key] = p.replaced(inner)
		}
	case []any:
		for i, inner := range value {
			value[i] = p.replaced(inner)
		}
	case string:
		return p.text("")
	}
	return value
}
