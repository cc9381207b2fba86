package grounding

// Weakness says why an excerpt that was found is poor evidence all the same.
type Weakness string

// The weaknesses.
const (
	NotWeak   Weakness = ""
	TooShort  Weakness = "short"
	TooCommon Weakness = "common"
)

const (
	// shortWidth is the least width of an excerpt that says something, where a Chinese
	// character counts 2: "503" and "失败" are shorter, "Ready" and "重启5次" are not.
	shortWidth = 5
	// commonTotal is the number of places from which an excerpt is common, unless its
	// width is at least plainWidth: a whole line may be repeated, a phrase says less.
	commonTotal = 20
	plainWidth  = 24
)

// Weakness says whether the excerpt, found at l, is too short, or too common to be
// evidence: a short phrase that stands in very many places.
func (l Location) Weakness(excerpt string) Weakness {
	if !l.Tier.Found() {
		return NotWeak
	}
	width, says := weigh([]byte(Fold(excerpt)))
	switch {
	case !says, width < shortWidth:
		return TooShort
	case l.Total >= commonTotal && width < plainWidth:
		return TooCommon
	}
	return NotWeak
}
