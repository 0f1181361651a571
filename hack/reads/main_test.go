package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadFields fails when the program has come to read another field of a whole object than recordings keep.
func TestReadFields(t *testing.T) {
	got, err := readFields("../..")
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("../../pkg/snapshot/read_fields.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(kept), got); diff != "" {
		t.Errorf("run go generate ./pkg/snapshot (-kept +read):\n%s", diff)
	}
	if strings.Count(got, "\ntype ") < 100 {
		t.Errorf("%d types are read: nothing was proven", strings.Count(got, "\ntype "))
	}
}
