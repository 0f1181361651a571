package cli

import (
	"strings"
	"testing"
)

// TestNoCredentialsInAnswers asks everything about objects whose conditions, messages and events have credentials: no
// answer has them, in any form, but the text around them is quoted.
func TestNoCredentialsInAnswers(t *testing.T) {
	const secret = "Planted7Zq"
	const manifest = `{"apiVersion":"v1","kind":"List","items":[
	{"apiVersion":"shop.example.com/v1","kind":"Database","metadata":{"name":"orders","namespace":"shop","uid":"a",
	 "generation":2,
	 "creationTimestamp":"2026-01-01T09:00:00Z","deletionTimestamp":"2026-01-01T10:00:00Z",
	  "finalizers":["shop.example.com/cleanup"]},
	 "status":{"observedGeneration":2,"phase":"Failed","message":"failed: password=` + secret + `",
	  "conditions":[{"type":"Ready","status":"False","reason":"CleanupFailed","observedGeneration":2,
	  "lastTransitionTime":"2026-01-01T10:01:00Z",
	  "message":"failed to connect to postgres://admin:` + secret + `@db.example.com/orders: timeout"}]}},
	{"apiVersion":"v1","kind":"Event","metadata":{"name":"e","namespace":"shop"},"type":"Warning",
	 "reason":"CleanupFailed","lastTimestamp":"2026-01-01T10:05:00Z",
	 "source":{"component":"database-operator"},"message":"failed: Authorization: Bearer ` + secret + `",
	 "involvedObject":{"apiVersion":"shop.example.com/v1","kind":"Database","namespace":"shop","name":"orders","uid":"a"}},
	{"apiVersion":"v1","kind":"Namespace","spec":{"finalizers":["kubernetes"]},
	 "metadata":{"name":"shop","uid":"ns","deletionTimestamp":"2026-01-01T10:00:00Z"},
	 "status":{"phase":"Terminating","conditions":[
	  {"type":"NamespaceContentRemaining","status":"True","message":"failed: token: ` + secret + `"},
	  {"type":"NamespaceDeletionContentFailure","status":"True","reason":"ContentDeletionFailed",
	   "message":"failed calling webhook \"x.example.com\": Post https://me:` + secret +
		`@hooks.example.com/: timeout"}]}},
	{"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"pv","uid":"pv",
	  "deletionTimestamp":"2026-01-01T10:00:00Z","finalizers":["external-provisioner.volume.kubernetes.io/finalizer"],
	  "annotations":{"pv.kubernetes.io/provisioned-by":"ebs.csi.aws.com"}},
	 "spec":{"persistentVolumeReclaimPolicy":"Delete","csi":{"driver":"ebs.csi.aws.com","volumeHandle":"vol-1"}},
	 "status":{"phase":"Failed","message":"failed to delete: https://me:` + secret + `@storage.example.com"}}]}`
	quoted := false
	for _, question := range [][]string{
		{"why", "databases.shop.example.com/orders", "-n", "shop"}, {"why", "ns/shop"}, {"why", "pv/pv"}, {"list", "-A"},
		{"tree", "-A"},
		{"tree", "databases.shop.example.com/orders", "-n", "shop"}, {"check", "-A"},
	} {
		for _, format := range []string{"human", "wide", "json", "yaml", "dot", "mermaid"} {
			code, out, errOut := executed(t, manifest, append(question, "-o", format, "--snapshot", "-")...)
			if code == 1 && strings.Contains(errOut, "--output") {
				continue // not in this format
			}
			if code == 1 {
				t.Errorf("%v as %s: %s", question, format, errOut)
			}
			if at := strings.Index(out+errOut, secret); at >= 0 {
				all := out + errOut
				t.Errorf("%v as %s prints …%s…", question, format, all[max(0, at-80):min(len(all), at+40)])
			}
			quoted = quoted || strings.Contains(out, "failed to connect to postgres://(hidden)@db.example.com/orders")
		}
	}
	if !quoted {
		t.Error("no answer quotes the condition: nothing was proven")
	}
}
