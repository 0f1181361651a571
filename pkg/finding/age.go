package finding

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"
)

// Ago is how long before now a time was: 3h12m. It is "an unknown time" for the zero time, which objects have where
// none was set.
func Ago(now, at time.Time) string {
	if at.IsZero() {
		return "an unknown time"
	}
	return Length(now.Sub(at))
}

// Length is a length of time as people write it: 45s, 1h, 1h30m, 3d4h. A negative one is 0s. kubectl counts minutes up
// to three hours; people don't.
func Length(length time.Duration) string {
	length = max(0, length)
	if length < time.Hour || length >= 3*time.Hour {
		return duration.HumanDuration(length)
	}
	hours, minutes := int(length.Hours()), int(length.Minutes())%60
	if minutes == 0 {
		return fmt.Sprintf("%dh", hours)
	}
	return fmt.Sprintf("%dh%dm", hours, minutes)
}
