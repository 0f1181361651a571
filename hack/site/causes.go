package main

import (
	"regexp"
	"strings"
)

// section is a part of a page, with a heading of the second level.
type section struct {
	title, body string
}

var sectionHeading = regexp.MustCompile(`(?m)^## (.*)\n`)

// causeSections returns the sections of the page of causes that are about one cause: their headings are its code.
func causeSections(from source) (all []section) {
	if from.file != causes {
		return nil
	}
	found := sectionHeading.FindAllStringSubmatchIndex(from.body, -1)
	for i, at := range found {
		end := len(from.body)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		title := from.body[at[2]:at[3]]
		if !strings.Contains(title, " ") {
			all = append(all, section{title, from.body[at[1]:end]})
		}
	}
	return all
}

// withoutSections returns the page of causes without the sections that are pages of their own.
func withoutSections(from source) string {
	for _, cause := range causeSections(from) {
		from.body = strings.Replace(from.body, "## "+cause.title+"\n"+cause.body, "", 1)
	}
	return from.body
}

func causePath(cause section) string { return "causes/" + strings.ToLower(cause.title) + "/index.md" }

// causePages returns a page for each cause.
func causePages(all []section) (pages []page) {
	for i, cause := range all {
		pages = append(pages, page{Path: causePath(cause), Body: cause.body + causeEnd, head: head{
			Title: cause.title, Description: described(cause.title + ": " + causeIn(cause.body)), Weight: i + 1,
		}})
	}
	return pages
}

// causeIn returns what a section says of the cause.
func causeIn(body string) string {
	_, after, _ := strings.Cut(body, "- **Cause**: ")
	said, _, _ := strings.Cut(after, "\n- **")
	return plain(said)
}

const causeEnd = `
To find out whether this is what an object waits for, and which object it is, ask
` + "`kubectl finalizers why TYPE/NAME`" + `. [All root causes](/causes/) lists the others.
`
