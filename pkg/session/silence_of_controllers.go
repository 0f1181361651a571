package session

import (
	"time"
)

// Patience is how long a built-in controller may take before its silence means something
// (docs/deletion.md#how-long-a-built-in-controller-may-take).
const Patience = time.Minute
