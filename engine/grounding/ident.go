package grounding

import (
	"bytes"
	"strings"
)

// IdentKind says what sort of name an identifier is.
type IdentKind uint8

// The kinds. Words are plain words of a language, which name things only where a
// noun such as 服务 or Pod stands next to them.
const (
	identWord   IdentKind = iota
	identName             // get-data-mldtn, order_rw, redis:6.2.6, app.kubernetes.io/name
	IdentCamel            // CrashLoopBackOff, CommitFailedException
	identPath             // /certs/certificate.pem, https://…
	identAddr             // 10.20.1.15:9600
	identHash             // c41fa9e8d2
	identMixed            // t3, w2kqn, EXP20260519
	identConst            // GFP_KERNEL, ENOSPC
	identNumber           // 8085/TCP, 6.2.14
)

type identToken struct {
	span Span
	kind IdentKind
}

// Identifier is a name in a text that evidence must hold.
type Identifier struct {
	Span Span
	Text string
	Kind IdentKind
	// Named is true for a plain word that a noun marks as a name: checkout 服务, Pod web.
	Named bool
}

// Identifiers finds the names in a text: hosts, pods, services, classes, exceptions,
// versions, paths, addresses, hashes, status codes with letters. Ordinary technical
// words (CPU, Pod, HTTP, Kubernetes …) and references (trace-1) are none. Offsets are
// bytes into text.
func Identifiers(text string) []Identifier {
	f := narrow(text)
	skip := newMask(len(f.s))
	for _, t := range scanTimes(f.s) {
		skip.set(t.span)
	}
	var out []Identifier
	for _, t := range scanIdents(f.s) {
		if skip.has(t.span.Start) {
			continue
		}
		word := f.s[t.span.Start:t.span.End]
		named := false
		if t.kind == identWord {
			if !namePosition(f.s, t.span) || ordinary(word) {
				continue
			}
			named = true
		} else if ordinary(word) || isReference(word) {
			continue
		}
		s := f.back(t.span)
		out = append(out, Identifier{Span: s, Text: text[s.Start:s.End], Kind: t.kind, Named: named})
	}
	return out
}

// Words lists the Latin words of a text that are no identifiers, lower case.
func Words(text string) []string {
	f := narrow(text)
	var out []string
	for _, t := range scanIdents(f.s) {
		if t.kind == identWord {
			out = append(out, strings.ToLower(f.s[t.span.Start:t.span.End]))
		}
	}
	return out
}

const identExtra = "_./:@%+~-#$*\\"

// identBytes are the bytes that names are made of.
var identBytes = func() (set [256]bool) {
	for c := range set {
		set[c] = isWordByte(byte(c)) || strings.IndexByte(identExtra, byte(c)) >= 0
	}
	return set
}()

func isIdentByte(c byte) bool { return identBytes[c] }

// scanIdents splits a narrowed text into its Latin tokens and classifies them. Pure
// numbers, with or without a unit, are not among them.
func scanIdents(s string) []identToken {
	var out []identToken
	for i := 0; i < len(s); {
		if !isIdentByte(s[i]) {
			i++
			continue
		}
		end := i
		for end < len(s) && isIdentByte(s[end]) {
			end++
		}
		next := end
		start := i
		for start < end && !isWordByte(s[start]) && s[start] != '/' {
			start++
		}
		for end > start && !isWordByte(s[end-1]) && s[end-1] != '/' {
			end--
		}
		if end > start+1 && s[end-1] == '/' && s[start] != '/' {
			end--
		}
		i = next
		out = appendToken(out, s, Span{start, end})
	}
	return out
}

func appendToken(out []identToken, s string, sp Span) []identToken {
	if sp.End-sp.Start == 0 {
		return out
	}
	w := s[sp.Start:sp.End]
	// A sentence's colon is none of a name's: "node:Ready" stays, "状态: x" has a space.
	if kind, ok := classify(w); ok {
		return append(out, identToken{sp, kind})
	}
	// Slashes between plain words, a lone slash: take the parts.
	if i := strings.IndexAny(w, "/:"); i >= 0 {
		out = appendToken(out, s, trimSpan(s, Span{sp.Start, sp.Start + i}))
		return appendToken(out, s, trimSpan(s, Span{sp.Start + i + 1, sp.End}))
	}
	return out
}

func trimSpan(s string, sp Span) Span {
	for sp.Start < sp.End && !isWordByte(s[sp.Start]) {
		sp.Start++
	}
	for sp.End > sp.Start && !isWordByte(s[sp.End-1]) {
		sp.End--
	}
	return sp
}

// classify tells the kind of a token; ok is false for numbers and for tokens to split.
func classify(w string) (IdentKind, bool) {
	var letters, digits, upper, lower, seps int
	for i := 0; i < len(w); i++ {
		switch c := w[i]; {
		case isNum(c):
			digits++
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= 'a' && c <= 'z':
			lower++
		default:
			seps++
		}
	}
	letters = upper + lower
	switch {
	case letters == 0 && digits == 0:
		return 0, false
	case letters == 0:
		return classifyDigits(w)
	case strings.Contains(w, "://") || w[0] == '/' && len(w) > 1:
		return identPath, true
	case isQuantityToken(w) || proseToken.MatchString(w):
		return 0, false
	case seps == 0 && digits == 0:
		if humps(w) >= 2 && lower > 0 {
			return IdentCamel, true
		}
		if lower == 0 && upper >= 6 {
			return identConst, true // NXDOMAIN, SECONDARY
		}
		return identWord, true
	case seps == 0:
		if isHash(w) {
			return identHash, true
		}
		return identMixed, true
	}
	// Slashed plain words (CPU/Memory, i/o, TCP/UDP) and labels (error:timeout) are prose.
	if i := strings.IndexAny(w, "/:"); i > 0 && digits == 0 && !strings.ContainsAny(w, "_.-@") && strings.Count(w, ":") < 2 {
		return 0, false
	}
	if strings.ContainsAny(w, "+~%*") && !strings.ContainsAny(w, "_.-@/") {
		return 0, false
	}
	if isAddress(w) {
		return identAddr, true
	}
	if upper > 0 && lower == 0 && strings.Contains(w, "_") {
		return identConst, true
	}
	return identName, true
}

// proseToken are tokens of prose that look like names: i.e, e.g, 1e31, 15-minute, 3-node.
var proseToken = NewPattern(`^([a-zA-Z]\.)+[a-zA-Z]\.?$|^\d+(\.\d+)?[eE][+-]?\d+$|^\d+(\.\d+)?-[a-z]{3,}(-[a-z]{2,})*$`)

// classifyDigits keeps dotted versions and addresses; dates and numbers are none.
func classifyDigits(w string) (IdentKind, bool) {
	dots := strings.Count(w, ".")
	if dots == 3 && isAddress(w) {
		return identAddr, true
	}
	if dots >= 2 && !strings.ContainsAny(w, ":/-+~%") {
		return identNumber, true
	}
	return 0, false
}

func isAddress(w string) bool {
	host, port, has := strings.Cut(w, ":")
	parts := strings.Split(host, ".")
	if len(parts) != 4 {
		return false
	}
	for _, p := range parts {
		if len(p) == 0 || len(p) > 3 || digitRun(p, 0) != len(p) {
			return false
		}
	}
	return !has || digitRun(port, 0) == len(port) && port != ""
}

// isHash reports hexadecimal ids of at least seven digits with letters and digits.
func isHash(w string) bool {
	if len(w) < 7 {
		return false
	}
	for i := 0; i < len(w); i++ {
		c := w[i]
		if !isNum(c) && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}

// isQuantityToken reports numbers with a unit or compound durations: 2174Mi, 5h43m, 12.5%.
func isQuantityToken(w string) bool {
	i := 0
	if w[0] == '~' || w[0] == '+' || w[0] == '-' || w[0] == 'x' && len(w) > 1 {
		i = 1
	}
	for i < len(w) {
		if !isNum(w[i]) {
			return false
		}
		l, ok := literalAt(w, i)
		if !ok {
			return false
		}
		i = l.end
		if i == len(w) {
			return true
		}
		if w[i] == '%' {
			i++
		} else if _, n := longestUnit(w[i:]); n > 0 {
			i += n
		} else if w[i] != '-' && w[i] != '~' && w[i] != '/' && w[i] != ':' {
			return false
		}
		if i < len(w) && (w[i] == '-' || w[i] == '~' || w[i] == '/' || w[i] == ':') {
			if w[i] == ':' {
				return false
			}
			i++
		}
	}
	return true
}

// humps counts the capitalised parts of a word: OOMKilled has two.
func humps(w string) int {
	n := 0
	for i := 0; i < len(w); i++ {
		up := w[i] >= 'A' && w[i] <= 'Z'
		if i == 0 {
			n++
			continue
		}
		prevUp := w[i-1] >= 'A' && w[i-1] <= 'Z'
		nextLow := i+1 < len(w) && w[i+1] >= 'a' && w[i+1] <= 'z'
		if up && (!prevUp || nextLow) {
			n++
		}
	}
	return n
}

// isReference reports the contract's own references: trace-1, claim-2, nl-1.
func isReference(w string) bool {
	for _, p := range []string{"trace-", "claim-", "nl-", "hyp-", "action-"} {
		if rest, ok := strings.CutPrefix(strings.ToLower(w), p); ok && rest != "" && digitRun(rest, 0) == len(rest) {
			return true
		}
	}
	return false
}

// nameNouns mark a plain word next to them as a name.
var nameNouns = []string{"服务", "节点", "容器", "主机", "实例", "命名空间", "工作负载", "集群", "应用", "组件", "数据库", "表", "进程", "任务", "队列", "主题", "模块", "用户", "账号", "网关", "分区", "端", "Pod", "Service", "Deployment", "Job", "Namespace", "容器的", "pod", "namespace", "container", "service", "deployment", "node", "host"}

// namePosition reports whether a plain word at sp stands where a name stands.
func namePosition(s string, sp Span) bool {
	before := strings.TrimRight(s[:sp.Start], " `\"'(“‘")
	after := strings.TrimLeft(s[sp.End:], " `\"')”’")
	if sp.End-sp.Start < 3 {
		return false
	}
	chinese := hasHan(s)
	for _, n := range nameNouns {
		if n[0] < 0x80 && !chinese {
			continue
		}
		if strings.HasPrefix(after, n) && n[0] >= 0x80 {
			return true
		}
		if strings.HasSuffix(before, n) && (n[0] >= 0x80 || len(before) == len(n) || !isWordByte(before[len(before)-len(n)-1]) && before[len(before)-len(n)-1] != '-') {
			return true
		}
	}
	return false
}

// FindIdent lists the places where id stands in text on name boundaries, at most
// limit of them (0: no limit). An id may be a proper part of a longer name at a
// separator: web in web-7f5c, node-17 in bj-k8s-node-17, a short hash in a long one.
func FindIdent(text []byte, id string, limit int) []Span {
	var out []Span
	if id == "" {
		return nil
	}
	key := []byte(id)
	hash := isHash(id)
	for from := 0; ; {
		i := bytes.Index(text[from:], key)
		if i < 0 {
			return out
		}
		s := Span{from + i, from + i + len(key)}
		if identBoundary(text, s, hash) {
			out = append(out, s)
			if limit > 0 && len(out) >= limit {
				return out
			}
		}
		from = s.Start + 1
	}
}

// identBoundary checks both ends of a name found at s.
func identBoundary(text []byte, s Span, hash bool) bool {
	first, last := text[s.Start], text[s.End-1]
	if s.Start > 0 {
		p := text[s.Start-1]
		if isWordByte(p) && p != '_' && isWordByte(first) {
			// \n, \t and \" escapes in JSON strings end with a letter that is no part of the name.
			if !(s.Start > 1 && text[s.Start-2] == '\\' && (p == 'n' || p == 't' || p == 'r')) {
				return false
			}
		}
		if p == '.' && isNum(first) && s.Start > 1 && isNum(text[s.Start-2]) {
			return false
		}
	}
	if s.End < len(text) {
		n := text[s.End]
		if isWordByte(n) && n != '_' && isWordByte(last) {
			return hash && isHexByte(n)
		}
		if n == '.' && isNum(last) && s.End+1 < len(text) && isNum(text[s.End+1]) && bytes.IndexByte(text[s.Start:s.End], '.') >= 0 && bytes.Count(text[s.Start:s.End], []byte(".")) >= 3 {
			return false
		}
	}
	return true
}

func isHexByte(c byte) bool {
	return isNum(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// hasHan reports whether a text holds Han characters.
func hasHan(s string) bool {
	for _, r := range s {
		if r >= 0x4E00 && r <= 0x9FFF {
			return true
		}
	}
	return false
}

// Tokens lists every Latin token of a text as written, names and words alike.
func Tokens(text string) []string {
	f := narrow(text)
	var out []string
	for _, t := range scanIdents(f.s) {
		out = append(out, f.s[t.span.Start:t.span.End])
	}
	return out
}

// NameWords splits snake_case, kebab-case, dotted and camelCase names into lower-case words.
func NameWords(name string) []string { return splitName(name) }

// Ordinary reports technical words of prose that name nothing.
func Ordinary(word string) bool { return ordinary(word) }

// IsValue reports names that are values of something else: versions, hashes, addresses.
// They belong to a record as a number does.
func (id Identifier) IsValue() bool {
	return id.Kind == identHash || id.Kind == identNumber || id.Kind == identAddr
}
