package grounding

import (
	"bytes"
	"strings"
)

// Spellings lists other ways to write a name: the words of a camel name with a space,
// an underscore or a hyphen between, and snake or kebab names with each other's joint.
func Spellings(name string) []string {
	if strings.ContainsAny(name, "/:@") {
		return nil
	}
	var words []string
	start := 0
	for i := 1; i < len(name); i++ {
		up := name[i] >= 'A' && name[i] <= 'Z'
		prevUp := name[i-1] >= 'A' && name[i-1] <= 'Z'
		nextLow := i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z'
		if up && (!prevUp || nextLow) {
			words = append(words, name[start:i])
			start = i
		}
	}
	words = append(words, name[start:])
	var out []string
	if len(words) > 1 {
		for _, j := range []string{" ", "_", "-", ""} {
			out = append(out, strings.Join(words, j))
		}
	}
	if strings.ContainsAny(name, "_- ") {
		parts := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' })
		for _, j := range []string{"_", "-", "", " "} {
			if v := strings.Join(parts, j); v != name {
				out = append(out, v)
			}
		}
	}
	return out
}

// FindCamelPart lists the places where a camel name is a whole part of a longer one:
// ListenDrops in TcpExtListenDrops, both ends where a capital begins a part.
func FindCamelPart(text []byte, name string, limit int) []Span {
	const least = 6 // bytes; shorter parts are too common
	if len(name) < least || humps(name) < 2 || strings.Trim(name, letters) != "" {
		return nil
	}
	var out []Span
	for from := 0; limit <= 0 || len(out) < limit; {
		i := bytes.Index(text[from:], []byte(name))
		if i < 0 {
			break
		}
		s := Span{from + i, from + i + len(name)}
		from = s.Start + 1
		head := s.Start == 0 || !isWordByte(text[s.Start-1]) || isUpperByte(name[0]) && !isUpperByte(text[s.Start-1])
		tail := s.End == len(text) || !isLetterByte(text[s.End]) || isUpperByte(text[s.End])
		if head && tail {
			out = append(out, s)
		}
	}
	return out
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func isUpperByte(c byte) bool { return c >= 'A' && c <= 'Z' }

var (
	// stateNames are names that systems give to states, reasons and errors.
	stateNames = NewPattern(`^[A-Z]\w*(ed|ing|Off|Failure|Pressure|Error|Exception|Err)$|^(Failed|Evicted|OOM|Err|Insufficient|Invalid)[A-Z]\w+$`)
	// versioned are a word with a number: Java17, ipv6, A100, log4j2.
	versioned = NewPattern(`^[A-Za-z]{1,10}\d{1,4}[a-z]?$|^\d{1,3}[A-Za-z]{1,3}$`)
	// suffixed are products with a domain for a last name: Node.js, ASP.NET.
	suffixed = NewPattern(`(?i)^\w+\.(js|net|io|ai)$`)
)

// MachineMade reports a name of the kind that machines give: hosts, pods, hashes, paths,
// versions, error codes, exceptions, states. Plain words, products in camel case and
// hyphenated words of English are none; text is what the name was read from.
func (id Identifier) MachineMade(text string) bool {
	w := id.Text
	digit := strings.ContainsAny(w, "0123456789")
	lower := strings.ToLower(w) == w
	switch id.Kind {
	case identPath, identAddr, identHash, identConst, identNumber:
		return true
	case identMixed:
		return len(w) >= 5 && !versioned.MatchString(w)
	case IdentCamel:
		return stateNames.MatchString(w)
	case identWord:
		return id.Named && lower && len(w) >= 4
	case identName:
	}
	if digit || strings.ContainsAny(w, "_@") {
		return true
	}
	if strings.Contains(w, ".") {
		return !suffixed.MatchString(w)
	}
	for _, p := range strings.FieldsFunc(w, func(r rune) bool { return r == '-' || r == '/' }) {
		if !lower || len(p) < 2 {
			return false // Multi-AZ, A-share
		}
	}
	return hasHan(text) && !englishCompound(w)
}

// The first and last words of English compounds that name nothing.
var (
	compoundFirst = lexicon(`non no re un pre post multi semi half well over under long short high low out self cross in on off up near full read write`)
	compoundLast  = lexicon(`based bound only heavy wide free aware safe related specific like running lived term point driven oriented style grained in out off up down fly side of to the memory`)
)

// englishCompound reports words joined by hyphens as English joins them: out-of-memory,
// long-running, write-heavy.
func englishCompound(w string) bool {
	parts := strings.Split(strings.ToLower(w), "-")
	return len(parts) > 1 && (compoundFirst[parts[0]] || compoundLast[parts[len(parts)-1]])
}
