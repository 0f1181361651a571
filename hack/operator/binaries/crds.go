// Package binaries pins a module whose manifests are rendered. Nothing else of it is built.
package binaries

import _ "github.com/kubernetes-csi/external-snapshotter/client/v8/apis/volumesnapshot/v1"
