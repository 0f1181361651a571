package snapshot

import "io"

// background writes what it is given in a goroutine of its own, in order, so that whoever reads a cluster
// doesn't wait for the compression. Few pieces wait at a time: whoever is faster is held back.
type background struct {
	pieces chan []byte
	spare  chan []byte // that were written, to be filled again
	done   chan struct{}
	err    error // of the first write that failed; to be read when done is closed
}

// piecesWaiting bounds what waits to be written: of the buffer in front, 64 KiB each.
const piecesWaiting = 16

func newBackground(to io.Writer) *background {
	b := &background{pieces: make(chan []byte, piecesWaiting), spare: make(chan []byte, piecesWaiting), done: make(chan struct{})}
	go func() {
		defer close(b.done)
		for piece := range b.pieces {
			if b.err == nil {
				_, b.err = to.Write(piece)
			}
			select {
			case b.spare <- piece:
			default:
			}
		}
	}()
	return b
}

// Write implements io.Writer. An error is told by Close.
func (b *background) Write(data []byte) (int, error) {
	var piece []byte
	select {
	case piece = <-b.spare:
	default:
	}
	b.pieces <- append(piece[:0], data...)
	return len(data), nil
}

// Close waits until everything is written.
func (b *background) Close() error {
	close(b.pieces)
	<-b.done
	return b.err
}
