package session

import (
	"time"
)

// Patience is how long a built-in controller may take before its silence means something (deletion-mechanics E-2).
const Patience = time.Minute
