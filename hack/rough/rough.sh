#!/usr/bin/env bash
# Runs `make test` under rough conditions, each time from a clean clone of what is committed, and prints how long it
# took and how much memory all of its processes had at once. The control plane must have been built.
#
#   hack/rough/rough.sh                  all conditions, one after the other
#   hack/rough/rough.sh idle busy half   only these
#   hack/rough/rough.sh small+odd        two at once
#
# Conditions: idle; busy (four busy loops for each core); half (half a core); small (6 GB of memory); odd (an odd
# environment); elsewhere (another time zone and locale). All need root, for control groups.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/rough-XXXXXX")
group=rough-$$
helpers=()
rows=()

# Control groups are in one tree since version 2, and in one for each controller before.
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
	cpu=/sys/fs/cgroup/$group memory=$cpu
	echo "+cpu +memory" >/sys/fs/cgroup/cgroup.subtree_control
else
	cpu=/sys/fs/cgroup/cpu/$group memory=/sys/fs/cgroup/memory/$group
fi

stop_helpers() {
	for helper in "${helpers[@]}"; do kill "$helper" 2>/dev/null || true; done
	helpers=()
}

clean() {
	stop_helpers
	rmdir "$cpu" "$memory" 2>/dev/null || true
	rm -rf "$work"
}
trap clean EXIT

# limit_cpu and limit_memory take cores as a percentage, and bytes.
limit_cpu() {
	if [ -e "$cpu/cpu.max" ]; then
		echo "$(($1 * 1000)) 100000" >"$cpu/cpu.max"
	else
		echo 100000 >"$cpu/cpu.cfs_period_us"
		echo "$(($1 * 1000))" >"$cpu/cpu.cfs_quota_us"
	fi
}
limit_memory() {
	if [ -e "$memory/memory.max" ]; then echo "$1" >"$memory/memory.max"; else echo "$1" >"$memory/memory.limit_in_bytes"; fi
}

# taken prints how many bytes the processes in the group have in memory, without what the kernel caches of files.
taken() { awk '$1 == "total_rss" || $1 == "anon" {print $2; exit}' "$memory/memory.stat"; }

watch_memory() {
	local most=0 now
	while now=$(taken 2>/dev/null); do
		if [ "${now:-0}" -gt "$most" ]; then
			most=$now
			echo "$most" >"$1"
		fi
		sleep 1
	done
}

# has reports whether a condition is, or has a part that is, another one.
has() { [[ +$1+ == *+$2+* ]]; }

# variables prints the environment of a condition, which begins empty: a line each. The last of a name counts.
variables() {
	local nowhere=$work/nowhere
	printf '%s\n' "PATH=$PATH" "HOME=$HOME" "GOCACHE=$(go env GOCACHE)" "GOMODCACHE=$(go env GOMODCACHE)" \
		"GOPROXY=$(go env GOPROXY)" "GOSUMDB=$(go env GOSUMDB)" "GOFLAGS=$(go env GOFLAGS)"
	if has "$1" odd; then printf '%s\n' "HOME=$work/empty" SHELL=/bin/false TERM=dumb COLUMNS=20 LINES=2 "KUBECONFIG=$nowhere" \
		KUBERNETES_SERVICE_HOST=127.0.0.1 KUBERNETES_SERVICE_PORT=1 "KUBECACHEDIR=$nowhere" NO_COLOR=1 \
		CLICOLOR_FORCE=1 FORCE_COLOR=1 POSIXLY_CORRECT=1 LANG=tr_TR.UTF-8 LC_ALL=tr_TR.UTF-8 LANGUAGE=tr \
		TZ=Asia/Kathmandu "XDG_CONFIG_HOME=$nowhere" "XDG_CACHE_HOME=$nowhere" "XDG_STATE_HOME=$nowhere" \
		GIT_CONFIG_GLOBAL=/dev/null GODEBUG=http2client=0; fi
	if has "$1" elsewhere; then printf '%s\n' LANG=ar_EG.UTF-8 LC_ALL=ar_EG.UTF-8 TZ=Pacific/Apia; fi
}

run() {
	local condition=$1 clone=$work/$1 log=${ROUGH_LOGS:-$root/bin}/rough-$1.log result=passed started=$SECONDS
	mkdir -p "$cpu" "$memory" "$work/empty" "$(dirname "$log")"
	git clone --quiet "$root" "$clone"
	mkdir "$clone/bin" && cp -al "$root/bin/controlplane" "$clone/bin/controlplane"
	echo 0 >"$work/most"
	watch_memory "$work/most" &
	helpers+=($!)
	if has "$condition" busy; then
		for _ in $(seq $((4 * $(nproc)))); do
			(while :; do :; done) &
			helpers+=($!)
		done
	fi
	if has "$condition" half; then limit_cpu 50; fi
	if has "$condition" small; then limit_memory $((6 << 30)); fi
	mapfile -t environment < <(variables "$condition")
	echo "$condition: make test in a clean clone; its output is in $log"
	(
		echo $BASHPID >"$memory/cgroup.procs"
		# Beside busy loops a group would get the share of one of them, and not of its own processes.
		! has "$condition" half || echo $BASHPID >"$cpu/cgroup.procs"
		! has "$condition" odd || umask 077
		cd "$clone" && exec env -i "${environment[@]}" bash .ci/run
	) >"$log" 2>&1 </dev/null || result="FAILED ($?)"
	rows+=("$(printf '%-16s %-12s %3dm%02ds %6d MB' "$condition" "$result" $(((SECONDS - started) / 60)) \
		$(((SECONDS - started) % 60)) $(($(cat "$work/most") >> 20)))")
	echo "${rows[-1]}"
	stop_helpers
	sleep 2 # for the last processes to end
	rmdir "$cpu" "$memory" 2>/dev/null || true
	rm -rf "$clone"
}

[ -e "$root/bin/controlplane/.stamp" ] || { echo "run 'make controlplane' first" >&2; exit 1; }
[ $# -gt 0 ] || set -- idle busy half small odd elsewhere
for condition in "$@"; do
	for part in ${condition//+/ }; do
		case $part in
		idle | busy | half | small | odd | elsewhere) ;;
		*) echo "there is no condition '$part'" >&2 && exit 1 ;;
		esac
	done
done
for condition in "$@"; do run "$condition"; done
printf '\n%-16s %-12s %6s %9s\n' condition result time memory
printf '%s\n' "${rows[@]}"
! printf '%s\n' "${rows[@]}" | grep -q FAILED
