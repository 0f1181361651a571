//go:build unix

package plugins_test

import "syscall"

// makePipe makes a pipe without a writer.
func makePipe(name string) error { return syscall.Mkfifo(name, 0o600) }
