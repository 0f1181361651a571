package statuses_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

func decoded(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &object.Object); err != nil {
		t.Fatal(err)
	}
	return object
}

// written is a reference as the tables below have it: PATH: KINDS[.GROUP] [NAMESPACE/]NAME [uid UID] [upward].
func written(reference statuses.Reference) string {
	text := reference.Path + ": " + strings.Join(reference.Kinds, "|")
	if reference.Group != "" {
		text += "." + reference.Group
	}
	if text += " "; reference.Namespace != "" {
		text += reference.Namespace + "/"
	}
	if text += reference.Name; reference.UID != "" {
		text += " uid " + reference.UID
	}
	if reference.Upward {
		text += " upward"
	}
	return text
}

func TestReferences(t *testing.T) {
	for _, c := range []struct {
		object string
		want   []string
	}{
		{`{spec: {bucketRef: {name: logs}}}`, []string{"spec.bucketRef: bucket logs"}},
		{`{spec: {bucketRef: logs}}`, []string{"spec.bucketRef: bucket logs"}},
		{`{spec: {bucketRefs: [a, {name: b, namespace: x}]}}`, []string{"spec.bucketRefs[0]: bucket a",
			"spec.bucketRefs[1]: bucket x/b"}},
		{`{spec: {bucketReferences: [{name: b, uid: u}]}}`, []string{"spec.bucketReferences[0]: bucket b uid u"}},
		{`{spec: {primaryBucketName: logs, primaryBucketNamespace: x}}`,
			[]string{"spec.primaryBucketName: primarybucket|bucket x/logs"}},
		{`{spec: {bucketNames: [a, b]}}`, []string{"spec.bucketNames[0]: bucket a", "spec.bucketNames[1]: bucket b"}},
		{`{spec: {dnsZoneRef: {name: z}, VPCRefs: [v]}}`, []string{"spec.VPCRefs[0]: vpc v",
			"spec.dnsZoneRef: dnszone|zone z"}},
		{`{spec: {infrastructureRef: {apiVersion: infra.example.net/v1, kind: Bucket, name: logs}}}`,
			[]string{"spec.infrastructureRef: Bucket.infra.example.net logs"}},
		{`{spec: {secret: {apiVersion: v1, kind: Secret, name: key}}}`, []string{"spec.secret: Secret key"}},
		{`{status: {resources: [{group: g.io, kind: Bucket, name: a}, {group: g.io, resource: topics, name: b, ` +
			`namespace: ns}]}}`, []string{"status.resources[0]: Bucket.g.io a", "status.resources[1]: topics.g.io ns/b"}},
		{`{status: {resources: [Bucket/a, bucket.g.io/n/b, plain]}}`, []string{"status.resources[0]: Bucket a",
			"status.resources[1]: bucket.g.io n/b"}},
		{`{status: {inventory: {entries: [{id: n_logs_g.io_Bucket, v: v1}, {id: _home_g.io_Zone}, ` +
			`{id: _a__b_rbac.authorization.k8s.io_ClusterRole}, {id: n_key__Secret}]}}}`, []string{
			"status.inventory.entries[0].id: Bucket.g.io n/logs", "status.inventory.entries[1].id: Zone.g.io home",
			"status.inventory.entries[2].id: ClusterRole.rbac.authorization.k8s.io a:b",
			"status.inventory.entries[3].id: Secret n/key",
		}},
		{`{spec: {manifests: [{apiVersion: g.io/v1, kind: Bucket, metadata: {name: logs, namespace: ns}, spec: {topicRef: ` +
			`{name: t}}}]}}`, []string{"spec.manifests[0]: Bucket.g.io ns/logs"}},
		{`{status: {bucketUID: u-1}}`, []string{"status.bucketUID:   uid u-1"}},
		{`{spec: {parentRef: {kind: Bucket, name: logs}, clusterClassName: c, template: {spec: {volumeName: v}}, ` +
			`nodeName: n1}}`, []string{
			"spec.clusterClassName: clusterclass|class c upward", "spec.nodeName: node n1 upward",
			"spec.parentRef: Bucket logs upward", "spec.template.spec.volumeName: volume v upward",
		}},
		{`{status: {nodeRef: {kind: Node, name: n1}, claimRef: {kind: Claim, name: c}}}`,
			[]string{"status.claimRef: Claim c upward", "status.nodeRef: Node n1"}},
		{`{spec: {name: x, ref: y, kind: Z, refs: 7, bucketRef: null, bucketName: "", list: [[{kind: A, name: b}]]}, ` +
			`metadata: {bucketRef: {name: q}}}`, []string{"spec: Z x", "spec.list[0][0]: A b"}},
		{`{spec: text, status: [1, 2]}`, nil},
		{`{}`, nil},
	} {
		var got []string
		for _, reference := range statuses.References(decoded(t, c.object)) {
			got = append(got, written(reference))
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.object, diff)
		}
	}
}

func TestReferenceFits(t *testing.T) {
	logs := statuses.Referent{Group: "g.io", Kind: "Bucket", Plural: "buckets", Singular: "bucket", Namespace: "shop",
		Name: "logs", UID: "u"}
	home := logs
	home.Namespace = ""
	for _, c := range []struct {
		one  statuses.Reference
		of   statuses.Referent
		home string
		want bool
	}{
		{statuses.Reference{Kinds: []string{"bucket"}, Name: "logs"}, logs, "shop", true},
		{statuses.Reference{Kinds: []string{"Buckets"}, Name: "logs", Group: "g.io"}, logs, "shop", true},
		{statuses.Reference{Kinds: []string{"bucket"}, Name: "logs", Group: "h.io"}, logs, "shop", false},
		{statuses.Reference{Kinds: []string{"bucket"}, Name: "logs"}, logs, "other", false},
		{statuses.Reference{Kinds: []string{"bucket"}, Name: "logs", Namespace: "shop"}, logs, "other", true},
		{statuses.Reference{Kinds: []string{"bucket"}, Name: "logs"}, logs, "", true},
		{statuses.Reference{Kinds: []string{"bucket"}, Name: "logs"}, home, "other", true},
		{statuses.Reference{Kinds: []string{"topic"}, Name: "logs"}, logs, "shop", false},
		{statuses.Reference{Kinds: []string{"bucket"}, Name: "log"}, logs, "shop", false},
		{statuses.Reference{Kinds: []string{"bucket"}, Name: "logs", UID: "v"}, logs, "shop", false},
		{statuses.Reference{UID: "u"}, logs, "shop", true},
		{statuses.Reference{UID: "v"}, logs, "shop", false},
	} {
		if got := c.one.Fits(c.of, c.home); got != c.want {
			t.Errorf("%+v fits %+v in %q: %t", c.one, c.of, c.home, got)
		}
	}
}

func TestStatementsName(t *testing.T) {
	kinds := []string{
		"bucket", "buckets", "buckets.g.io", "bucket.g.io", "topic", "topics", "machine", "machines", "namespace",
	}
	isKind := func(word string) bool { return slices.Contains(kinds, word) }
	for _, c := range []struct {
		words string
		want  []string // that are named
		never []string
	}{
		{`waiting for Machine prod/md-0-x to be deleted`, []string{"Machine prod/md-0-x"}, nil},
		{`waiting for Bucket buckets/logs to be deleted`, []string{"Bucket buckets/logs", "buckets logs"}, nil},
		{`waiting for machine, buckets/logs and topics`, []string{"buckets logs"}, []string{"buckets buckets/logs"}},
		{`bucket "logs" is still there`, []string{"bucket logs"}, nil},
		{`the "logs" bucket`, []string{"bucket logs"}, nil},
		{`machine/md-0 and buckets.g.io/n/logs.`, []string{"machine md-0", "buckets.g.io n/logs"}, nil},
		{`Waiting for Machines a, b and c; Topic t is gone`, []string{"Machines a", "Machines b", "Machines c", "Topic t"},
			[]string{"Machines t", "Topic a"}},
		{`buckets.g.io "logs" in namespace other`, []string{"buckets.g.io other/logs"}, []string{"namespace other"}},
		{`cannot get the Bucket: Bucket.g.io "prod" not found`, []string{"Bucket.g.io prod"},
			[]string{"Bucket Bucket.g.io"}},
		{`cannot get the bucket: Bucket "prod" not found`, []string{"Bucket prod"}, []string{"bucket Bucket"}},
		{`'g.io/v1, Kind=Bucket': buckets.g.io "prod" not found`, []string{"buckets.g.io prod"},
			[]string{"Bucket buckets.g.io"}},
		{`Bucket bucket not found`, []string{"Bucket bucket"}, nil},
		{`waiting for Bucket logs-2`, []string{"Bucket logs-2"}, []string{"Bucket logs"}},
		{`kind=Machine, name=md-0`, []string{"Machine md-0"}, nil},
		{`nothing of a sort is named here`, nil, nil},
	} {
		var got []string
		for _, reference := range (statuses.Statement{Where: "status.message", Words: c.words}).Named(isKind) {
			got = append(got, strings.TrimPrefix(written(reference), "status.message: "))
		}
		for _, want := range c.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s: %s is not among %q", c.words, want, got)
			}
		}
		for _, never := range c.never {
			if slices.Contains(got, never) {
				t.Errorf("%s: %s is named", c.words, never)
			}
		}
		if len(c.want) == 0 && len(got) > 0 {
			t.Errorf("%s: %q are named", c.words, got)
		}
	}
}

func TestStatements(t *testing.T) {
	object := decoded(t, `{status: {phase: Deleting, message: waiting for a, conditions: [{type: Ready, `+
		`message: "still there"}], messages: [[a b]], note: is no statement}, spec: {text: is no status}}`)
	var got []string
	for _, statement := range statuses.Statements(object) {
		got = append(got, fmt.Sprintf("%s: %s", statement.Where, statement.Words))
	}
	want := []string{"status.conditions[Ready].message: still there", "status.message: waiting for a",
		"status.messages[0][0]: a b"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestReferenceParts takes from objects what isn't part of a reference: what is left has the same references.
func TestReferenceParts(t *testing.T) {
	every := func(string) bool { return true }
	var kept func(key string, value any) any
	kept = func(key string, value any) any {
		switch value := value.(type) {
		case map[string]any:
			parts, left := statuses.ReferenceParts(key, value, every), map[string]any{}
			for name, inner := range value {
				_, isText := inner.(string)
				if !isText || parts[name] || key == "metadata" {
					left[name] = kept(name, inner)
				}
			}
			return left
		case []any:
			left := make([]any, len(value))
			for i, inner := range value {
				left[i] = kept(key, inner)
			}
			return left
		}
		return value
	}
	for _, fields := range []string{
		`{spec: {databaseRef: {name: a, key: x}, databaseName: b, databaseNamespace: c, note: x, podRefs: [d, e]}}`,
		`{status: {resources: [{kind: Pod, name: a, v: x}, "pod/b"], inventory: {entries: [{id: _a__Pod, v: x}]}, ` +
			`ownerUID: u}}`,
		`{spec: {manifest: {kind: Pod, apiVersion: v1, metadata: {name: a, namespace: b}, spec: {podName: c}}, text: x}}`,
		`{spec: {a: {resource: pods, name: x, group: g, more: y}, podName: z, namespace: n}}`,
	} {
		object := decoded(t, fields)
		want := statuses.References(object)
		object.Object["spec"], object.Object["status"] = kept("spec", object.Object["spec"]),
			kept("status", object.Object["status"])
		if diff := cmp.Diff(want, statuses.References(object)); diff != "" || len(want) == 0 {
			t.Errorf("%s: %d references (-want +got):\n%s", fields, len(want), diff)
		}
	}
}
