package controlplane

import "testing"

// TestStrays holds the rule itself to what it must refuse.
func TestStrays(t *testing.T) {
	for uri, fine := range map[string]bool{
		"/api/v1/namespaces/a/pods/p/log?tailLines=5": true, "/apis/x.example.com/v1/things": true, "/apis": true,
		"/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node": true, "/api/v1/namespaces/a": true,
		"/api/v1/namespaces/a/pods/p/proxy/x": false, "/api/v1/namespaces/a/pods/p/exec": false, "/openapi/v3": false,
		"/api/v1/namespaces/a/configmaps/..": false, "/api/v1/namespaces/a/configmaps/x%2Fsecrets": false, "/metrics": false,
		"/api/v1/nodes/n/proxy": false, "/api/v1/namespaces/../secrets": false, "/api/v1/namespaces/a/secrets//x": false,
	} {
		if why := strays(uri); (why == "") != fine {
			t.Errorf("%s: %q, want it fine %t", uri, why, fine)
		}
	}
}
