#!/usr/bin/env bash
# Builds Helm from the Go module that tools/go.mod pins, and takes the Prometheus operator's definitions out of its
# module: usage build.sh OUTPUT_DIR. What is there already, of these versions, is left alone.
set -euo pipefail

out=$(mkdir -p "${1:?usage: build.sh OUTPUT_DIR}" && cd "$1" && pwd)
cd "$(dirname "$0")/tools"
operator=github.com/prometheus-operator/prometheus-operator@v0.85.0
version="$(sed -n 's#.*\(helm.sh/helm/v[0-9]* v[^ ]*\).*#\1#p' go.mod) $operator"
[ "$(cat "$out/.version" 2>/dev/null)" = "$version" ] && exit
echo "Building Helm, which takes minutes the first time ..."
CGO_ENABLED=0 GOFLAGS=-mod=mod go build -trimpath -ldflags "-s -w" -o "$out/helm" helm.sh/helm/v4/cmd/helm
folder=$(cd / && go mod download -json "$operator" | sed -n 's/.*"Dir": "\(.*\)",*/\1/p')
for kind in servicemonitors podmonitors prometheusrules; do
	cp "$folder/example/prometheus-operator-crd/monitoring.coreos.com_$kind.yaml" "$out/"
done
chmod u+w "$out"/*.yaml
echo "$version" >"$out/.version"
