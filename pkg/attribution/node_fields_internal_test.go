package attribution

import (
	"fmt"
	"testing"
)

// TestNodeFields finds the fields that name one Node, and no others.
func TestNodeFields(t *testing.T) {
	type fields = map[string]any
	for name, c := range map[string]struct {
		object fields
		want   string
	}{
		"nothing": {fields{}, "[]"},
		"in spec": {fields{"spec": fields{"ownerNodeID": "n1", "size": "4Gi"}}, "[{[spec ownerNodeID] n1}]"},
		"deeper":  {fields{"status": fields{"placed": fields{"nodeName": "n1"}}}, "[{[status placed nodeName] n1}]"},
		"node":    {fields{"spec": fields{"node": "n1"}}, "[{[spec node] n1}]"},
		"label": {
			fields{"metadata": fields{"labels": fields{"kubernetes.io/hostname": "n1"}}},
			"[{[metadata labels kubernetes.io/hostname] n1}]",
		},
		"a host": {
			fields{"spec": fields{"onHost": "n1", "assignedMachine": "n2", "sourceHostName": "n3"}},
			"[{[spec assignedMachine] n2} {[spec onHost] n1} {[spec sourceHostName] n3}]",
		},
		"hosts, a key of them, and what they serve": {fields{"spec": fields{
			"hosts": "n1", "hostKey": "n1", "hostPath": "n1", "hostNetwork": "n1", "machineType": "n1", "hosted": "n1",
		}}, "[]"},
		"a selector, a port, a count and a pool": {fields{"spec": fields{
			"nodeSelector": fields{"disk": "ssd"}, "nodePort": "http", "nodes": "3", "nodePool": "blue",
		}}, "[]"},
		"no name":  {fields{"spec": fields{"node": "any node of the zone", "nodeName": ""}}, "[]"},
		"in order": {fields{"spec": fields{"targetNode": "b", "nodeID": "a"}}, "[{[spec nodeID] a} {[spec targetNode] b}]"},
	} {
		if got := fmt.Sprint(nodeFieldsOf(c.object)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
