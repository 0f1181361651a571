
# Ends the script.
stop() {
	printf '\nSTOPPED: %s.\n' "$1" >&2
	exit 1
}

# Says which step begins.
step() {
	printf '\nStep %s: %s\n' "$1" "$2"
}

# Asks before something is lost.
confirm() {
	printf '%s\nType yes to continue: ' "$1" >&2
	answer=
	read -r answer || :
	printf '\n' >&2
	[ "$answer" = yes ] || stop 'you did not confirm. Run the script again to continue here'
}

# Asks whether a step is wanted that nothing after it needs.
offered() {
	printf 'Type yes to do this, or nothing to go on without it: ' >&2
	answer=
	read -r answer || :
	printf '\n' >&2
	[ "$answer" = yes ]
}

# Reports whether a read fails only because the kind is not served any more.
unserved() {
	problem=$(kube get "$@" 2>&1 >/dev/null) || :
	case $problem in *"doesn't have a resource type"*) return 0 ;; esac
	return 1
}

# foreseen TYPE/NAME UID [FLAGS]: the object is the one of the plan, or gone.
foreseen() {
	object=$1
	uid=$2
	shift 2
	if is=$(kube get "$object" --ignore-not-found -o 'jsonpath={.metadata.uid}' "$@" 2>/dev/null); then
		[ -n "$is" ] || return 0
		[ "$is" = "$uid" ] || stop "$object is not the object of the plan. Make the plan again"
		left="$left $object"
	elif ! unserved "$object" "$@"; then
		stop "$object could not be read"
	fi
}

# running TYPE/NAME [FLAGS]: the workload has a ready pod.
running() {
	ready=$(kube get "$@" -o 'jsonpath={.status.readyReplicas}') || stop "$1 could not be read"
	[ "${ready:-0}" -gt 0 ] || stop "$1 is not running. Start it, or make the plan again"
}

# empty RESOURCE: no object of the kind is left. For one that has an owner it waits a minute: the garbage collector may
# not be done yet with what earlier steps delete along.
empty() {
	defined=$(kube get "customresourcedefinitions.apiextensions.k8s.io/$1" --ignore-not-found -o name) ||
		stop "the definition of $1 could not be read"
	[ -n "$defined" ] || return 0
	tries=60
	while :; do
		objects=$(kube get "$1" --all-namespaces \
			-o 'jsonpath={range .items[*]}owner {.metadata.ownerReferences[0].uid}{"\n"}{end}') ||
			stop "$1 could not be listed"
		[ -n "$objects" ] || return 0
		if [ "$tries" -eq 0 ] || printf '%s\n' "$objects" | grep -Fqx 'owner '; then
			stop "there are objects of $1 that the plan does not have. Make the plan again"
		fi
		tries=$((tries - 1))
		sleep 1
	done
}

# has TYPE/NAME FINALIZER [FLAGS]: sets held if the object still has the finalizer.
has() {
	object=$1
	finalizer=$2
	shift 2
	held=
	names=$(kube get "$object" --ignore-not-found -o 'jsonpath={range .metadata.finalizers[*]}{@}{"\n"}{end}' "$@") ||
		stop "$object could not be read"
	if printf '%s\n' "$names" | grep -Fqx -e "$finalizer"; then held=yes; fi
}

# holding TYPE/NAME UID FINALIZER [FLAGS]: foreseen, of an object that still has the finalizer.
holding() {
	before=$left
	path=$1
	uid=$2
	named=$3
	shift 3
	foreseen "$path" "$uid" "$@"
	has "$path" "$named" "$@"
	[ -n "$held" ] || left=$before
}

# save FILE ARGUMENTS: saves what kubectl prints, once, in the folder UNINSTALL_FOLDER or the current one.
save() {
	file=${UNINSTALL_FOLDER:-.}/$1
	shift
	[ ! -s "$file" ] || return 0
	(umask 077 && kube "$@" >"$file.new") && mv "$file.new" "$file" && return 0
	rm -f "$file.new"
	shift # unserved asks with get itself
	unserved "$@" || stop "$file could not be saved"
}
