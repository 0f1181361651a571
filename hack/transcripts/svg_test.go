package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestSVG(t *testing.T) {
	drawn := string(svg("$ why <x>\n\x1b[1;31mStuck\x1b[0m: & \x1b[32msafe\x1b[0m\n"))
	decoder := xml.NewDecoder(strings.NewReader(drawn))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{
		"$ why &lt;x&gt;", `<tspan font-weight="bold" fill="#ff7b72">Stuck</tspan>`, `<tspan>: &amp; </tspan>`,
		`<tspan fill="#7ee787">safe</tspan>`,
	} {
		if !strings.Contains(drawn, want) {
			t.Errorf("no %s in\n%s", want, drawn)
		}
	}
}
