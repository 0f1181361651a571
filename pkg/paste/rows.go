package paste

import (
	"slices"
	"strings"
)

// Served is a type that kubectl api-resources lists.
type Served struct {
	APIVersion, Resource, Kind string
	ShortNames                 []string
	Namespaced                 bool
}

// row reads one line of a table, by the names of its columns.
type row func(r *reader, cells map[string]string, at int) error

// rowReader returns what reads the rows of a table with some columns, or nil for one that doesn't show what it lists.
func rowReader(columns map[string]bool) row {
	for _, known := range knownTables() {
		if hasAll(columns, known.columns) &&
			(!known.alone || len(columns) == len(strings.Split(known.columns, ","))) {
			return known.row
		}
	}
	for _, known := range listings() {
		if hasAll(columns, known.columns) {
			return known.mentions()
		}
	}
	if columns["NAME"] {
		return mentionRow
	}
	return nil
}

func hasAll(columns map[string]bool, names string) bool {
	return !slices.ContainsFunc(strings.Split(names, ","), func(name string) bool { return !columns[name] })
}

// knownTable is a table that shows by its columns what it lists; alone if it has no others.
type knownTable struct {
	columns string
	alone   bool
	row     row
}

func knownTables() []knownTable {
	return []knownTable{
		{"NAME,APIVERSION,NAMESPACED,KIND", false, servedRow},
		{"LAST SEEN,REASON,OBJECT", false, eventRow},
		{"NAME,SERVICE,AVAILABLE,AGE", false, apiServiceRow},
		{"NAME,STATUS,ROLES,VERSION", false, nodeRow},
		{"NAME,READY,STATUS,RESTARTS", false, podRow},
		{"NAME,STATUS,VOLUME,CAPACITY", false, claimRow},
		{"NAME,CAPACITY,RECLAIM POLICY,CLAIM", false, volumeRow},
		{"NAME,COMPLETIONS,DURATION", false, jobRow},
		{"NAME,DISPLAY NAME,STATUS", true, namespaceRow}, // of an OpenShift project
		{"NAME,STATUS,AGE", true, namespaceRow},
	}
}

func servedRow(r *reader, cells map[string]string, _ int) error {
	r.sink.Served(Served{
		APIVersion: cells["APIVERSION"], Resource: cells["NAME"], Kind: cells["KIND"],
		ShortNames: strings.FieldsFunc(cells["SHORTNAMES"], func(c rune) bool { return c == ',' }),
		Namespaced: cells["NAMESPACED"] == "true",
	})
	return nil
}

func value(cell string) string {
	if strings.HasPrefix(cell, "<") {
		return ""
	}
	return cell
}

func newObject(version, kind, namespace, name string) map[string]any {
	metadata := map[string]any{"name": name}
	if namespace != "" {
		metadata["namespace"] = namespace
	}
	return map[string]any{"apiVersion": version, "kind": kind, "metadata": metadata}
}

// named returns the name in a row, without the type that kubectl puts in front of it.
func named(cells map[string]string) string {
	if at := strings.LastIndexByte(cells["NAME"], '/'); at >= 0 {
		return cells["NAME"][at+1:]
	}
	return cells["NAME"]
}

// namespaceOf returns the namespace of a row, as far as the text tells it.
func (r *reader) namespaceOf(cells map[string]string) string {
	if cells["NAMESPACE"] != "" {
		return cells["NAMESPACE"]
	}
	return r.asked.Namespace
}

// columns takes in some fields of an object, which a row shows. What is deleted has at least the holds that Kubernetes
// gives to each object of its kind, which no table shows.
func (r *reader) columns(object map[string]any, deleted bool, at int, holds ...string) error {
	if deleted {
		metadata := object["metadata"].(map[string]any)
		for _, hold := range holds {
			finalizers, _ := metadata["finalizers"].([]any)
			metadata["finalizers"] = append(finalizers, hold)
		}
	}
	return r.sink.Object(Object{Fields: object, Line: at, Partial: Columns, Deleted: deleted})
}

func namespaceRow(r *reader, cells map[string]string, at int) error {
	if asked := r.asked.only(); cells["STATUS"] != "Active" && cells["STATUS"] != terminating || asked != "" &&
		!asksNamespaces(asked) {
		return mentionRow(r, cells, at)
	}
	object := newObject("v1", "Namespace", "", named(cells))
	object["spec"] = map[string]any{"finalizers": []any{"kubernetes"}}
	object["status"] = map[string]any{"phase": cells["STATUS"]}
	return r.columns(object, cells["STATUS"] == terminating, at)
}

// asksNamespaces reports whether what was typed are namespaces, or what OpenShift shows them as.
func asksNamespaces(typed string) bool {
	return slices.Contains([]string{"ns", "namespace", "namespaces", "project", "projects"}, typed)
}

func podRow(r *reader, cells map[string]string, at int) error {
	spec := map[string]any{}
	if node := value(cells["NODE"]); node != "" {
		spec["nodeName"] = node
	}
	object := newObject("v1", "Pod", r.namespaceOf(cells), named(cells))
	object["spec"] = spec
	deleted := cells["STATUS"] == terminating
	if deleted { // it has one, and no table shows it
		object["metadata"].(map[string]any)["deletionGracePeriodSeconds"] = usualGrace
	}
	if deleted && cells["NODE"] == "" { // a pod without a node is gone in a moment: this one may have one
		return r.sink.Object(Object{Fields: object, Line: at, Partial: MetadataOnly, Deleted: true})
	}
	return r.columns(object, deleted, at)
}

// terminating is what kubectl shows in place of the phase of what is being deleted.
const terminating = "Terminating"

// usualGrace is the grace period of pods that don't have another one, in seconds.
const usualGrace = int64(30)

func claimRow(r *reader, cells map[string]string, at int) error {
	object := newObject("v1", "PersistentVolumeClaim", r.namespaceOf(cells), named(cells))
	object["spec"] = map[string]any{"volumeName": value(cells["VOLUME"])}
	if cells["STATUS"] != terminating { // which is in place of the phase
		object["status"] = map[string]any{"phase": cells["STATUS"]}
	}
	return r.columns(object, cells["STATUS"] == terminating, at, "kubernetes.io/pvc-protection")
}

func volumeRow(r *reader, cells map[string]string, at int) error {
	spec := map[string]any{"persistentVolumeReclaimPolicy": cells["RECLAIM POLICY"]}
	if namespace, name, is := strings.Cut(cells["CLAIM"], "/"); is {
		spec["claimRef"] = map[string]any{
			"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": namespace, "name": name,
		}
	}
	object := newObject("v1", "PersistentVolume", "", named(cells))
	object["spec"] = spec
	deleted := cells["STATUS"] == terminating
	if !deleted { // it is in place of the phase
		object["status"] = map[string]any{"phase": cells["STATUS"]}
	}
	return r.columns(object, deleted, at, "kubernetes.io/pv-protection")
}

func nodeRow(r *reader, cells map[string]string, at int) error {
	status, others, _ := strings.Cut(cells["STATUS"], ",")
	ready := map[string]string{"Ready": "True", "NotReady": "Unknown"}[status]
	if ready == "" {
		return mentionRow(r, cells, at)
	}
	object := newObject("v1", "Node", "", named(cells))
	object["spec"] = map[string]any{"unschedulable": strings.Contains(others, "SchedulingDisabled")}
	object["status"] = map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": ready}}}
	return r.columns(object, false, at)
}

func apiServiceRow(r *reader, cells map[string]string, at int) error {
	version, group, _ := strings.Cut(named(cells), ".")
	spec := map[string]any{"group": group, "version": version}
	if namespace, name, remote := strings.Cut(cells["SERVICE"], "/"); remote {
		spec["service"] = map[string]any{"namespace": namespace, "name": name}
	}
	status, reason, _ := strings.Cut(cells["AVAILABLE"], " ")
	condition := map[string]any{"type": "Available", "status": status, "reason": strings.Trim(reason, "()")}
	object := newObject("apiregistration.k8s.io/v1", "APIService", "", named(cells))
	object["spec"], object["status"] = spec, map[string]any{"conditions": []any{condition}}
	return r.columns(object, false, at)
}

// mentionRow notes an object if a table shows no more than that it is there.
func mentionRow(r *reader, cells map[string]string, at int) error {
	name, resource := cells["NAME"], r.asked.only()
	if kind, rest, is := strings.Cut(name, "/"); is {
		resource, name = kind, rest
	}
	if resource == "" || name == "" {
		r.advise(at, "it does not show of which type %q is; use the output of kubectl get TYPE %s -o yaml, or give the "+
			"table with the command that printed it", name, name)
		return nil
	}
	r.sink.Mention(Mention{Resource: resource, Namespace: r.namespaceOf(cells), Name: name, Line: at})
	return nil
}
