package cli

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// age is a length of time as people type it and kubectl prints it: 30m, 1h30m, 2d, 2d12h.
type age time.Duration

// String implements pflag.Value.
func (a *age) String() string {
	if *a == 0 {
		return ""
	}
	return time.Duration(*a).String()
}

// Type implements pflag.Value.
func (a *age) Type() string { return "duration" }

// Set implements pflag.Value.
func (a *age) Set(text string) error {
	const mostDays = 36500
	total, rest := time.Duration(0), text
	if days, after, found := strings.Cut(text, "d"); found {
		number, err := strconv.Atoi(days)
		if err != nil || number > mostDays || number < 0 {
			return errAge()
		}
		total, rest = time.Duration(number)*24*time.Hour, after
	}
	if rest != "" || total == 0 && text != "0d" {
		length, err := time.ParseDuration(rest)
		if err != nil {
			return errAge()
		}
		total += length
	}
	if total < 0 {
		return errors.New("must not be negative")
	}
	*a = age(total)
	return nil
}

func errAge() error { return errors.New("is no length of time; say 30m, 4h, 2d or 2d12h") }
