// Package browser tests the pages of -o html in a real browser: make test-browser.
package browser
