//go:build !unix

package testenv

func setUmask() {}
