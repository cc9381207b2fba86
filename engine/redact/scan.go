package redact

import (
	"bytes"
)

// scanner goes over a text once, from left to right. At the start of each run of
// token characters it asks whether the run is a known shape; at each separator,
// whether the name before it is one of a secret.
type scanner struct {
	in     []byte
	out    []byte
	copied int // in[:copied] is in out already
}

func (s *scanner) run() []byte {
	for i := 0; i < len(s.in); {
		c := s.in[i]
		switch {
		case tokenChar[c]:
			i = s.token(i)
		case c == '@':
			i = s.dataSource(i)
		case c == '=' || c == ':' || c == '>' || c == ' ' || c == 0xe4 || c == 0xe6 || c == 0xef:
			i = s.separator(i)
		default:
			i++
		}
	}
	if s.copied == 0 {
		return s.in
	}
	return append(s.out, s.in[s.copied:]...)
}

// mask puts a mask in the place of in[start:end], within quotes where quote is not "".
func (s *scanner) mask(start, end int, k Kind, quote string) {
	s.out = append(s.out, s.in[s.copied:start]...)
	s.out = append(append(append(s.out, quote...), Mask(k)...), quote...)
	s.copied = end
}

// tokenChar are the characters of tokens and of names.
var tokenChar = func() (set [256]bool) {
	for c := range set {
		set[c] = alnum(byte(c)) || c == '_' || c == '-'
	}
	return set
}()

func alnum(c byte) bool { return c >= '0' && c <= '9' || letter(c) }
func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// runEnd gives the end of the run of token characters at i.
func (s *scanner) runEnd(i int) int {
	for i < len(s.in) && tokenChar[s.in[i]] {
		i++
	}
	return i
}

// token looks at the run of token characters that starts at i and gives the offset to
// go on at.
func (s *scanner) token(i int) int {
	end := s.runEnd(i)
	start := min(i+escapeTail(s.in, i), end)
	run := s.in[start:end]
	if len(run) < 4 {
		return end
	}
	if bytes.HasPrefix(run, []byte("-----BEGIN")) {
		if stop := pemEnd(s.in, start); stop > 0 {
			s.mask(start, stop, PrivateKey, "")
			return stop
		}
		return end
	}
	if bytes.HasPrefix(run, []byte("eyJ")) || bytes.HasPrefix(run, []byte("SG")) {
		if stop := dottedEnd(s.in, start, end); stop > 0 {
			s.mask(start, stop, Token, "")
			return stop
		}
	}
	if k := shapeOf(run); k != "" {
		s.mask(start, end, k, "")
		return end
	}
	if fold(run, "bearer") || fold(run, "basic") {
		return s.credentials(end)
	}
	return end
}

// escapeTail gives how many characters at i belong to a JSON escape that starts
// before i: the n of \n, the u000a of \u000a.
func escapeTail(text []byte, i int) int {
	slashes := 0
	for i-1-slashes >= 0 && text[i-1-slashes] == '\\' {
		slashes++
	}
	if slashes%2 == 0 {
		return 0
	}
	if text[i] == 'u' {
		return 5
	}
	return 1
}

// credentials looks for the token after the word Bearer or Basic, which ends at i.
func (s *scanner) credentials(i int) int {
	start := i
	for start < len(s.in) && s.in[start] == ' ' && start-i < 4 {
		start++
	}
	if start == i {
		return i
	}
	end := start
	for end < len(s.in) && (tokenChar[s.in[end]] || bytes.IndexByte([]byte("._~+/="), s.in[end]) >= 0) {
		end++
	}
	if v := s.in[start:end]; len(v) < 8 || !hasDigit(v) && v[len(v)-1] != '=' && (len(v) < 16 || !mixedCase(v)) {
		return i
	}
	s.mask(start, end, Token, "")
	return end
}

// dataSource masks the password of a data source name such as user:password@tcp(host)
// whose @ stands at i.
func (s *scanner) dataSource(i int) int {
	const longest = 128
	if !bytes.HasPrefix(s.in[i:], []byte("@tcp(")) && !bytes.HasPrefix(s.in[i:], []byte("@unix(")) {
		return i + 1
	}
	start := i
	for start > s.copied && i-start < longest && s.in[start-1] > ' ' && bytes.IndexByte([]byte("\"'\\=`"), s.in[start-1]) < 0 {
		start--
	}
	if colon := bytes.IndexByte(s.in[start:i], ':'); colon >= 0 && anyPassword.hides(s.in[start+colon+1:i]) {
		s.mask(start+colon+1, i, Password, "")
	}
	return i + 1
}

// pemEnd gives the end of the private key whose BEGIN line starts at i, or 0 when it
// is none. A key that was cut ends where its characters end.
func pemEnd(text []byte, i int) int {
	const longLine, longKey = 64, 64 << 10
	line := text[i:min(len(text), i+longLine)]
	at := bytes.Index(line, []byte("PRIVATE KEY-----"))
	if at < 0 || bytes.ContainsAny(line[:at], "\"\\\n") {
		return 0
	}
	j := i + at + len("PRIVATE KEY-----")
	for limit := min(len(text), j+longKey); j < limit; {
		switch c := text[j]; {
		case bytes.HasPrefix(text[j:], []byte("-----END")):
			stop := min(len(text), j+longLine)
			end := bytes.Index(text[j:stop], []byte("KEY-----"))
			if end < 0 || bytes.ContainsAny(text[j:j+end], "\"\\\n") {
				return j
			}
			return j + end + len("KEY-----")
		case tokenChar[c], bytes.IndexByte([]byte("+/=:, \r\n\t"), c) >= 0:
			j++
		case c == '\\' && j+1 < len(text) && bytes.IndexByte([]byte(`nrt\`), text[j+1]) >= 0:
			j += 2
		default:
			return j
		}
	}
	return j
}

// dottedEnd gives the end of a token of three parts joined by dots (a JWT, a SendGrid
// key) whose first part is text[i:end], or 0.
func dottedEnd(text []byte, i, end int) int {
	const shortest = 8
	jwt := text[i] == 'e'
	if jwt && end-i < shortest || !jwt && end-i != 2 {
		return 0
	}
	for part := range 2 {
		if end >= len(text) || text[end] != '.' {
			return 0
		}
		next := end + 1
		for next < len(text) && tokenChar[text[next]] {
			next++
		}
		if next-end-1 < shortest && (part == 0 || !jwt) {
			return 0
		}
		end = next
	}
	return end
}
