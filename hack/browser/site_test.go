package browser

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// base is where the site is published, below its host.
const base = "/kubectl-finalizers/"

// widths are those of the windows in which the site is looked at.
var widths = map[string]int{"desktop": 1280, "phone": 390}

// siteOf serves what make site has built, at the path where it is published. It skips the test where there is none.
func siteOf(t *testing.T) (folder, address string) {
	t.Helper()
	if folder = os.Getenv("SITE"); folder == "" {
		t.Skip("SITE is not set (make site-test)")
	}
	server := httptest.NewServer(http.StripPrefix(base, http.FileServer(http.Dir(folder))))
	t.Cleanup(server.Close)
	return folder, server.URL
}

// looked returns pages of a built site: all of its sections, and a part of the finalizers and projects, the longest
// names among them.
func looked(t *testing.T, folder string) (pages []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*", "*", "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	const every, long = 40, 70
	pages = []string{base, base + "causes/", base + "docs/", base + "projects/", base + "finalizers/"}
	for i, file := range files {
		name, err := filepath.Rel(folder, filepath.Dir(file))
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		many := strings.HasPrefix(name, "finalizers/") || strings.HasPrefix(name, "projects/")
		if !many || i%every == 0 || len(name) > long || strings.HasSuffix(name, "/longhorn.io") {
			pages = append(pages, base+name+"/")
		}
	}
	if len(pages) < 60 {
		t.Errorf("%d pages are looked at", len(pages))
	}
	return pages
}

// TestSitePages looks at pages of the site on a desktop and on a phone: no page is wider than its window, nothing comes
// from another host, and nothing is reported.
func TestSitePages(t *testing.T) {
	folder, address := siteOf(t)
	window := newTab(t, browserOf(t))
	for name, width := range widths {
		window.size(width, 900)
		for _, page := range looked(t, folder) {
			window.faults = nil
			for _, requested := range window.open(address + page) {
				if !strings.HasPrefix(requested, address) && !strings.HasPrefix(requested, "data:") {
					t.Errorf("%s requests %s", page, requested)
				}
			}
			if wide := run[int](window, "document.documentElement.scrollWidth"); wide > width {
				t.Errorf("%s: %s is %d wide", name, page, wide)
			}
			if hidden := run[string](window, pictures); hidden != "" {
				t.Errorf("%s: %s does not show %s", name, page, hidden)
			}
			seen := run[bool](window, "document.querySelector('h1').checkVisibility()")
			window.mutex.Lock()
			if !seen || len(window.faults) > 0 {
				t.Errorf("%s: %s: its heading is seen: %t; %q", name, page, seen, window.faults)
			}
			window.mutex.Unlock()
		}
	}
}

// pictures waits for all pictures, and returns the first one that can't be shown.
const pictures = `Promise.all([...document.querySelectorAll('.content img')].map(picture => {
	picture.loading = 'eager';
	return picture.decode().then(() => '', () => picture.src);
})).then(hidden => hidden.find(source => source) ?? '')`

// TestSiteSearch types a part of a finalizer's name, and follows the first result.
func TestSiteSearch(t *testing.T) {
	_, address := siteOf(t)
	window := newTab(t, browserOf(t))
	for name, width := range widths {
		for part, title := range map[string]string{
			"pvc-prot":           "Finalizer kubernetes.io/pvc-protection",
			"karpenter.sh/termi": "Finalizer karpenter.sh/termination",
			"longhorn":           "longhorn",
			"StillInUse":         "StillInUse",
		} {
			window.size(width, 900)
			window.open(address + base)
			if name == "phone" {
				run[bool](window, "document.querySelector('.hextra-hamburger-menu').click() ?? true")
			}
			run[bool](window, search)
			run[bool](window, "(seen => { seen.value = '"+part+"'; "+
				"seen.dispatchEvent(new KeyboardEvent('keyup', {bubbles: true})); return true })(window.searched)")
			first := run[string](window, "document.querySelectorAll('.hextra-search-results a')[0]?.href ?? ''")
			if first == "" {
				t.Errorf("%s: %q finds nothing", name, part)
				continue
			}
			window.open(first)
			found := run[string](window, "document.querySelector('h1').textContent.trim()")
			if !strings.Contains(strings.ToLower(found), strings.ToLower(title)) {
				t.Errorf("%s: %q finds first %q at %s", name, part, found, first)
			}
		}
	}
}

// search puts the cursor into the box of the search that is to be seen, and waits until the index is there.
const search = `new Promise(done => {
	window.searched = [...document.querySelectorAll('.hextra-search-input')].find(box => box.checkVisibility());
	searched.focus();
	searched.dispatchEvent(new Event('focus'));
	const wait = () => {
		const all = window.pageIndex?.search('finalizer', 1000)[0]?.result.length ?? 0;
		all > 600 ? done(true) : setTimeout(wait, 50);
	};
	wait();
})`
