package gate_test

import (
	"fmt"
	"math/rand"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"claimscope/engine/contract"

	"github.com/stretchr/testify/assert"
)

// mutation turns an honest claim into a faulty one. It reports false where it does not apply.
type mutation struct {
	name string
	// least is the share of its mutants that must be blocked.
	least float64
	apply func(r *rand.Rand, w world, c *contract.Claim) bool
}

var (
	bigNumber = regexp.MustCompile(`(^|[^\d.A-Za-z:-])(\d{3,})($|[^\d.:A-Za-z-])`)
	clock     = regexp.MustCompile(`([01]\d|2[0-3]):([0-5]\d)(:[0-5]\d)?`)
	podName   = regexp.MustCompile(`[a-z]+-[0-9a-f]{5}-[0-9a-f]{5}`)
)

// otherDigit changes one digit of a number, never to the same value.
func otherDigit(r *rand.Rand, s string) string {
	i := r.Intn(len(s))
	d := byte('1' + r.Intn(9))
	if d == s[i] {
		d = byte('1' + (int(d-'0'))%9)
	}
	return s[:i] + string(d) + s[i+1:]
}

func replaceIn(c *contract.Claim, from, to string, excerpts bool) {
	c.ClaimText = strings.Replace(c.ClaimText, from, to, 1)
	if !excerpts {
		return
	}
	for i := range c.EvidenceBindings {
		b := &c.EvidenceBindings[i]
		b.EvidenceExcerpt = strings.Replace(b.EvidenceExcerpt, from, to, 1)
	}
}

// changeNumber changes a number of three digits or more in the claim, and in its excerpts
// when both is set.
func changeNumber(both bool) func(*rand.Rand, world, *contract.Claim) bool {
	return func(r *rand.Rand, _ world, c *contract.Claim) bool {
		m := bigNumber.FindStringSubmatch(c.ClaimText)
		if m == nil || both && !strings.Contains(c.EvidenceBindings[0].EvidenceExcerpt, m[2]) {
			return false
		}
		replaceIn(c, m[2], otherDigit(r, m[2]), both)
		return true
	}
}

var mutations = []mutation{
	{"missing reference", 1, func(_ *rand.Rand, w world, c *contract.Claim) bool {
		c.EvidenceBindings[0].SourceID = fmt.Sprintf("trace-%d", len(w.traces)+3)
		return true
	}},
	{"wrong tool", 1, func(_ *rand.Rand, _ world, c *contract.Claim) bool {
		c.EvidenceBindings[0].ToolName = "kubectl_logs"
		return true
	}},
	{"wrong invocation", 1, func(_ *rand.Rand, _ world, c *contract.Claim) bool {
		c.EvidenceBindings[0].SourceInvocationIDs[0]++
		return true
	}},
	{"other trace's excerpt", 1, func(r *rand.Rand, w world, c *contract.Claim) bool {
		b := &c.EvidenceBindings[0]
		for {
			t := w.traces[r.Intn(len(w.traces))]
			if t.Ref != b.SourceID {
				*b = bind(t, b.EvidenceExcerpt)
				return true
			}
		}
	}},
	{"invented excerpt", 1, func(r *rand.Rand, _ world, c *contract.Claim) bool {
		c.EvidenceBindings[0].EvidenceExcerpt = fmt.Sprintf("2026-03-03 07:%02d:11 FATAL [gc-%d] heap space exhausted after full collection", r.Intn(60), r.Intn(9))
		return true
	}},
	{"digit in claim", 0.98, changeNumber(false)},
	{"digit in claim and excerpt", 0.98, changeNumber(true)},
	{"unit", 0.9, func(_ *rand.Rand, _ world, c *contract.Claim) bool {
		for _, u := range [][2]string{{" ms", " s"}, {" MiB", " GiB"}, {"Gi。", "Mi。"}, {" 秒上升", " 毫秒上升"}, {"小时", "天"}} {
			if strings.Contains(c.ClaimText, u[0]) {
				c.ClaimText = strings.Replace(c.ClaimText, u[0], u[1], 1)
				return true
			}
		}
		return false
	}},
	{"time", 1, func(r *rand.Rand, _ world, c *contract.Claim) bool {
		m := clock.FindStringSubmatchIndex(c.ClaimText)
		if m == nil {
			return false
		}
		h, _ := strconv.Atoi(c.ClaimText[m[2]:m[3]])
		c.ClaimText = c.ClaimText[:m[2]] + fmt.Sprintf("%02d", (h+1+r.Intn(3))%24) + c.ClaimText[m[3]:]
		return true
	}},
	{"letter of a name", 1, func(r *rand.Rand, _ world, c *contract.Claim) bool {
		name := podName.FindString(c.ClaimText)
		if name == "" {
			return false
		}
		i := len(name) - 1 - r.Intn(4)
		ch := byte('g' + r.Intn(18)) // no hexadecimal digit
		c.ClaimText = strings.Replace(c.ClaimText, name, name[:i]+string(ch)+name[i+1:], 1)
		return true
	}},
	{"another entity", 1, func(_ *rand.Rand, w world, c *contract.Claim) bool {
		name := podName.FindString(c.ClaimText)
		if name == "" || !strings.Contains(c.ClaimText, "重启") {
			return false
		}
		for _, other := range podName.FindAllString(string(w.traces[0].Output), -1) {
			if other != name {
				c.ClaimText = strings.Replace(c.ClaimText, name, other, 1)
				return true
			}
		}
		return false
	}},
	{"polarity", 0.9, func(_ *rand.Rand, _ world, c *contract.Claim) bool {
		for _, p := range [][2]string{{"条件为 False", "条件为 True"}, {"上升到", "下降到"}, {"未处于 CrashLoopBackOff", ""}, {"处于 CrashLoopBackOff", "未处于 CrashLoopBackOff"}} {
			if strings.Contains(c.ClaimText, p[0]) {
				c.ClaimText = strings.Replace(c.ClaimText, p[0], p[1], 1)
				return true
			}
		}
		return false
	}},
	{"unsupported share", 0.95, func(r *rand.Rand, _ world, c *contract.Claim) bool {
		c.ClaimText = strings.TrimSuffix(c.ClaimText, "。") + fmt.Sprintf("，影响了 %d%% 的请求。", 21+r.Intn(70))
		return true
	}},
	{"conclusion from a failed call", 1, func(_ *rand.Rand, w world, c *contract.Claim) bool {
		*c = claimOf("已检查数据库的慢日志，没有慢查询，可排除数据库问题。", bind(w.traces[6], "Command `slowlog` failed with return code 1"))
		return true
	}},
	{"knowledge as fact", 1, func(_ *rand.Rand, w world, c *contract.Claim) bool {
		*c = claimOf("容器的缓存没有设置上限，导致内存超限被杀。", bind(w.traces[7], "常见原因：缓存没有上限。"))
		return true
	}},
	{"unconfirmed", 1, func(_ *rand.Rand, _ world, c *contract.Claim) bool {
		c.SupportLevel = contract.None
		return true
	}},
	{"no evidence", 1, func(_ *rand.Rand, _ world, c *contract.Claim) bool {
		c.EvidenceBindings = nil
		return true
	}},
}

// copyClaim copies a claim so that a mutation leaves the original alone.
func copyClaim(c contract.Claim) contract.Claim {
	bs := make([]contract.Binding, len(c.EvidenceBindings))
	for i, b := range c.EvidenceBindings {
		bs[i] = b
		bs[i].SourceInvocationIDs = append([]int64{}, b.SourceInvocationIDs...)
	}
	c.EvidenceBindings = bs
	return c
}

func TestMutantsAreBlocked(t *testing.T) {
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			r := rand.New(rand.NewSource(11))
			killed, n := 0, 0
			var survivors []string
			for seed := range int64(worlds) {
				w := newWorld(seed)
				for _, honest := range w.claims {
					c := copyClaim(honest)
					if !m.apply(r, w, &c) {
						continue
					}
					n++
					rep := verify(w.traces, c)
					if len(blocking(rep.Claims[0])) > 0 {
						killed++
						continue
					}
					survivors = append(survivors, fmt.Sprintf("seed %d: %s", seed, c.ClaimText))
				}
			}
			assert.NotZero(t, n, "the mutation applies to no claim")
			assert.GreaterOrEqual(t, float64(killed), m.least*float64(n), "%d of %d blocked; survivors:\n%s", killed, n, strings.Join(survivors, "\n"))
		})
	}
}

// rewrites are other ways to say the same: none may be blocked.
var rewrites = []struct {
	name  string
	apply func(c *contract.Claim)
}{
	{"full-width digits", func(c *contract.Claim) { c.ClaimText = widen(c.ClaimText) }},
	{"full-width excerpt", func(c *contract.Claim) { eachExcerpt(c, widen) }},
	{"curly quotes", func(c *contract.Claim) {
		eachExcerpt(c, func(s string) string { return strings.ReplaceAll(s, `"`, "”") })
	}},
	{"spaces in excerpts", func(c *contract.Claim) {
		eachExcerpt(c, func(s string) string { return strings.Join(strings.Fields(s), " ") })
	}},
	{"upper case excerpt", func(c *contract.Claim) { eachExcerpt(c, strings.ToUpper) }},
	{"milliseconds as seconds", func(c *contract.Claim) {
		c.ClaimText = regexp.MustCompile(`(\d+)(\d{3}) ms`).ReplaceAllString(c.ClaimText, "$1.$2 秒")
	}},
	{"thousands separators", func(c *contract.Claim) {
		c.ClaimText = regexp.MustCompile(`(\d)(\d{3}) ms`).ReplaceAllString(c.ClaimText, "$1,$2 ms")
	}},
	{"GiB as MiB", func(c *contract.Claim) { c.ClaimText = strings.Replace(c.ClaimText, "1 GiB", "1024 MiB", 1) }},
	{"about", func(c *contract.Claim) {
		c.ClaimText = strings.Replace(c.ClaimText, "耗时 ", "耗时约 ", 1)
	}},
	{"UTC instead of Beijing time", func(c *contract.Claim) {
		c.ClaimText = strings.Replace(c.ClaimText, "北京时间 2026-03-03 15:14:26", "2026-03-03 07:14:26 UTC", 1)
	}},
}

// widen writes the digits of a text full width.
func widen(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r - '0' + '０'
		}
		return r
	}, s)
}

func eachExcerpt(c *contract.Claim, f func(string) string) {
	for i := range c.EvidenceBindings {
		c.EvidenceBindings[i].EvidenceExcerpt = f(c.EvidenceBindings[i].EvidenceExcerpt)
	}
}

func TestHonestRewritesSurvive(t *testing.T) {
	for _, m := range rewrites {
		t.Run(m.name, func(t *testing.T) {
			for seed := range int64(worlds) {
				w := newWorld(seed)
				for _, honest := range w.claims {
					c := copyClaim(honest)
					m.apply(&c)
					rep := verify(w.traces, c)
					assert.Empty(t, blocking(rep.Claims[0]), "seed %d: %s | %q\n%+v", seed, c.ClaimText, c.EvidenceBindings[0].EvidenceExcerpt, rep.Claims[0].Findings)
				}
			}
		})
	}
}
