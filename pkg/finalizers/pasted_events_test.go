package finalizers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bucket is what kubectl describe shows of an object that is being deleted, up to its events.
const bucket = `Name:         photos
Namespace:    shop
Labels:       <none>
Annotations:  <none>
API Version:  stores.acme.dev/v1
Kind:         Bucket
Metadata:
  Creation Timestamp:             2024-05-02T07:11:42Z
  Deletion Timestamp:             2024-06-11T13:02:27Z
  Finalizers:
    stores.acme.dev/cleanup
  UID:               5b0c9c5e-7d5c-4f0a-9c3e-000000000001
Spec:
  Size:  3
Status:
  Phase:  Deleting
`

// event is one about it as kubectl get -o yaml prints it.
func event(at string) string {
	return "\n$ kubectl get events -n shop -o yaml\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Event\n" +
		"  involvedObject: {apiVersion: stores.acme.dev/v1, kind: Bucket, namespace: shop, name: photos, " +
		"uid: 5b0c9c5e-7d5c-4f0a-9c3e-000000000001}\n  lastTimestamp: \"" + at + "\"\n" +
		"  message: 'cannot delete: " + words + "'\n  metadata: {name: photos.1, namespace: shop}\n" +
		"  reason: DeleteFailed\n  type: Warning\nkind: List\nmetadata: {resourceVersion: \"\"}\n"
}

const words = "BucketNotEmpty: it has 3 objects"

// TestPastedEvents quotes events about the object in question, from its description or a table, and no others.
func TestPastedEvents(t *testing.T) {
	const heading = "\nLAST SEEN   TYPE      REASON         OBJECT          MESSAGE\n"
	for _, c := range []struct {
		name, text string
		quoted     bool
	}{
		{
			name: "described", quoted: true, text: bucket + "Events:\n" +
				"  Type     Reason        Age   From               Message\n" +
				"  ----     ------        ----  ----               -------\n" +
				"  Warning  DeleteFailed  91s   bucket-controller  cannot delete: " + words + "\n",
		},
		{
			name: "in a table", quoted: true,
			text: bucket + heading + "91s         Warning   DeleteFailed   bucket/photos   cannot delete: " + words + "\n",
		},
		{
			name: "of another object",
			text: bucket + heading + "91s         Warning   DeleteFailed   bucket/videos   cannot delete: " + words + "\n",
		},
		{
			name: "of another kind",
			text: bucket + heading + "91s         Warning   DeleteFailed   pod/photos      cannot delete: " + words + "\n",
		},
		{
			name: "older than the deletion, by its own time", text: bucket + event("2024-06-11T12:00:00Z"),
		},
		{
			name: "younger than the deletion", quoted: true, text: bucket + event("2024-06-11T13:05:00Z"),
		},
		{
			name: "no warning",
			text: bucket + heading + "91s         Normal    Looked         bucket/photos   cannot delete: " + words + "\n",
		},
	} {
		path := filepath.Join(t.TempDir(), "pasted.txt")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := answers(t, path)
		if err != nil || len(found) != 1 || len(found[0].RootCauses) != 1 {
			t.Fatalf("%s: %d answers, %v", c.name, len(found), err)
		}
		quoted := false
		for _, evidence := range found[0].RootCauses[0].Evidence {
			quoted = quoted || strings.Contains(evidence.Observed, words)
		}
		if quoted != c.quoted {
			t.Errorf("%s: quoted is %t", c.name, quoted)
		}
	}
}
