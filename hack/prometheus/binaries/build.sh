#!/usr/bin/env bash
# Builds Prometheus, promtool and kube-state-metrics from the Go modules that go.mod beside this script, and in its
# folder, pin: usage build.sh OUTPUT_DIR. Prometheus' service discovery and its web pages are left out. What is there
# already, of these versions, is left alone.
set -euo pipefail

out=$(mkdir -p "${1:?usage: build.sh OUTPUT_DIR}" && cd "$1" && pwd)
cd "$(dirname "$0")"
version=$(sed -n 's#^require github.com/prometheus/prometheus ##p' go.mod)
version+=" and $(sed -n 's#.*k8s.io/\(kube-state-metrics\)/v2 \(v[^ ]*\).*#\1 \2#p' kube-state-metrics/go.mod)"
[ "$(cat "$out/.version" 2>/dev/null)" = "$version" ] && exit
echo "Building Prometheus $version, which takes minutes the first time ..."
for program in prometheus promtool; do
	CGO_ENABLED=0 GOFLAGS=-mod=mod go build -trimpath -ldflags "-s -w" -tags remove_all_sd \
		-o "$out/" "github.com/prometheus/prometheus/cmd/$program"
done
cd kube-state-metrics
CGO_ENABLED=0 GOFLAGS=-mod=mod go build -trimpath -ldflags "-s -w" -o "$out/kube-state-metrics" k8s.io/kube-state-metrics/v2
echo "$version" >"$out/.version"
