#!/usr/bin/env bash
# Runs a test command, and ends a failure with a list of what failed: one screen, whatever came before.
set -uo pipefail

log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$@" 2>&1 | tee "$log"
code=${PIPESTATUS[0]}
[ "$code" -ne 0 ] || exit 0
printf '\nWhat failed:\n'
# A failed test, and the first line of what it says; a test that only has failed ones within it says nothing.
awk '
	/^ *--- FAIL: / { failed = $0; next }
	/^(FAIL|panic:|fatal error:)/ { print; failed = "" ; next }
	failed != "" { print failed; print; failed = "" }
' "$log" | cut -c 1-160 | tail -n 40
exit "$code"
