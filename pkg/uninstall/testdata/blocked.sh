#!/bin/sh
# uninstall store. Planned at 2026-01-02T12:00:00Z.
# Deployment system/operator is not running. Release store can't be uninstalled yet without leaving
# objects stuck: Database shop/orders would hang. First resolve its root cause. 1 object of 1 kind
# must be deleted first, while it runs.
set -eu
kube() { kubectl "$@" </dev/null; }

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

# To resolve first: Deployment system/operator is scaled to 0. That Deployment is probably the
# controller of the finalizer shop.example.com/cleanup: it runs as ServiceAccount system/operator,
# which can update databases.shop.example.com.
stop 'Something has to be resolved first: Deployment system/operator is not running. Release store can'\''t be uninstalled yet without leaving objects stuck: Database shop/orders would hang. First resolve its root cause. 1 object of 1 kind must be deleted first, while it runs. Then make the plan again'
command -v kubectl >/dev/null || stop 'kubectl is not in the PATH'
kubectl finalizers version >/dev/null </dev/null || stop 'kubectl finalizers is not in the PATH'

step 1 'Save what will be deleted: 1 object and the definition. The files may contain passwords.'
save databases.shop.example.com.yaml get databases.shop.example.com --all-namespaces -o yaml
save definitions.yaml get customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com -o yaml

step 2 'Delete Database shop/orders while Deployment system/operator runs, and wait until it is gone.'
left=
foreseen databases.shop.example.com/orders database-orders -n shop
if [ -n "$left" ]; then
	confirm 'This deletes 1 object.'
	kubectl -n shop delete databases.shop.example.com/orders --ignore-not-found --wait=false </dev/null
	kubectl finalizers why databases.shop.example.com/orders -n shop --watch --until stuck --timeout 10m --ignore-not-found </dev/null || stop 'not all objects are gone. The answer above says why'
fi

step 3 'Delete ValidatingWebhookConfiguration operator. Without the operator, it has no backend.'
left=
foreseen validatingwebhookconfigurations.admissionregistration.k8s.io/operator validatingwebhookconfiguration-operator
if [ -n "$left" ]; then
	kubectl delete validatingwebhookconfigurations.admissionregistration.k8s.io/operator --ignore-not-found </dev/null
fi

step 4 'Delete the operator: Deployment system/operator.'
left=
foreseen deployments.apps/operator deployment-operator -n system
if [ -n "$left" ]; then
	kubectl -n system delete deployments.apps/operator --ignore-not-found </dev/null
fi

step 5 'Delete CustomResourceDefinition databases.shop.example.com, if no object of its kind is left.'
left=
foreseen customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com customresourcedefinition-databases.shop.example.com
if [ -n "$left" ]; then
	empty databases.shop.example.com
	kubectl delete customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com --ignore-not-found --wait=false </dev/null
	kubectl finalizers why customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com --watch --until stuck --timeout 10m --ignore-not-found </dev/null || stop 'not all objects are gone. The answer above says why'
fi

step 6 'Delete what else belongs to the operator: ClusterRole operator, ClusterRoleBinding operator, Service system/operator and 1 more.'
left=
foreseen clusterroles.rbac.authorization.k8s.io/operator clusterrole-operator
foreseen clusterrolebindings.rbac.authorization.k8s.io/operator clusterrolebinding-operator
foreseen services/operator service-operator -n system
foreseen serviceaccounts/operator serviceaccount-operator -n system
if [ -n "$left" ]; then
	kubectl delete clusterroles.rbac.authorization.k8s.io/operator clusterrolebindings.rbac.authorization.k8s.io/operator --ignore-not-found </dev/null
	kubectl -n system delete services/operator serviceaccounts/operator --ignore-not-found </dev/null
fi

printf '\nAll steps are done.\n'
