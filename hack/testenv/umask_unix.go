//go:build unix

package testenv

import "syscall"

// setUmask lets others read what the tests write, as on a plain server.
func setUmask() { syscall.Umask(0o022) }
