package naming

import "testing"

func TestDutyOf(t *testing.T) {
	for _, test := range []struct {
		name, value string
		want        Duty
	}{
		{"--controllers", "*,-widget", DutyOff},
		{"--controllers", "*,-widget-controller", DutyOff},
		{"--controllers", "-widgets", DutyOff},
		{"--controllers", "*,-gadget", DutyUnsaid},
		{"--controllers", "-gadget", DutyUnsaid},
		{"--controllers", "widget", DutyUnsaid},
		{"--controllers", "widget,gadget", DutyUnsaid},
		{"--controllers", "widgets-issuing", DutyUnsaid},
		{"--controllers", "gadget,gizmo", DutyPerhapsOff},
		{"--controllers", "*", DutyUnsaid},
		{"--controllers", "", DutyUnsaid},
		{"--controllers", "true", DutyUnsaid},
		{"--enabled-controllers", "gadget", DutyPerhapsOff},
		{"--disable-controllers", "gadget,widget", DutyOff},
		{"--disabled-controllers", "gadget widgets", DutyOff},
		{"DISABLED_CONTROLLERS", "widget", DutyOff},
		{"--disable-controllers", "gadget", DutyUnsaid},
		{"--disable-controllers", "true", DutyUnsaid},
		{"--skip-controllers", "[widget]", DutyOff},
		{"--max-concurrent-controllers", "widget", DutyUnsaid},
		{"--enable-widget-controller", "false", DutyOff},
		{"--enable-widgets", "false", DutyOff},
		{"ENABLE_WIDGET", "0", DutyOff},
		{"WIDGET_CONTROLLER_ENABLED", "no", DutyOff},
		{"--enable-widget-controller", "true", DutyUnsaid},
		{"--enable-widget-webhook", "false", DutyUnsaid},
		{"--enable-gadget-controller", "false", DutyUnsaid},
		{"--disable-widget-controller", "", DutyOff},
		{"--disable-widget-controller", "true", DutyOff},
		{"--disable-widget-controller", "false", DutyUnsaid},
		{"--widget", "false", DutyUnsaid},
		{"--dry-run", "", DutyOff},
		{"DRY_RUN", "true", DutyOff},
		{"--dry-run", "false", DutyUnsaid},
		{"--dry-run", "client", DutyUnsaid},
		{"--dry-run-timeout", "1", DutyUnsaid},
		{"--paused", "true", DutyOff},
		{"--paused", "false", DutyUnsaid},
		{"--pause-reconciliation", "", DutyOff},
		{"PAUSE_RECONCILE", "true", DutyOff},
		{"PAUSE_RECONCILE", "never", DutyUnsaid},
		{"--suspend", "", DutyOff},
		{"--disable-reconcile", "true", DutyOff},
		{"--disable-reconcile", "false", DutyUnsaid},
		{"RECONCILE_ENABLED", "false", DutyOff},
		{"--reconcile", "false", DutyOff},
		{"--reconcile", "true", DutyUnsaid},
		{"--reconcile-all", "false", DutyUnsaid},
		{"--no-op", "true", DutyOff},
		{"--read-only", "true", DutyOff},
		{"--read-only", "false", DutyUnsaid},
		{"--read-only-port", "1", DutyUnsaid},
		{"PAUSE_ALL", "true", DutyOff},
		{"ALL", "true", DutyUnsaid},
		{"--enable-deletion", "false", DutyOff},
		{"--enable-deletion", "true", DutyUnsaid},
		{"--skip-deletion", "true", DutyOff},
		{"--disable-deletion-protection", "true", DutyUnsaid},
		{"--pause-on-error", "true", DutyUnsaid},
		{"--suspend-timeout", "1", DutyUnsaid},
		{"--reconcile-interval", "0", DutyUnsaid},
		{"--enable-controller", "false", DutyUnsaid},
		{"PAUSE_IMAGE", "true", DutyUnsaid},
		{"--verbose", "", DutyUnsaid},
		{"", "", DutyUnsaid},
	} {
		if got := DutyOf(test.name, test.value, "widget", "widgets"); got != test.want {
			t.Errorf("%s=%s is %d, want %d", test.name, test.value, got, test.want)
		}
	}
}

func TestShareOf(t *testing.T) {
	for name, want := range map[string]string{
		"--shard-id": "shard id", "--shard": "shard", "SHARD_NAME": "shard name", "--operator-id": "operator id",
		"ACME_INSTANCE_ID": "instance id", "--shards": "", "--shard-count": "", "--id": "", "--client-id": "",
		"--ignored-shard": "", "--controller-name": "", "": "",
		"TENANT": "tenant", "TENANT_NAME": "tenant", "--tenant": "tenant", "customerId": "customer", "AZURE_TENANT_ID": "",
		"TENANT_DOMAIN": "", "--default-tenant": "", "--tenant-labels": "",
	} {
		if got, is := ShareOf(name); got != want || is != (want != "") {
			t.Errorf("%q is %q", name, got)
		}
	}
	for key, want := range map[string]bool{
		"tenant": true, "acme.io/tenant-name": true, "acme.io/owning-tenant": true, "tenant.acme.io/since": false,
		"acme.io/tenants": false,
	} {
		if got := SaysShare(key, "tenant"); got != want {
			t.Errorf("%q says a tenant: %t", key, got)
		}
	}
	for key, want := range map[string]bool{
		"acme.io/scheduled-shard-id": true, "acme.io/shard-id": true, "shardId": true, "acme.io/shard": false,
		"shard-id.acme.io/since": false, "acme.io/reshard-id": false,
	} {
		if got := SaysShare(key, "shard id"); got != want {
			t.Errorf("%q says a share: %t", key, got)
		}
	}
}

func TestNamesInKeys(t *testing.T) {
	for key, want := range map[string]bool{
		"acme.io/operator-namespace": true, "controller-namespace": true, "acme.io/managerNamespace": true,
		"acme.io/namespace": false, "operator-namespace/name": false, "acme.io/secret-namespace": false,
	} {
		if got := NamesOperatorNamespace(key); got != want {
			t.Errorf("%q names the operator's namespace: %t", key, got)
		}
	}
	for key, want := range map[string]bool{
		"acme.io/node": true, "acme.io/node-name": true, "nodeID": true, "acme.io/node-role": false,
		"node-role.acme.io/worker": false, "acme.io/nodes": false, "acme.io/primary-node": false,
	} {
		if got := NamesNodeInKey(key); got != want {
			t.Errorf("%q names a Node: %t", key, got)
		}
	}
}

func TestFinalizerDuty(t *testing.T) {
	for finalizer, want := range map[string]string{
		"ray.io/gcs-ft-redis-cleanup-finalizer": "gcsftrediscleanup",
		"shop.example.com/purge-old-data":       "purgeolddata",
		"shop.example.com/cleanup":              "", // of anything
		"shop.example.com/finalizer":            "",
		"finalizer.keda.sh":                     "",
	} {
		if got := FinalizerDuty(finalizer); got != want {
			t.Errorf("%s: %q, want %q", finalizer, got, want)
		}
	}
}
