package cli

import (
	"os"

	"golang.org/x/term"
)

// isTerminal reports whether a stream of the program is a terminal. Streams that aren't files can say so themselves.
func isTerminal(stream any) bool {
	if stated, states := stream.(interface{ IsTerminal() bool }); states {
		return stated.IsTerminal()
	}
	file, isFile := stream.(*os.File)
	return isFile && term.IsTerminal(int(file.Fd()))
}
