package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// page is a page of the site, as Hugo takes it.
type page struct {
	// Path is its file below Hugo's folder content: causes/stillinuse/index.md.
	Path string
	head
	// Body is its text in Markdown.
	Body string
}

// head is what Hugo and the theme take of a page beside its text.
type head struct {
	Title       string  `json:"title"`
	LinkTitle   string  `json:"linkTitle,omitempty"` // in menus and search results
	Description string  `json:"description"`
	Weight      int     `json:"weight,omitempty"`
	NotSearched bool    `json:"excludeSearch,omitempty"`
	Sidebar     sidebar `json:"sidebar,omitzero"`
}

// sidebar says where the list of pages at the side of a page is left out, and which pages it leaves out.
type sidebar struct {
	Hide    bool `json:"hide,omitempty"`
	Exclude bool `json:"exclude,omitempty"`
}

// Address is where the page is below the root of the site: /docs/guide/.
func (p page) Address() string {
	path := strings.TrimSuffix(strings.TrimSuffix(p.Path, "_index.md"), "index.md")
	return "/" + path
}

// file returns the page as a file for Hugo. The error is that its text has what Hugo would take as a command.
func (p page) file() ([]byte, error) {
	if strings.Contains(p.Body, "{{<") || strings.Contains(p.Body, "{{%") {
		return nil, fmt.Errorf("%s has a shortcode of Hugo", p.Path)
	}
	head, err := json.MarshalIndent(p.head, "", "  ")
	if err != nil {
		return nil, err
	}
	return []byte(string(head) + "\n\n" + p.Body), nil
}
