package zoo

import (
	"bytes"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

func TestOlder(t *testing.T) {
	const stored = `{"kind":"X","metadata":{"creationTimestamp":"2026-01-02T00:01:00Z",` +
		`"managedFields":[{"time":"2026-01-02T00:02:00Z"}]},"spec":{"day":"2026-01-02"}}`
	const want = `{"kind":"X","metadata":{"creationTimestamp":"2026-01-01T23:56:00Z",` +
		`"managedFields":[{"time":"2026-01-01T23:57:00Z"}]},"spec":{"day":"2026-01-02"}}`
	got, err := older([]byte(stored), 5*time.Minute)
	if err != nil || string(got) != want {
		t.Errorf("%s %v, want %s", got, err, want)
	}

	codec := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	noon := metav1.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	pod := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}}
	pod.Name, pod.DeletionTimestamp, pod.Spec.NodeName = "web", &noon, "n1"
	var encoded bytes.Buffer
	if err := codec.Encode(pod, &encoded); err != nil {
		t.Fatal(err)
	}
	if got, err = older(encoded.Bytes(), time.Hour); err != nil {
		t.Fatal(err)
	}
	decoded, _, err := codec.Decode(got, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	pod = decoded.(*corev1.Pod)
	if !pod.DeletionTimestamp.Equal(new(metav1.NewTime(noon.Add(-time.Hour)))) || pod.Name != "web" ||
		pod.Spec.NodeName != "n1" {
		t.Errorf("%+v", pod)
	}
}

func TestKeyOf(t *testing.T) {
	for _, c := range []struct{ group, resource, namespace, want string }{
		{"", "pods", "ns", "/registry/pods/ns/x"},
		{"", "nodes", "", "/registry/minions/x"},
		{"networking.k8s.io", "ingresses", "ns", "/registry/ingress/ns/x"},
		{"apps", "deployments", "ns", "/registry/deployments/ns/x"},
		{"lagoon.dev", "reservoirs", "ns", "/registry/lagoon.dev/reservoirs/ns/x"},
		{"apiregistration.k8s.io", "apiservices", "", "/registry/apiregistration.k8s.io/apiservices/x"},
	} {
		if got := keyOf(schema.GroupResource{Group: c.group, Resource: c.resource}, c.namespace, "x"); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
