package redact

import "bytes"

// shape is a token that is known by its beginning. The tail after the prefix has at
// least min characters; solid is the length that one of its pieces between dashes and
// underscores must reach, so that names of pods and files do not pass for tokens.
type shape struct {
	prefix string
	min    int
	max    int // 0 for no bound
	solid  int
	upper  bool // capital letters and digits only
	kind   Kind
}

// shapes are the published forms of access tokens, by their first characters. Sources:
// the vendors' documentation, as gathered by the secret scanners of GitHub and gitleaks.
var shapes = []shape{
	{prefix: "AKIA", min: 16, max: 16, solid: 16, upper: true, kind: Key}, // AWS
	{prefix: "ASIA", min: 16, max: 16, solid: 16, upper: true, kind: Key},
	{prefix: "ABIA", min: 16, max: 16, solid: 16, upper: true, kind: Key},
	{prefix: "ACCA", min: 16, max: 16, solid: 16, upper: true, kind: Key},
	{prefix: "LTAI", min: 12, max: 26, solid: 12, kind: Key}, // Alibaba Cloud
	{prefix: "AKID", min: 28, max: 44, solid: 28, kind: Key}, // Tencent Cloud
	{prefix: "AIza", min: 35, max: 35, solid: 12, kind: Key}, // Google
	{prefix: "ghp_", min: 30, solid: 30, kind: Token},        // GitHub
	{prefix: "gho_", min: 30, solid: 30, kind: Token},
	{prefix: "ghu_", min: 30, solid: 30, kind: Token},
	{prefix: "ghs_", min: 30, solid: 30, kind: Token},
	{prefix: "ghr_", min: 30, solid: 30, kind: Token},
	{prefix: "github_pat_", min: 22, solid: 20, kind: Token},
	{prefix: "glpat-", min: 20, solid: 12, kind: Token},    // GitLab
	{prefix: "xoxb-", min: 20, solid: 10, kind: Token},     // Slack
	{prefix: "xoxp-", min: 20, solid: 10, kind: Token},     //
	{prefix: "xoxa-", min: 20, solid: 10, kind: Token},     //
	{prefix: "xoxr-", min: 20, solid: 10, kind: Token},     //
	{prefix: "xoxs-", min: 20, solid: 10, kind: Token},     //
	{prefix: "xapp-", min: 20, solid: 10, kind: Token},     //
	{prefix: "sk-", min: 20, solid: 20, kind: Key},         // OpenAI, DeepSeek, DashScope, Anthropic
	{prefix: "sk_live_", min: 16, solid: 16, kind: Key},    // Stripe
	{prefix: "sk_test_", min: 16, solid: 16, kind: Key},    //
	{prefix: "rk_live_", min: 16, solid: 16, kind: Key},    //
	{prefix: "npm_", min: 36, solid: 36, kind: Token},      // npm
	{prefix: "pypi-", min: 50, solid: 16, kind: Token},     // PyPI
	{prefix: "hf_", min: 30, solid: 30, kind: Token},       // Hugging Face
	{prefix: "dop_v1_", min: 64, solid: 64, kind: Token},   // DigitalOcean
	{prefix: "shpat_", min: 32, solid: 32, kind: Token},    // Shopify
	{prefix: "glsa_", min: 32, solid: 32, kind: Token},     // Grafana
	{prefix: "dckr_pat_", min: 20, solid: 12, kind: Token}, // Docker Hub
}

var shapesByStart = func() (table [256][]shape) {
	for _, s := range shapes {
		table[s.prefix[0]] = append(table[s.prefix[0]], s)
	}
	return table
}()

// shapeOf gives the kind of the known shape that run has, or "".
func shapeOf(run []byte) Kind {
	for _, s := range shapesByStart[run[0]] {
		if !bytes.HasPrefix(run, []byte(s.prefix)) {
			continue
		}
		tail := run[len(s.prefix):]
		if len(tail) < s.min || s.max > 0 && len(tail) > s.max || longestPiece(tail) < s.solid {
			continue
		}
		if s.upper && bytes.ContainsFunc(tail, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') }) {
			continue
		}
		return s.kind
	}
	return ""
}

// longestPiece is the length of the longest run of letters and digits.
func longestPiece(b []byte) int {
	longest, n := 0, 0
	for _, c := range b {
		if alnum(c) {
			n++
			longest = max(longest, n)
		} else {
			n = 0
		}
	}
	return longest
}

func hasDigit(b []byte) bool {
	return bytes.ContainsAny(b, "0123456789")
}

func mixedCase(b []byte) bool {
	return !bytes.Equal(bytes.ToLower(b), b) && !bytes.Equal(bytes.ToUpper(b), b)
}

// fold reports whether b is word, which is in lower case, in any case.
func fold(b []byte, word string) bool {
	return len(b) == len(word) && bytes.EqualFold(b, []byte(word))
}
