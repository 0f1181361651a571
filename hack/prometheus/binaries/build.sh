#!/usr/bin/env bash
# Builds Prometheus and promtool from the Go modules that go.mod beside this script pins: usage build.sh OUTPUT_DIR. Service
# discovery and the web pages are left out. What is there already, of that version, is left alone.
set -euo pipefail

out=$(mkdir -p "${1:?usage: build.sh OUTPUT_DIR}" && cd "$1" && pwd)
cd "$(dirname "$0")"
version=$(sed -n 's#^require github.com/prometheus/prometheus ##p' go.mod)
[ "$(cat "$out/.version" 2>/dev/null)" = "$version" ] && exit
echo "Building Prometheus $version, which takes minutes the first time ..."
for program in prometheus promtool; do
	CGO_ENABLED=0 GOFLAGS=-mod=mod go build -trimpath -ldflags "-s -w" -tags remove_all_sd \
		-o "$out/" "github.com/prometheus/prometheus/cmd/$program"
done
echo "$version" >"$out/.version"
