package main

import "syscall"

// newSession makes the program's standard input its terminal, so that Ctrl-C typed there reaches it.
func newSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true, Setctty: true} }
