package zoo

import (
	"bytes"
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/kubernetes/scheme"
)

// Aged makes all that happened to an object so far longer ago: its creation and deletion, the writes to it, the times
// in its status. Its namespace ages with it, which can't be younger. The API server refuses to, so that it is done in
// etcd, and no field manager shows for it.
type Aged struct {
	Object
	By metav1.Duration `json:"by"`
}

func (b *Breaker) aged(ctx context.Context, aged Aged) error {
	if err := b.age(ctx, aged.Object, aged.By.Duration); err != nil || aged.Namespace == "" {
		return err
	}
	return b.age(ctx, Object{Object: "namespace/" + aged.Namespace}, aged.By.Duration)
}

func (b *Breaker) age(ctx context.Context, named Object, by time.Duration) error {
	mapping, _, err := b.mapping(named)
	if err != nil {
		return err
	}
	object, err := b.Get(ctx, named)
	if err != nil {
		return err
	}
	key := keyOf(mapping.Resource.GroupResource(), object.GetNamespace(), object.GetName())
	err = poll(ctx, func(ctx context.Context) (bool, error) { // others write to it, too
		stored, err := b.plane.GetRaw(ctx, key)
		if err != nil {
			return false, err
		}
		older, err := older(stored, by)
		if err != nil {
			return false, err
		}
		return b.plane.SwapRaw(ctx, key, stored, older)
	})
	return describe(err, "age", named.Object)
}

// keyOf is where etcd keeps an object (k8s v1.37 pkg/kubeapiserver/default_storage_factory_builder.go:
// SpecialDefaultResourcePrefixes; apiextensions-apiserver pkg/apiserver/customresource_handler.go for custom ones).
func keyOf(resource schema.GroupResource, namespace, name string) string {
	special := map[schema.GroupResource]string{
		{Resource: "nodes"}:                                          "minions",
		{Resource: "services"}:                                       "services/specs",
		{Resource: "endpoints"}:                                      "services/endpoints",
		{Group: "networking.k8s.io", Resource: "ingresses"}:          "ingress",
		{Group: "apiregistration.k8s.io", Resource: "apiservices"}:   "apiregistration.k8s.io/apiservices",
		{Group: "apiextensions.k8s.io", Resource: resource.Resource}: "apiextensions.k8s.io/" + resource.Resource,
	}
	folder, known := special[resource]
	switch {
	case known:
	case scheme.Scheme.IsGroupRegistered(resource.Group):
		folder = resource.Resource
	default:
		folder = resource.Group + "/" + resource.Resource
	}
	if namespace != "" {
		folder += "/" + namespace
	}
	return "/registry/" + folder + "/" + name
}

// older makes all times of a stored object earlier. It is stored as JSON, or in protobuf where it is Kubernetes' own.
func older(stored []byte, by time.Duration) ([]byte, error) {
	if bytes.HasPrefix(stored, []byte("{")) {
		var fields map[string]any
		if err := json.Unmarshal(stored, &fields); err != nil {
			return nil, err
		}
		return json.Marshal(earlier(fields, by))
	}
	codec := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	object, kind, err := codec.Decode(stored, nil, nil)
	if err != nil {
		return nil, err
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, err
	}
	changed, err := scheme.Scheme.New(*kind)
	if err != nil {
		return nil, err
	}
	aged := earlier(fields, by).(map[string]any)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(aged, changed); err != nil {
		return nil, err
	}
	changed.GetObjectKind().SetGroupVersionKind(*kind)
	var encoded bytes.Buffer
	err = codec.Encode(changed, &encoded)
	return encoded.Bytes(), err
}

// earlier returns JSON in which each text that is a time is that time less some.
func earlier(value any, by time.Duration) any {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			value[name] = earlier(field, by)
		}
	case []any:
		for i, one := range value {
			value[i] = earlier(one, by)
		}
	case string:
		for _, layout := range []string{time.RFC3339, metav1.RFC3339Micro} {
			if at, err := time.Parse(layout, value); err == nil && at.Format(layout) == value {
				return at.Add(-by).Format(layout)
			}
		}
	}
	return value
}
