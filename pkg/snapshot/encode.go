package snapshot

import (
	"encoding/json"

	"google.golang.org/protobuf/encoding/protowire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// encoder turns an object's metadata from the protobuf in which API servers send it into JSON without secrets, in
// one pass: it is what there is most of in a recording, and to decode and encode it took most of the time of
// one. The numbers of fields are those of k8s v1.37 apimachinery/pkg/apis/meta/v1/generated.proto, in the order
// of which servers write them. TestEncodeMetadata compares with encoding/json.
type encoder struct {
	jsonText
	cleaner *cleaner
	list    protowire.Number // the list or map that is being written
}

// fields of ObjectMeta that are more than a text
const (
	metaGeneration  = 7
	metaCreated     = 8
	metaDeleted     = 9
	metaGrace       = 10
	metaLabels      = 11
	metaAnnotations = 12
	metaOwners      = 13
	metaFinalizers  = 14
	metaManagers    = 17
)

// metadata appends an object's metadata.
func (e *encoder) metadata(meta cluster.Wire) error {
	e.begin()
	e.list = 0
	err := eachField(meta, func(field protowire.Number, number uint64, content []byte) error {
		if e.list != field {
			e.endList()
		}
		switch field {
		case metaGeneration:
			if number != 0 {
				e.number("generation", int64(number))
			}
		case metaCreated:
			if len(content) > 0 {
				return e.time("creationTimestamp", content)
			}
		case metaDeleted:
			return e.time("deletionTimestamp", content)
		case metaGrace:
			e.number("deletionGracePeriodSeconds", int64(number))
		case metaLabels, metaAnnotations:
			return e.entry(field, content)
		case metaOwners:
			return e.owner(content)
		case metaFinalizers:
			e.element(field, "finalizers")
			e.cleaner.meetFinalizer(string(content))
			e.text(content)
		case metaManagers:
			e.element(field, "managedFields")
			return e.manager(content)
		default:
			e.texted(metadataText(field), content)
		}
		return nil
	})
	e.endList()
	e.end()
	return err
}

// metadataText is the name of a field that is a text; empty for one that no recording holds.
func metadataText(field protowire.Number) string {
	switch field {
	case 1:
		return "name"
	case 2:
		return "generateName"
	case 3:
		return "namespace"
	case 5:
		return "uid"
	case 6:
		return "resourceVersion"
	}
	return ""
}

// element begins an element of a list.
func (e *encoder) element(field protowire.Number, name string) {
	if e.list != field {
		e.list = field
		e.key(name)
		e.data = append(e.data, '[')
	}
	e.comma()
}

// endList ends the list or map that was begun.
func (e *encoder) endList() {
	switch e.list {
	case 0:
		return
	case metaLabels, metaAnnotations:
		e.end()
	default:
		e.data = append(e.data, ']')
	}
	e.list = 0
}

// entry appends an entry of the labels or annotations, if anything is kept of it.
func (e *encoder) entry(field protowire.Number, content []byte) error {
	var parts [3][]byte // from 1: key, value
	err := eachField(content, func(part protowire.Number, _ uint64, content []byte) error {
		if part < 3 {
			parts[part] = content
		}
		return nil
	})
	key, value, name := parts[1], parts[2], "labels"
	if field == metaAnnotations {
		name = "annotations"
		kept, keep := e.cleaner.annotation(string(key), string(value))
		if !keep {
			return err
		}
		value = []byte(kept)
	}
	if e.list != field {
		e.list = field
		e.key(name)
		e.begin()
	}
	e.comma()
	e.text(key)
	e.data = append(e.data, ':')
	e.text(value)
	return err
}

// owner appends an owner reference: few objects have one.
func (e *encoder) owner(content []byte) error {
	var reference metav1.OwnerReference
	err := reference.Unmarshal(content)
	e.element(metaOwners, "ownerReferences")
	encoded, failed := json.Marshal(reference)
	if err == nil {
		err = failed
	}
	e.data = append(e.data, encoded...)
	return err
}

// manager appends an entry of managedFields.
func (e *encoder) manager(content []byte) error {
	e.begin()
	err := eachField(content, func(field protowire.Number, _ uint64, content []byte) error {
		switch field {
		case 4:
			return e.time("time", content)
		case 7:
			kept := []byte("null")
			err := eachField(content, func(_ protowire.Number, _ uint64, raw []byte) error {
				kept = e.cleaner.ownFields(raw)
				return nil
			})
			e.key("fieldsV1")
			e.data = append(e.data, kept...)
			return err
		default:
			e.texted(managerText(field), content)
		}
		return nil
	})
	e.end()
	return err
}

func managerText(field protowire.Number) string {
	switch field {
	case 1:
		return "manager"
	case 2:
		return "operation"
	case 3:
		return "apiVersion"
	case 6:
		return "fieldsType"
	case 8:
		return "subresource"
	}
	return ""
}

// time appends a time: seconds, of which the field has the number 1. Without any it is nothing.
func (e *encoder) time(name string, content []byte) error {
	e.key(name)
	if len(content) == 0 {
		e.data = append(e.data, "null"...)
		return nil
	}
	var seconds int64
	err := eachField(content, func(field protowire.Number, number uint64, _ []byte) error {
		if field == 1 {
			seconds = int64(number)
		}
		return nil
	})
	e.seconds(seconds)
	return err
}

// eachField visits the fields of a message in protobuf: numbers as that, texts and messages by their content.
func eachField(message []byte, visit func(field protowire.Number, number uint64, content []byte) error) error {
	for len(message) > 0 {
		field, form, used := protowire.ConsumeTag(message)
		if used < 0 {
			return protowire.ParseError(used)
		}
		message = message[used:]
		var number uint64
		var content []byte
		switch form {
		case protowire.VarintType:
			number, used = protowire.ConsumeVarint(message)
		case protowire.BytesType:
			content, used = protowire.ConsumeBytes(message)
		default:
			used = protowire.ConsumeFieldValue(field, form, message)
		}
		if used < 0 {
			return protowire.ParseError(used)
		}
		message = message[used:]
		if err := visit(field, number, content); err != nil {
			return err
		}
	}
	return nil
}
