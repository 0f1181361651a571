package credential

// pairs are the pairs of neighboring characters in a text, a bit for each, which others may share. They tell at once
// that most words are not in it.
type pairs [64]uint64

func pairsOf(text string) (all pairs) {
	for i := 1; i < len(text); i++ {
		bit := pair(text[i-1], text[i])
		all[bit/64] |= 1 << (bit % 64)
	}
	return all
}

func pair(first, second byte) uint { return (uint(first)<<5 ^ uint(second)) % (64 * 64) }

// mayHave reports whether a word may be in the text: false is certain.
func (p *pairs) mayHave(word string) bool {
	for i := 1; i < len(word); i++ {
		if bit := pair(word[i-1], word[i]); p[bit/64]&(1<<(bit%64)) == 0 {
			return false
		}
	}
	return true
}
