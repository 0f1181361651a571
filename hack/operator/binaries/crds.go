// Package binaries pins the module of which nothing is built but whose manifests are rendered.
package binaries

import _ "github.com/kubernetes-csi/external-snapshotter/client/v8/apis/volumesnapshot/v1"
