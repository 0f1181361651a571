package diagnosis

import (
	"iter"
	"math/bits"
)

// set is a set of small numbers, one bit for each.
type set []uint64

func (s *set) add(number int) {
	s.grow(number/64 + 1)
	(*s)[number/64] |= 1 << (number % 64)
}

func (s set) has(number int) bool { return number/64 < len(s) && s[number/64]&(1<<(number%64)) != 0 }

func (s *set) join(other set) {
	s.grow(len(other))
	for i, word := range other {
		(*s)[i] |= word
	}
}

func (s *set) grow(words int) {
	if more := words - len(*s); more > 0 {
		*s = append(*s, make(set, more)...)
	}
}

// all are the numbers in a set, in order.
func (s set) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(i*64 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

// count is how many numbers are in a set, and how many of them in another one.
func (s set) count(other set) (all, both int) {
	for i, word := range s {
		all += bits.OnesCount64(word)
		if i < len(other) {
			both += bits.OnesCount64(word & other[i])
		}
	}
	return all, both
}
