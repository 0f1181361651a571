#!/usr/bin/env bash
# Builds the operators of ../operators from the Go modules that go.mod beside this script pins: usage
# build.sh OUTPUT_DIR [NAME…], without names all of them. What is up to date is left alone. See build/main.go.
set -euo pipefail

out=$(mkdir -p "${1:?usage: build.sh OUTPUT_DIR [NAME…]}" && cd "$1" && pwd)
shift
cd "$(dirname "$0")"
[ -x "$out/.build" ] || echo "Building what builds the operators, which takes minutes the first time ..."
CGO_ENABLED=0 GOFLAGS=-mod=mod go build -trimpath -o "$out/.build" ./build
exec "$out/.build" ../operators "$out" "$@"
