package cluster

import "google.golang.org/protobuf/encoding/protowire"

// keepsEncoded is Keeps of an ObjectMeta in protobuf, which is not decoded for it.
func (k Keep) keepsEncoded(meta []byte) (keeps bool) {
	if k == KeepAll || k&KeepSlim != 0 {
		return true
	}
	eachField(meta, func(number protowire.Number, _, _ []byte) bool {
		keeps = number == metaDeletion && k&KeepTerminating != 0 ||
			number == metaOwners && k&KeepOwned != 0 ||
			number == metaFinalizers && k&KeepHeld != 0
		return !keeps
	})
	return keeps
}

// lookup returns the first message or string of a number.
func lookup(message []byte, wanted protowire.Number) (content []byte, found bool) {
	eachField(message, func(number protowire.Number, _, value []byte) bool {
		if found = number == wanted && value != nil; found {
			content = value
		}
		return !found
	})
	return content, found
}

// eachField visits the fields of a message until visit returns false: each as a whole, and the content of messages and
// strings, which is nil for others. It returns what follows the last one that it could read; whoever decodes a
// message that is broken will say so.
func eachField(message []byte, visit func(number protowire.Number, field, content []byte) bool) (rest []byte) {
	for len(message) > 0 {
		number, kind, tag := protowire.ConsumeTag(message)
		if tag < 0 {
			break
		}
		var content []byte
		var length int
		if kind == protowire.BytesType {
			content, length = protowire.ConsumeBytes(message[tag:])
		} else {
			length = protowire.ConsumeFieldValue(number, kind, message[tag:])
		}
		if length < 0 {
			break
		}
		field := message[:tag+length]
		message = message[tag+length:]
		if !visit(number, field, content) {
			break
		}
	}
	return message
}
