package redact

import "bytes"

// name is how the name of a secret ends, in lower case, without dashes and underscores.
type name struct {
	end  string
	kind Kind
	// weak names also stand before what is no secret ("token: 5 left"): their value must
	// look random.
	weak bool
}

var names = []name{
	{end: "password", kind: Password}, {end: "passwd", kind: Password}, {end: "pwd", kind: Password},
	{end: "passphrase", kind: Password}, {end: "userpass", kind: Password}, {end: "dbpass", kind: Password},
	{end: "secretkey", kind: Key}, {end: "secretaccesskey", kind: Key}, {end: "clientsecret", kind: Key},
	{end: "accesskeysecret", kind: Key}, {end: "appsecret", kind: Key}, {end: "apikey", kind: Key},
	{end: "privatekey", kind: Key}, {end: "accountkey", kind: Key}, {end: "sharedaccesskey", kind: Key},
	{end: "encryptionkey", kind: Key}, {end: "signingkey", kind: Key},
	{end: "accesstoken", kind: Token}, {end: "refreshtoken", kind: Token}, {end: "authtoken", kind: Token},
	{end: "securitytoken", kind: Token}, {end: "sessiontoken", kind: Token}, {end: "bearertoken", kind: Token},
	{end: "token", kind: Token, weak: true}, {end: "secret", kind: Key, weak: true},
	{end: "credential", kind: Key, weak: true}, {end: "credentials", kind: Key, weak: true},
	{end: "accesskey", kind: Key, weak: true}, {end: "accesskeyid", kind: Key, weak: true},
	{end: "authorization", kind: Token, weak: true}, {end: "sessionid", kind: Token, weak: true},
	{end: "密码", kind: Password}, {end: "口令", kind: Password},
	{end: "密钥", kind: Key, weak: true}, {end: "令牌", kind: Token, weak: true},
}

// longestName bounds how far back from a separator a name is looked for, in bytes.
const longestName = 24

// separator looks at a separator at i: with the name of a secret before it, what
// stands behind it is masked. It gives the offset to go on at.
func (s *scanner) separator(i int) int {
	rest := s.in[i:]
	if bytes.HasPrefix(rest, []byte("://")) {
		return s.userinfo(i + 3)
	}
	width := separatorWidth(rest)
	if width == 0 {
		return i + 1
	}
	n, quote, ok := s.nameBefore(i)
	if !ok {
		return i + width
	}
	flag := s.in[i] == ' '
	if flag && !s.isFlag(i) {
		return i + width
	}
	if s.in[i] == '>' && s.in[i-1] != '=' {
		return s.element(i+1, n)
	}
	at := i + width
	for at < len(s.in) && (s.in[at] == ' ' || s.in[at] == '\t' || s.in[at] == '>' && at == i+1 || s.in[at] == '=' && at == i+1) {
		at++
	}
	return s.value(at, n, quote)
}

// separatorWidth is the length in bytes of the separator that rest starts with, or 0.
func separatorWidth(rest []byte) int {
	switch rest[0] {
	case '=', ':', '>', ' ':
		return 1
	}
	if len(rest) >= 3 {
		switch string(rest[:3]) {
		case "：", "＝", "为", "是":
			return 3
		}
	}
	return 0
}

// nameBefore finds the name of a secret that ends before the separator at i, with
// spaces and a closing quote between them allowed. Quote is that quote with the
// backslashes before it, or "".
func (s *scanner) nameBefore(i int) (n name, quote string, ok bool) {
	end := i
	for end > 0 && i-end < 3 && s.in[end-1] == ' ' && s.in[i] != ' ' {
		end--
	}
	if end > 0 && s.in[i] != ' ' && (s.in[end-1] == '"' || s.in[end-1] == '\'') {
		start := end - 1
		for start > 0 && s.in[start-1] == '\\' {
			start--
		}
		quote, end = string(s.in[start:end]), start
	}
	if end == 0 || len(namesByEnd[s.in[end-1]]) == 0 {
		return name{}, "", false
	}
	var buf [longestName]byte
	key := normalName(s.in[:end], &buf)
	for _, n := range namesByEnd[s.in[end-1]] {
		if bytes.HasSuffix(key, []byte(n.end)) {
			return n, quote, true
		}
	}
	return name{}, "", false
}

// namesByEnd holds the names by their last byte, in either case: most separators of a
// log are passed over by this table alone.
var namesByEnd = func() (table [256][]name) {
	for _, n := range names {
		last := n.end[len(n.end)-1]
		table[last] = append(table[last], n)
		if letter(last) {
			table[last-'a'+'A'] = append(table[last-'a'+'A'], n)
		}
	}
	return table
}()

// normalName gives the end of text in lower case without dashes and underscores.
func normalName(text []byte, buf *[longestName]byte) []byte {
	at := len(buf)
	for i := len(text) - 1; i >= 0 && at > 0; i-- {
		c := text[i]
		switch {
		case c == '_' || c == '-':
			continue
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case !alnum(c) && c < 0x80:
			return buf[at:]
		}
		at--
		buf[at] = c
	}
	return buf[at:]
}

// isFlag reports whether the word before the space at i is a long option: --password x.
func (s *scanner) isFlag(i int) bool {
	j := i
	for j > 0 && i-j < longestName*2 && tokenChar[s.in[j-1]] {
		j--
	}
	return bytes.HasPrefix(s.in[j:i], []byte("--"))
}

// userinfo masks the password of a URL whose authority starts at i.
func (s *scanner) userinfo(i int) int {
	const longest = 512
	end, at := i, -1
	for end < len(s.in) && end-i < longest && s.in[end] > ' ' && s.in[end] < 0x7f && bytes.IndexByte([]byte("/?#\"'\\<>`,"), s.in[end]) < 0 {
		if s.in[end] == '@' {
			at = end
		}
		end++
	}
	if at < 0 {
		return i
	}
	colon := bytes.IndexByte(s.in[i:at], ':')
	if colon < 0 || !anyPassword.hides(s.in[i+colon+1:at]) {
		return i
	}
	s.mask(i+colon+1, at, Password, "")
	return at
}

// element masks the text of an XML element, which starts at i.
func (s *scanner) element(i int, n name) int {
	end := i
	for end < len(s.in) && bytes.IndexByte([]byte("<\"\\\n"), s.in[end]) < 0 {
		end++
	}
	if end == len(s.in) || s.in[end] != '<' || !n.hides(s.in[i:end]) {
		return i
	}
	s.mask(i, end, n.kind, "")
	return end
}
