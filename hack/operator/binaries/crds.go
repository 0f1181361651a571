// Package binaries pins the module that carries the operator's definitions.
package binaries

import _ "github.com/kubernetes-csi/external-snapshotter/client/v8/apis/volumesnapshot/v1"
