package diagnosis_test

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"time"
)

// attributesClassCases are about VolumeAttributesClasses, and the claims and volumes that refer to them.
func attributesClassCases() []whyCase {
	return []whyCase{{
		name: "class that claims and volumes refer to", target: "volumeattributesclasses.storage.k8s.io/fast",
		verdict: result.Stuck,
		objects: []string{
			classOfDisks(time.Hour),
			object("v1", "PersistentVolumeClaim", "shop", "data", "",
				"spec: {volumeAttributesClassName: fast, volumeName: disk}\nstatus: {phase: Bound}"),
			object("v1", "PersistentVolumeClaim", "shop", "moving", "",
				"spec: {volumeAttributesClassName: slow}\nstatus: {phase: Bound, currentVolumeAttributesClassName: fast}"),
			object("v1", "PersistentVolumeClaim", "shop", "failing", "",
				"status: {modifyVolumeStatus: {targetVolumeAttributesClassName: fast}}"),
			object("v1", "PersistentVolume", "", "disk", "",
				"spec: {volumeAttributesClassName: fast, claimRef: {uid: persistentvolumeclaim-data}}"),
			object("v1", "PersistentVolume", "", "left", "",
				"spec: {volumeAttributesClassName: fast, persistentVolumeReclaimPolicy: Delete}"),
			object("v1", "PersistentVolume", "", "other", "", "spec: {volumeAttributesClassName: slow}"),
		},
		causes: []string{
			"StillInUse PersistentVolume/left", "StillInUse PersistentVolumeClaim/shop/data",
			"StillInUse PersistentVolumeClaim/shop/failing", "StillInUse PersistentVolumeClaim/shop/moving",
		},
	}, {
		name: "class of a claim that a pod on a dead node uses", target: "volumeattributesclasses.storage.k8s.io/fast",
		verdict: result.Stuck,
		objects: []string{
			classOfDisks(time.Hour),
			object("v1", "PersistentVolumeClaim", "shop", "data", deleted(time.Hour, "kubernetes.io/pvc-protection"),
				"spec: {volumeAttributesClassName: fast}"),
			pod("db", time.Hour, "n1", usesData), node("n1", "False", ""),
		},
		causes: []string{"NodeNotReady Node/n1"},
	}, {
		name: "class that nothing refers to any more", target: "volumeattributesclasses.storage.k8s.io/fast",
		verdict: result.Progressing,
		objects: []string{classOfDisks(time.Second), managerAlive()},
	}, {
		name: "class, and claims may not be listed", target: "volumeattributesclasses.storage.k8s.io/fast",
		verdict: result.Undetermined, deny: "persistentvolumeclaims",
		objects: []string{classOfDisks(time.Hour), managerAlive()},
		says:    []string{"PersistentVolumeClaims in all namespaces"},
	}, {
		name: "class, and volumes may not be listed", target: "volumeattributesclasses.storage.k8s.io/fast",
		verdict: result.Undetermined, deny: "persistentvolumes",
		objects: []string{classOfDisks(time.Hour), managerAlive()}, says: []string{"PersistentVolumes could not be read"},
	}}
}
