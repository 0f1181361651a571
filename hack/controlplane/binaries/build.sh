#!/usr/bin/env bash
# Builds etcd, kube-apiserver, kube-controller-manager, kubectl and kwok from the Go modules that go.mod
# beside this script pins, into the folder given as $1. With a release as $2 (1.30), it builds that
# release's kube-apiserver and kube-controller-manager, from the module in the folder of that name, and takes
# the rest from the newest control plane, in the folder given as $3. A finished build leaves a stamp; while the
# stamp matches go.mod, go.sum, this script and the Go version, the script does nothing.
set -euo pipefail

out=$(mkdir -p "${1:?usage: build.sh OUTPUT_DIR [RELEASE NEWEST_DIR]}" && cd "$1" && pwd)
release=${2:-}
newest=${release:+$(cd "${3:?which folder holds the newest control plane?}" && pwd)}
script=$(cd "$(dirname "$0")" && pwd)/build.sh
cd "$(dirname "$0")"
if [ -n "$release" ] && ! cd "v$release" 2>/dev/null; then
	echo "There is no module for Kubernetes $release; there are: $(ls -d v*/ | tr -d 'v/' | xargs). CONTRIBUTING.md says how to add one." >&2
	exit 1
fi

want=$( (cat go.mod go.sum "$script"; go env GOVERSION GOOS GOARCH) | git hash-object --stdin)
if [ "$(cat "$out/.stamp" 2>/dev/null)" = "$want" ]; then
	exit 0
fi

kubernetes=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
IFS=. read -r major minor _ <<<"${kubernetes#v}"
version=k8s.io/component-base/version
client=k8s.io/client-go/pkg/version
ldflags="-s -w"
for package in $version $client; do
	ldflags+=" -X $package.gitVersion=$kubernetes -X $package.gitMajor=$major -X $package.gitMinor=$minor"
	ldflags+=" -X $package.gitTreeState=clean"
done

tools=$(go list tool | xargs -n 1 basename | xargs)
echo "Building a Kubernetes $kubernetes control plane ($tools)."
echo "The first build compiles about 3000 packages and takes several minutes; later ones take seconds."
echo "Fetching modules ..."
go mod download

started=$SECONDS
failed=$out/.failed
rm -f "$failed" "$out/.stamp"
# go build -v names each package as it is compiled: every 100th one shows that the build is moving.
# What isn't a package's name is an error and is passed on.
{ CGO_ENABLED=0 go build -v -trimpath -ldflags "$ldflags" -o "$out/" tool 2>&1 || touch "$failed"; } | {
	n=0
	while IFS= read -r line; do
		if [[ ! $line =~ ^[a-z0-9.]+(/[^[:space:]]+)*$ ]]; then
			printf '%s\n' "$line" >&2
		elif ((++n % 100 == 0)); then
			printf '  %4d packages after %ds: %s\n' "$n" $((SECONDS - started)) "$line"
		fi
	done
}
if [ -e "$failed" ]; then
	rm -f "$failed"
	echo "The control plane could not be built; the compiler's own words are above." >&2
	exit 1
fi

if [ -n "$release" ]; then
	for shared in etcd kubectl kwok kwok-stages.yaml; do
		ln -sf "$newest/$shared" "$out/$shared"
	done
else
	mv "$out/server" "$out/etcd" # the command in module go.etcd.io/etcd/server/v3

	# kwok plays the kubelet from Stage files, which its module carries.
	stages=$(go list -m -f '{{.Dir}}' sigs.k8s.io/kwok)/kustomize/stage
	for stage in "$stages"/node/fast/node-*.yaml "$stages"/node/heartbeat-with-lease/node-*.yaml "$stages"/pod/fast/pod-*.yaml; do
		echo "---"
		cat "$stage"
	done >"$out/kwok-stages.yaml"
fi

echo "$want" >"$out/.stamp"
echo "Built in $((SECONDS - started))s: $out"
