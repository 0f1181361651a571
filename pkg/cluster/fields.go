package cluster

import "encoding/binary"

// wire tells of an object that has not been decoded whether it is one to keep.
func (k Keep) wire(object []byte) bool {
	meta, _ := lookup(object, objectMetadata)
	return Wire(meta).Keeps(k)
}

func (k Keep) wireMeta(meta []byte) (found bool) {
	eachField(meta, func(number uint64, _ []byte) bool {
		found = number == metaDeletion && k&KeepTerminating != 0 ||
			number == metaOwners && k&KeepOwned != 0 ||
			number == metaFinalizers && k&KeepHeld != 0
		return !found
	})
	return found
}

// lookup returns the first message or string of a number.
func lookup(message []byte, wanted uint64) (content []byte, found bool) {
	eachField(message, func(number uint64, value []byte) bool {
		if found = number == wanted; found {
			content = value
		}
		return !found
	})
	return content, found
}

// eachField visits the messages and strings of a message until visit returns false. Where the message
// is broken it ends: whoever decodes it will say so.
func eachField(message []byte, visit func(number uint64, value []byte) bool) {
	for len(message) > 0 {
		number, length := fieldLength(message)
		if length == 0 {
			return
		}
		if message[0]&7 == lengthDelimited && !visit(number, content(message[:length])) {
			return
		}
		message = message[length:]
	}
}

// content is what follows the key and the length of a field.
func content(field []byte) []byte {
	_, used := binary.Uvarint(field)
	_, prefix := binary.Uvarint(field[used:])
	return field[used+prefix:]
}

// fieldLength measures the first field of a message; 0 where it is broken.
func fieldLength(message []byte) (number uint64, length int) {
	key, used := binary.Uvarint(message)
	if used <= 0 {
		return 0, 0
	}
	content := 0
	switch key & 7 {
	case 0:
		_, content = binary.Uvarint(message[used:])
	case 1:
		content = 8
	case 5:
		content = 4
	case lengthDelimited:
		size, prefix := binary.Uvarint(message[used:])
		if prefix > 0 && size <= uint64(len(message)) {
			content = prefix + int(size)
		}
	}
	if content <= 0 || used+content > len(message) {
		return 0, 0
	}
	return key >> 3, used + content
}
