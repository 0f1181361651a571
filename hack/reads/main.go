// Command reads finds out which fields of Kubernetes' own kinds the program reads of whole objects, from the program
// itself, and writes them down for the recorder (pkg/snapshot), which keeps these and no others:
//
//	reads MODULE FILE
//
// A field is read where an expression selects it, of a type of k8s.io/api or of a struct that objects are decoded into
// (declared.go:views). What libraries read of what they are handed, and what is read without a type, is in declared.go.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: reads MODULE FILE")
		os.Exit(1)
	}
	text, err := readFields(os.Args[1])
	if err == nil {
		err = os.WriteFile(os.Args[2], []byte(text), 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// readFields returns the fields that the program reads, whose module is at dir. It fails for a program that doesn't
// compile, and for a struct that objects are decoded into, if declared.go doesn't say which objects.
func readFields(dir string) (string, error) {
	program, err := load(dir)
	if err != nil {
		return "", err
	}
	found := newFields()
	for _, one := range program.packages {
		if err := found.collect(one); err != nil {
			return "", err
		}
	}
	return found.text(program)
}
