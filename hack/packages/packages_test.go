package packages

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDeb installs the package with the real dpkg into a folder of its own, asks dpkg whether all of it is there,
// removes it, and sees that nothing stays.
func TestDeb(t *testing.T) {
	file, root := packaged(t, "deb"), t.TempDir()
	if os.Geteuid() != 0 {
		t.Fatal("dpkg installs as root only")
	}
	database := filepath.Join(root, "var", "lib", "dpkg")
	for _, folder := range []string{"info", "updates", "triggers"} {
		if err := os.MkdirAll(filepath.Join(database, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(database, "status"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "dpkg", "--root="+root, "--install", file)
	status := run(t, "dpkg-query", "--admindir="+database, "--show", "--showformat=${Status} ${Version}",
		"kubectl-finalizers")
	if want := "install ok installed " + strings.Replace(metadata(t).Version, "-", "~", 1); status != want {
		t.Errorf("dpkg says %q, want %q", status, want)
	}
	if said := run(t, "dpkg", "--root="+root, "--verify", "kubectl-finalizers"); said != "" {
		t.Errorf("dpkg --verify says %s", said)
	}
	installed(t, root, "usr/share/zsh/vendor-completions/_kubectl-finalizers",
		"usr/share/doc/kubectl-finalizers/copyright")
	run(t, "dpkg", "--root="+root, "--purge", "kubectl-finalizers")
	if _, err := os.Stat(filepath.Join(root, "usr", "bin", "kubectl-finalizers")); !os.IsNotExist(err) {
		t.Errorf("after --purge: %v", err)
	}
}

// TestRPM installs the package with the real rpm into a folder of its own, asks rpm whether all of it is there, removes
// it, and sees that nothing stays.
func TestRPM(t *testing.T) {
	file, root := packaged(t, "rpm"), t.TempDir()
	if os.Geteuid() != 0 {
		t.Fatal("rpm installs as root only")
	}
	if said := run(t, "rpm", "--query", "--package", "--queryformat", "%{LICENSE} %{VENDOR}", file); said !=
		"Apache-2.0 kubectl-finalizers" {
		t.Errorf("rpm says %q", said)
	}
	// Debian's rpm asks to be told that this is no mistake.
	run(t, "rpm", "--root="+root, "--force-debian", "--install", file)
	if said := run(t, "rpm", "--root="+root, "--verify", "kubectl-finalizers"); said != "" {
		t.Errorf("rpm --verify says %s", said)
	}
	installed(t, root, "usr/share/zsh/site-functions/_kubectl-finalizers",
		"usr/share/licenses/kubectl-finalizers/LICENSE")
	run(t, "rpm", "--root="+root, "--force-debian", "--erase", "kubectl-finalizers")
	if _, err := os.Stat(filepath.Join(root, "usr", "bin", "kubectl-finalizers")); !os.IsNotExist(err) {
		t.Errorf("after --erase: %v", err)
	}
}

// TestAPK unpacks the package: it is tar files, compressed and put one behind the other.
func TestAPK(t *testing.T) {
	file, root := packaged(t, "apk"), t.TempDir()
	run(t, "tar", "--extract", "--gzip", "--ignore-zeros", "--warning=no-unknown-keyword", "--file="+file,
		"--directory="+root)
	installed(t, root, "usr/share/zsh/site-functions/_kubectl-finalizers",
		"usr/share/licenses/kubectl-finalizers/LICENSE")
	about, err := os.ReadFile(filepath.Join(root, ".PKGINFO"))
	if err != nil || !strings.Contains(string(about), "pkgname = kubectl-finalizers\n") ||
		!strings.Contains(string(about), "license = Apache-2.0\n") {
		t.Errorf("%v: %s", err, about)
	}
}

// TestArchive unpacks the archive for this machine, as docs/install.md says.
func TestArchive(t *testing.T) {
	file, root := packaged(t, "tar.gz"), t.TempDir()
	run(t, "tar", "--extract", "--gzip", "--file="+file, "--directory="+root)
	answers(t, root)
	for _, name := range []string{"LICENSE", "man/kubectl-finalizers-why.1", "completions/_kubectl-finalizers"} {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
}

// sums reads the checksums of the release, and compares each.
func sums(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.Open(released(t, "checksums.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	sums := map[string]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		sum, name, _ := strings.Cut(lines.Text(), "  ")
		data, err := os.ReadFile(released(t, name))
		if err != nil {
			t.Fatal(err)
		}
		if is := sha256.Sum256(data); hex.EncodeToString(is[:]) != sum {
			t.Errorf("%s has the checksum %x, want %s", name, is, sum)
		}
		sums[name] = sum
	}
	return sums
}

// TestManifests of package managers name archives and checksums of this release.
func TestManifests(t *testing.T) {
	checksums := sums(t)
	for path, archives := range map[string][]string{
		"homebrew/Casks/kubectl-finalizers.rb": {"darwin_amd64.tar.gz", "darwin_arm64.tar.gz", "linux_amd64.tar.gz",
			"linux_arm64.tar.gz"},
		"scoop/kubectl-finalizers.json": {"windows_amd64.zip", "windows_arm64.zip"},
		"winget/manifests/k/kubectl-finalizers/kubectl-finalizers/" + metadata(t).Version +
			"/kubectl-finalizers.kubectl-finalizers.installer.yaml": {"windows_amd64.zip", "windows_arm64.zip"},
	} {
		data, err := os.ReadFile(released(t, path))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ToLower(string(data))
		for _, archive := range archives {
			sum := checksums["kubectl-finalizers_"+archive]
			if sum == "" || !strings.Contains(text, sum) {
				t.Errorf("%s doesn't name the checksum of %s, %q", path, archive, sum)
			}
		}
	}
	if _, err := exec.LookPath("nix-hash"); err == nil { // goreleaser needs it for Nix's
		data, err := os.ReadFile(released(t, "nix/pkgs/kubectl-finalizers/default.nix"))
		if err != nil || !strings.Contains(string(data), "install -D -m 0755 -t $out/bin kubectl-finalizers") {
			t.Errorf("%v\n%s", err, data)
		}
	}
}

// TestManPages: the cask names each page, because a cask has no patterns.
func TestManPages(t *testing.T) {
	pages, err := filepath.Glob("../../docs/reference/man/*.1")
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	config, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if named := strings.Count(string(config), "\n  - man/"); named != len(pages) {
		t.Errorf("the cask names %d of %d man pages", named, len(pages))
	}
	for _, page := range pages {
		if !strings.Contains(string(config), "\n  - man/"+filepath.Base(page)+"\n") {
			t.Errorf("the cask doesn't name %s", page)
		}
	}
}

// TestBill reads the list of what the program was built from: it has what go.mod requires.
func TestBill(t *testing.T) {
	data, err := os.ReadFile(released(t, "kubectl-finalizers_linux_amd64.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	var bill struct {
		BOMFormat    string
		SerialNumber string
		Metadata     struct{ Timestamp string }
		Components   []struct{ Name, Version string }
	}
	if err := json.Unmarshal(data, &bill); err != nil {
		t.Fatal(err)
	}
	if bill.BOMFormat != "CycloneDX" || bill.SerialNumber != "" || bill.Metadata.Timestamp != "" {
		t.Errorf("it is %q with the number %q and the time %q", bill.BOMFormat, bill.SerialNumber,
			bill.Metadata.Timestamp)
	}
	versions := map[string]string{}
	for _, component := range bill.Components {
		versions[component.Name] = component.Version
	}
	for _, module := range []string{"k8s.io/client-go", "github.com/spf13/cobra"} {
		want := required(t, module)
		if versions[module] != want {
			t.Errorf("%s is %q in it, want %q", module, versions[module], want)
		}
	}
	if _, named := sums(t)["kubectl-finalizers_linux_amd64.cdx.json"]; !named {
		t.Error("checksums.txt doesn't have it")
	}
}

// required returns the version of a module that go.mod requires.
func required(t *testing.T, module string) string {
	t.Helper()
	data, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(strings.TrimPrefix(line, "require ")); len(fields) > 1 && fields[0] == module {
			return fields[1]
		}
	}
	t.Fatalf("go.mod doesn't require %s", module)
	return ""
}
