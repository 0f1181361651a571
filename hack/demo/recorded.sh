#!/bin/sh
# Asks about the demo's broken cluster in a recording that was made of a real one (make record-demo). There
# is no cluster, and none is asked.
set -eu
binary=$1
recording=hack/demo/demo.snapshot

ask() {
	title=$1
	shift
	printf '\n────────────────────────────────────────────────────────────────────────────────\n%s\n\n$ kubectl finalizers' "$title"
	printf ' %s' "$@" "--snapshot $recording"
	printf '\n'
	"$binary" "$@" --snapshot "$recording"
}

KUBECONFIG=/dev/null
export KUBECONFIG
ask 'What is stuck in this cluster, and which repair frees most?' list -A
ask "A namespace that has been hanging since its pod's node died." why ns/payments
ask "A claim that won't go, although the migration that used it has finished." why pvc/data -n shop
ask 'A deployment deleted with --cascade=foreground, three hops above a dead node.' why deploy/web -n shop
printf '\nThat was a recording: make demo-live breaks a real control plane on this machine and asks the same.\n'
