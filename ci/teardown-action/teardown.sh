#!/usr/bin/env bash
# Waits until what was deleted is gone. If it is not gone in time, this fails with the exit code of
# `kubectl finalizers why`: 2 stuck, 3 still in progress, 4 undetermined, 1 for everything else.
#
#   TARGETS="ns/preview-42" [NAMESPACE=shop] [TIMEOUT=10m] [UNTIL=gone|stuck] teardown.sh
#
# GITHUB_STEP_SUMMARY is the file that the summary is added to; without it, the summary is printed. It is Markdown.
set -uo pipefail

summary=${GITHUB_STEP_SUMMARY:-/dev/stdout}
most=${SUMMARY_BYTES:-900000} # a summary has 1 MiB at most

read -r -d '' -a targets <<<"${TARGETS:-}" || true
if [ ${#targets[@]} -eq 0 ]; then
  echo "error: name the deleted objects in targets, for example ns/preview-42" >&2
  exit 1
fi
if ! kubectl finalizers version; then
  echo "error: kubectl finalizers is not installed: put kubectl-finalizers into the PATH first" >&2
  exit 1
fi
flags=(--exit-code --ignore-not-found)
if [ -n "${NAMESPACE:-}" ]; then
  flags+=(--namespace "$NAMESPACE")
fi

# What the cluster says is printed as it is: it must not be taken for commands to the runner.
token="resume-$RANDOM$RANDOM$RANDOM"
if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::stop-commands::$token"; fi
kubectl finalizers why "${flags[@]}" --watch --timeout "${TIMEOUT:-10m}" --until "${UNTIL:-gone}" -- "${targets[@]}"
code=$?
if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::$token::"; fi

if [ $code -eq 0 ]; then
  echo "Teardown: gone (${#targets[@]} of ${#targets[@]})." >>"$summary"
  exit 0
fi

# literal writes the lines of a file as far as they have room, and nothing of them is Markdown or HTML.
literal() {
  echo "<pre>"
  sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' "$1" |
    LC_ALL=C awk -v room="$2" '(room -= length($0) + 1) < 0 { print "&hellip;"; exit } { print }'
  echo "</pre>"
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The Markdown has text from the cluster escaped for that. Standard error has it escaped for terminals.
kubectl finalizers why "${flags[@]}" -o markdown -- "${targets[@]}" >"$folder/answer" 2>"$folder/errors"
last=$?
{
  case $code in
  2) echo "## Teardown: stuck" ;;
  3) echo "## Teardown: still in progress after ${TIMEOUT:-10m}" ;;
  4) echo "## Teardown: not gone after ${TIMEOUT:-10m}, and it is not clear why" ;;
  *) echo "## Teardown: failed" ;;
  esac
  echo
  if [ $last -eq 0 ]; then printf 'It is gone by now, but was not in time.\n\n'; fi
  # Half of an answer in Markdown would swallow what comes after it.
  if [ "$(wc -c <"$folder/answer")" -le "$most" ]; then
    cat "$folder/answer"
  else
    kubectl finalizers why "${flags[@]}" -- "${targets[@]}" >"$folder/answer" 2>/dev/null
    literal "$folder/answer" "$most"
  fi
  if [ -s "$folder/errors" ]; then
    echo
    literal "$folder/errors" 50000
  fi
} >>"$summary"
if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::error title=Teardown::Not gone; the summary of this job says why (exit code $code)"; fi
exit $code
