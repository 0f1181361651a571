package session

import "time"

// ControllerManager is the name of kube-controller-manager, of its Lease and of its field manager.
const ControllerManager = "kube-controller-manager"

// CloudManager is the name of cloud-controller-manager, and of its Lease.
const CloudManager = "cloud-controller-manager"

// Patience is how long a built-in controller may take before its silence means something
// (deletion-mechanics E-2).
const Patience = time.Minute

// GarbageCollector is the name of the garbage collector's ServiceAccount.
const GarbageCollector = "generic-garbage-collector"
