package cluster

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestSlim leaves out what is long, and nothing else.
func TestSlim(t *testing.T) {
	page := somePage("")
	for form, data := range map[string][]byte{"protobuf": inProtobuf(t, page), "JSON": inJSON(t, page)} {
		got, _, err := read(data, KeepSlim)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			want := item.ObjectMeta
			want.Annotations, want.Labels = nil, nil
			if len(want.OwnerReferences)+len(want.Finalizers) == 0 {
				want = metav1.ObjectMeta{
					Name: want.Name, Namespace: want.Namespace, UID: want.UID,
					DeletionTimestamp: want.DeletionTimestamp, DeletionGracePeriodSeconds: want.DeletionGracePeriodSeconds,
				}
			}
			if diff := cmp.Diff(want, got[item.Name].ObjectMeta); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", form, item.Name, diff)
			}
		}
	}
}

// TestSlimForBoth keeps what a scan for what is Terminating wants of objects, beside what a census wants of all.

// TestSlimForBoth keeps what a scan for what is Terminating wants of objects, beside what a census wants of all.
func TestSlimForBoth(t *testing.T) {
	page := somePage("")
	for i := range page.Items {
		page.Items[i].ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "someone"}}
	}
	for form, data := range map[string][]byte{"protobuf": inProtobuf(t, page), "JSON": inJSON(t, page)} {
		got, _, err := read(data, KeepSlim|KeepTerminating|KeepOwned)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			want := item.ObjectMeta
			switch {
			case want.DeletionTimestamp != nil:
			case len(want.OwnerReferences) > 0:
				want.ManagedFields = nil
			case len(want.Finalizers) > 0:
				want.ManagedFields, want.Annotations, want.Labels = nil, nil, nil
			default:
				want = metav1.ObjectMeta{Name: want.Name, Namespace: want.Namespace, UID: want.UID}
			}
			if diff := cmp.Diff(want, got[item.Name].ObjectMeta); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", form, item.Name, diff)
			}
		}
	}
}

// TestSample keeps the managedFields of one of many with the same finalizers.

// TestSample keeps the managedFields of one of many with the same finalizers.
func TestSample(t *testing.T) {
	page := &metav1.PartialObjectMetadataList{TypeMeta: somePage("").TypeMeta}
	for i, finalizers := range [][]string{nil, {"a/a"}, {"a/a"}, {"a/a", "b/b"}, {"a/a"}} {
		page.Items = append(page.Items, metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprint(i), Finalizers: finalizers, ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "someone"}},
		}})
	}
	got, _, err := read(inProtobuf(t, page), KeepSlim|KeepSample)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{0, 1, 0, 1, 0} {
		if kept := len(got[fmt.Sprint(i)].ManagedFields); kept != want {
			t.Errorf("object %d has %d managedFields, want %d", i, kept, want)
		}
	}
}

// TestReadBrokenPage cuts answers off at many places, and bends bytes: that is an error or a change in
// a value, never a shorter list that looks whole.
