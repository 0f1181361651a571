package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// row is a program to measure beside another.
type row struct {
	name, beside   string
	measured, base command
}

// pairs prints the table of scans beside raw fetches.
func (m *measurer) pairs(ctx context.Context, plane *controlplane.ControlPlane) error {
	claim := []string{"pvc/stuck-0003", "-n", in(3)}
	recording := filepath.Join(plane.Dir, "bench.snapshot")
	record := func(kubeconfig string) []string { // the name is given away once
		_ = os.Remove(recording)
		return m.plugin("snapshot", "-A", "-o", recording)(kubeconfig)
	}
	recorded := m.plugin(append([]string{"why", "--snapshot", recording}, claim...)...)
	why := m.plugin(append([]string{"why"}, claim...)...)
	tree := m.plugin("tree", "rs/web-0007", "-n", in(7))
	return m.table(ctx, plane, []row{
		{"raw fetch in pages of 500", "raw fetch, whole lists", raw("", "500"), raw("", "0")},
		{"`list -A --no-causes`", "raw fetch, whole lists", m.plugin("list", "-A", "--no-causes"), raw("", "0")},
		{"`list -A`", "raw fetch, whole lists", m.plugin("list", "-A"), raw("", "0")},
		{"`check -A`", "raw fetch, whole lists", m.plugin("check", "-A", "-o", "wide"), raw("", "0")},
		{"`snapshot -A`", "raw fetch, whole lists", record, raw("", "0")},
		{"`tree rs/web-0007 -n " + in(7) + "`", "raw fetch of its namespace", tree, raw(in(7), "0")},
		{"`why pvc/stuck-0003 --snapshot`, of all that", "the same of the cluster", recorded, why},
		{"`why pvc/stuck-0003`", "`kubectl get pvc/stuck-0003`", why, kubectl(append([]string{"get"}, claim...)...)},
	})
}

// previews prints that of previews of crowded namespaces.
func (m *measurer) previews(ctx context.Context, plane *controlplane.ControlPlane) error {
	beside := "raw fetch of its namespace"
	return m.table(ctx, plane, []row{
		{"`preview ns/" + crowd + "`", beside, m.plugin("preview", "ns/"+crowd), raw(crowd, "0")},
		{"`preview ns/" + heldCrowd + "`", beside, m.plugin("preview", "ns/"+heldCrowd), raw(heldCrowd, "0")},
	})
}

// raw is the raw fetch of a namespace, or of everything, in pages of a length; 0 is whole lists.
func raw(namespace, page string) command {
	return func(kubeconfig string) []string {
		self, err := os.Executable()
		if err != nil {
			self = os.Args[0]
		}
		return []string{self, "raw", kubeconfig, namespace, page}
	}
}

func (m *measurer) plugin(args ...string) command {
	return func(kubeconfig string) []string {
		return append([]string{m.binary}, append(slices.Clone(args), "--kubeconfig", kubeconfig)...)
	}
}

func kubectl(args ...string) command {
	return func(kubeconfig string) []string {
		program := filepath.Join("bin", "controlplane", "kubectl")
		return append([]string{program}, append(slices.Clone(args), "--kubeconfig", kubeconfig)...)
	}
}

func (m *measurer) table(ctx context.Context, plane *controlplane.ControlPlane, rows []row) error {
	meter, err := newMeter(ctx, plane)
	if err != nil {
		return err
	}
	fmt.Println("\n| what | beside | time | of that | own processor time | requests | received | memory |\n" +
		"|---|---|---|---|---|---|---|---|")
	for _, one := range rows {
		figures, err := m.pair(ctx, meter, one.base, one.measured)
		if err != nil {
			return err
		}
		base, measured := figures[0], figures[1]
		fmt.Printf("| %s | | %s | | %s | %d | %s | %s |\n", one.beside, milliseconds(base.fastest),
			milliseconds(base.cpu), base.requests, size(base.received), size(base.memory))
		fmt.Printf("| %s | %s | %s | %.2f × | %s | %d | %s | %s |\n", one.name, one.beside,
			milliseconds(measured.fastest), float64(measured.fastest)/float64(base.fastest), milliseconds(measured.cpu),
			measured.requests, size(measured.received), size(measured.memory))
	}
	return nil
}

func milliseconds(took time.Duration) string { return fmt.Sprintf("%d ms", took.Milliseconds()) }

func size(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%.1f kB", float64(bytes)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}
