#!/usr/bin/env bash
# Builds snapshot-controller from the Go module that go.mod beside this script pins, into the folder given
# as $1, with the definitions of its kinds beside it.
set -euo pipefail

out=$(mkdir -p "${1:?usage: build.sh OUTPUT_DIR}" && cd "$1" && pwd)
cd "$(dirname "$0")"
CGO_ENABLED=0 go build -trimpath -o "$out/snapshot-controller" github.com/kubernetes-csi/external-snapshotter/v8/cmd/snapshot-controller
definitions=$(go list -m -f '{{.Dir}}' github.com/kubernetes-csi/external-snapshotter/client/v8)/config/crd
for kind in volumesnapshots volumesnapshotcontents volumesnapshotclasses; do
	echo "---"
	sed '/^---$/d' "$definitions/snapshot.storage.k8s.io_$kind.yaml"
done | tail -n +2 >"$out/definitions.yaml"
