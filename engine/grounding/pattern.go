package grounding

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Pattern is a regular expression (syntax of package regexp) that is compiled when it is
// first used, and asked only of texts that hold a literal which each of its matches must
// have. It is safe for concurrent use.
type Pattern struct {
	compiled func() compiled
}

type compiled struct {
	re *regexp.Regexp
	// needs are literals, A to Z lowered, one of which stands in every match; none when that
	// is not known.
	needs []string
}

// NewPattern makes a pattern of a constant expression. A malformed one panics at first use.
func NewPattern(expr string) *Pattern {
	return &Pattern{sync.OnceValue(func() compiled {
		c := compiled{re: regexp.MustCompile(expr)}
		// An expression that only matches at the beginning fails sooner than a search does.
		if tree, err := syntax.Parse(expr, syntax.Perl); err == nil && !anchored(tree) {
			c.needs = needs(tree)
		}
		return c
	})}
}

// in is the expression, nil where it cannot match text.
func (p *Pattern) in(text string) *regexp.Regexp {
	c := p.compiled()
	if len(c.needs) == 0 {
		return c.re
	}
	lower := lowerASCIIString(text)
	for _, n := range c.needs {
		if strings.Contains(lower, n) {
			return c.re
		}
	}
	// The only other letters that fold to ASCII ones.
	if strings.Contains(text, "\u017F") || strings.Contains(text, "\u212A") {
		return c.re
	}
	return nil
}

func (p *Pattern) inBytes(text []byte) *regexp.Regexp { return p.in(string(text)) }

// MatchString is [regexp.Regexp.MatchString]; the other methods are those of their names.
func (p *Pattern) MatchString(s string) bool {
	re := p.in(s)
	return re != nil && re.MatchString(s)
}

// Match is MatchString of bytes.
func (p *Pattern) Match(b []byte) bool {
	re := p.inBytes(b)
	return re != nil && re.Match(b)
}

// FindString gives the text of the first match, "" for none.
func (p *Pattern) FindString(s string) string {
	if re := p.in(s); re != nil {
		return re.FindString(s)
	}
	return ""
}

// FindStringIndex gives the bounds of the first match, nil for none.
func (p *Pattern) FindStringIndex(s string) []int {
	if re := p.in(s); re != nil {
		return re.FindStringIndex(s)
	}
	return nil
}

// FindAllStringIndex gives the bounds of at most n matches.
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	if re := p.in(s); re != nil {
		return re.FindAllStringIndex(s, n)
	}
	return nil
}

// FindAllIndex is FindAllStringIndex of bytes.
func (p *Pattern) FindAllIndex(b []byte, n int) [][]int {
	if re := p.inBytes(b); re != nil {
		return re.FindAllIndex(b, n)
	}
	return nil
}

// FindStringSubmatch gives the groups of the first match, nil for none.
func (p *Pattern) FindStringSubmatch(s string) []string {
	if re := p.in(s); re != nil {
		return re.FindStringSubmatch(s)
	}
	return nil
}

// FindStringSubmatchIndex gives the bounds of the groups of the first match, nil for none.
func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	if re := p.in(s); re != nil {
		return re.FindStringSubmatchIndex(s)
	}
	return nil
}

// FindAllSubmatchIndex gives the bounds of the groups of at most n matches.
func (p *Pattern) FindAllSubmatchIndex(b []byte, n int) [][]int {
	if re := p.inBytes(b); re != nil {
		return re.FindAllSubmatchIndex(b, n)
	}
	return nil
}

// ReplaceAllString replaces all matches, $1 in repl being a group.
func (p *Pattern) ReplaceAllString(s, repl string) string {
	if re := p.in(s); re != nil {
		return re.ReplaceAllString(s, repl)
	}
	return s
}

// ReplaceAllStringFunc replaces all matches by what repl makes of them.
func (p *Pattern) ReplaceAllStringFunc(s string, repl func(string) string) string {
	if re := p.in(s); re != nil {
		return re.ReplaceAllStringFunc(s, repl)
	}
	return s
}

const (
	maxNeeds   = 48 // literals that are looked for before the expression itself
	maxClass   = 24 // characters of a class that count as literals
	usefulNeed = 2  // bytes of a literal from which its absence tells much
)

// needs lists literals, A to Z lowered, one of which stands in every match of the
// expression; nil when there are no such or they are too many or too short.
func needs(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		lower := lowerASCIIString(string(re.Rune))
		if re.Flags&syntax.FoldCase != 0 && !foldsInASCII(lower) {
			return nil
		}
		return useful([]string{lower})
	case syntax.OpCharClass:
		return useful(classRunes(re.Rune))
	case syntax.OpCapture, syntax.OpPlus:
		return needs(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needs(re.Sub[0])
		}
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			n := needs(sub)
			if n == nil {
				return nil
			}
			all = append(all, n...)
		}
		return useful(all)
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if n := needs(sub); n != nil && (best == nil || len(n) < len(best) || len(n) == len(best) && shortest(n) > shortest(best)) {
				best = n
			}
		}
		return best
	default: // what may be empty or any character
	}
	return nil
}

// anchored reports an expression that begins with the beginning of the text.
func anchored(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginText:
		return true
	case syntax.OpConcat, syntax.OpCapture:
		return anchored(re.Sub[0])
	default:
		return false
	}
}

func useful(literals []string) []string {
	if len(literals) > maxNeeds {
		return nil
	}
	if len(literals) == 0 || shortest(literals) < usefulNeed {
		return nil
	}
	return literals
}

// shortest is the length of the shortest of some literals, in bytes.
func shortest(literals []string) int {
	n := len(literals[0])
	for _, l := range literals {
		n = min(n, len(l))
	}
	return n
}

// classRunes lists the characters of a class given as ranges, nil when they are many.
func classRunes(ranges []rune) []string {
	var out []string
	for i := 0; i+1 < len(ranges); i += 2 {
		if int(ranges[i+1]-ranges[i])+len(out) >= maxClass {
			return nil
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			out = append(out, lowerASCIIString(string(r)))
		}
	}
	return out
}

// foldsInASCII reports that only A to Z differ between the cases of a literal.
func foldsInASCII(s string) bool {
	for _, r := range s {
		if r >= utf8.RuneSelf && unicode.SimpleFold(r) != r {
			return false
		}
	}
	return true
}

// lowerASCIIString lowers A to Z only.
func lowerASCIIString(s string) string {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			return string(lowerASCIIBytes([]byte(s)))
		}
	}
	return s
}
