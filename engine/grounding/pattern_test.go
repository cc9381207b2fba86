package grounding

import (
	"math/rand"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A pattern answers as its expression does, whatever it needs.
func TestPatternIsItsExpression(t *testing.T) {
	exprs := []string{
		`(?i)(成功|完成|succeed|Successful)`, `(?i)(fail(ed|ing)?|timed? ?out|失败)\b`, `(?i)(增|减|多了|少了)`, `^\s*(?i:ok|KILLED)\s*$`, `[A-Z]\w*(ed|ing)$`,
		`(?i)\b(is|are) (not )?ready\b`, `a*`, `(?:x{2,3}|yy)+z`, `(?i)ſet|kelvin`, `\d+(ms|µs)`, `(No|no)(t|ne) (found|here)`, `(?i)É(tat|té)`,
	}
	words := []string{"成功", "完成", "Succeed", "failed", "FAILING", "timed out", "TimeOut", "失败", "增", "多了", " ok ", "Killed", "Ending", "is ready", "are Not Ready", "aaa", "xxz", "yyxxxz", "set", "\u017Fet", "KELVIN", "\u212Aelvin", "12ms", "3µs", "None found", "not here", "état", "ÉTÉ", " ", "x", "没有", "\n", "\xff"}
	r := rand.New(rand.NewSource(5))
	matched := 0
	for range 4000 {
		var text strings.Builder
		for range r.Intn(5) {
			text.WriteString(words[r.Intn(len(words))])
		}
		s := text.String()
		for _, expr := range exprs {
			re, p := regexp.MustCompile(expr), NewPattern(expr)
			want := re.FindAllStringIndex(s, -1)
			matched += len(want)
			require.Equal(t, want, p.FindAllStringIndex(s, -1), "%q in %q", expr, s)
			require.Equal(t, re.MatchString(s), p.MatchString(s), "%q in %q", expr, s)
			require.Equal(t, re.Match([]byte(s)), p.Match([]byte(s)), "%q in %q", expr, s)
			require.Equal(t, re.FindStringSubmatch(s), p.FindStringSubmatch(s), "%q in %q", expr, s)
			require.Equal(t, re.ReplaceAllString(s, "<$0>"), p.ReplaceAllString(s, "<$0>"), "%q in %q", expr, s)
		}
	}
	require.Greater(t, matched, 1000)
}

func TestPatternNeeds(t *testing.T) {
	for expr, want := range map[string][]string{
		`(?i)(成功|Done)`:      {"成功", "done"},
		`(?i)[增减]`:           {"减", "增"},
		`x?(abc)+[0-9]`:      {"abc"},
		`(ab|cd)ef{0,2}`:     {"ab", "cd"},
		`(ab|c*)`:            nil,
		`(?i)été`:            nil,
		`q`:                  nil,
		`\w+`:                nil,
		`(?:上升|升高|升至)了?`:     {"上升", "升"},
		`(longer|lo)\s+next`: {"next"},
	} {
		require.Equal(t, want, NewPattern(expr).compiled().needs, expr)
	}
}
