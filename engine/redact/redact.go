// Package redact masks secrets where text enters the program (spec H2): known token
// shapes, private keys, passwords behind their names, credentials in URLs, and
// configured patterns. Whatever is masked here, no model, file, view or export ever has.
//
// It leans to what an incident needs: hashes, digests, uuids and names of pods stay,
// since they are evidence, unless a name such as "password" stands before them.
package redact

import (
	"bytes"
	"fmt"
	"regexp"
)

// Kind is what a mask says it stands for.
type Kind string

// The kinds.
const (
	Password   Kind = "password"
	Token      Kind = "token"
	Key        Kind = "key"
	PrivateKey Kind = "private-key"
	Pattern    Kind = "pattern" // of the configuration
)

const maskOpen, maskClose = "‹masked:", "›"

// Mask is the text that stands for a secret of this kind, such as ‹masked:token›.
func Mask(k Kind) string { return maskOpen + string(k) + maskClose }

// Redactor masks secrets. It is safe for concurrent use; the zero value knows the
// known shapes only.
type Redactor struct {
	patterns []*regexp.Regexp
}

// New makes a redactor that also masks what the patterns (RE2 syntax) match: their
// first group, or the whole match where they have none.
func New(patterns ...string) (*Redactor, error) {
	r := &Redactor{}
	for i, p := range patterns {
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, fmt.Errorf("redact: pattern %d: %w", i+1, err)
		}
		if re.MatchString("") {
			return nil, fmt.Errorf("redact: pattern %d: %q matches the empty text", i+1, p)
		}
		r.patterns = append(r.patterns, re)
	}
	return r, nil
}

// Bytes gives text with its secrets masked; text itself when there are none. Time is
// linear in the length. Masking again changes nothing (configured patterns: unless
// they match by what stands around them). Text that is valid JSON stays valid JSON
// under the known shapes.
func (r *Redactor) Bytes(text []byte) []byte {
	s := scanner{in: text}
	out := s.run()
	if r == nil {
		return out
	}
	for _, re := range r.patterns {
		out = maskPattern(out, re)
	}
	return out
}

// String is Bytes for a string.
func (r *Redactor) String(text string) string {
	in := []byte(text)
	out := r.Bytes(in)
	if len(out) == len(in) && bytes.Equal(in, out) {
		return text
	}
	return string(out)
}

// maskPattern masks what re matches outside of masks.
func maskPattern(text []byte, re *regexp.Regexp) []byte {
	var out []byte
	copied := 0
	for _, m := range re.FindAllSubmatchIndex(text, -1) {
		start, end := m[0], m[1]
		if len(m) > 2 && m[2] >= 0 {
			start, end = m[2], m[3]
		}
		if start == end || start < copied || touchesMask(text, start, end) {
			continue
		}
		out = append(append(out, text[copied:start]...), Mask(Pattern)...)
		copied = end
	}
	if copied == 0 {
		return text
	}
	return append(out, text[copied:]...)
}

// touchesMask reports whether text[start:end] holds or lies in a mask.
func touchesMask(text []byte, start, end int) bool {
	const longest = len(maskOpen) + 16
	if bytes.Contains(text[start:end], []byte(maskOpen)) {
		return true
	}
	before := text[max(0, start-longest):min(len(text), start+len(maskOpen))]
	open := bytes.LastIndex(before, []byte(maskOpen))
	if open < 0 {
		return false
	}
	shut := bytes.Index(before[open:], []byte(maskClose))
	return shut < 0 || max(0, start-longest)+open+shut >= start
}
