package files

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// sniffed is how much of a file is looked at to tell what it is.
const sniffed = 1 << 16

// content is what a file holds.
type content struct{ recording, zipped, archive bool }

// sniff tells by the beginning of a file what it holds, and leaves it unread.
func sniff(in *bufio.Reader) (content, error) {
	start, err := in.Peek(sniffed)
	if len(start) == 0 {
		if errors.Is(err, io.EOF) {
			return content{}, errors.New("it is empty")
		}
		return content{}, err
	}
	if by := packedBy(start); by != "" {
		return content{}, fmt.Errorf("it is %s, which has to be unpacked first", by)
	}
	if !snapshot.IsZipped(start) {
		return content{recording: snapshot.IsRecording(start), archive: isArchive(start)}, nil
	}
	inside := beginning(start)
	if by := packedBy(inside); by != "" || snapshot.IsZipped(inside) {
		return content{}, errors.New("it is packed twice, and has to be unpacked first")
	}
	return content{zipped: true, archive: isArchive(inside), recording: len(inside) == 0 || snapshot.IsRecording(inside)}, nil
}

// packedBy names what a file is packed by that isn't read here.
func packedBy(start []byte) string {
	for _, packed := range []struct{ magic, name string }{
		{"PK\x03\x04", "a zip archive"}, {"\xfd7zXZ\x00", "packed by xz"},
		{"\x28\xb5\x2f\xfd", "packed by zstd"}, {"BZh", "packed by bzip2"},
	} {
		if bytes.HasPrefix(start, []byte(packed.magic)) {
			return packed.name
		}
	}
	return ""
}

// beginning unzips as much of what was packed as shows what it is. It is empty for what is damaged.
func beginning(packed []byte) []byte {
	unzipped, err := snapshot.Unzip(bytes.NewReader(packed))
	if err != nil {
		return nil
	}
	inside := make([]byte, 512)
	n, _ := io.ReadFull(unzipped, inside)
	return inside[:n]
}

// isArchive tells whether something begins as a tar archive does (POSIX ustar, pax, GNU).
func isArchive(start []byte) bool {
	const at, magic = 257, "ustar"
	return len(start) >= at+len(magic) && string(start[at:at+len(magic)]) == magic
}
