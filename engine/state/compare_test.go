package state

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/verdict"
)

type judged struct {
	id, text string
	verdict  verdict.CheckVerdict
	source   string
}

// session is a routed session of one attempt with those claims.
func session(claims ...judged) *Session {
	c := &contract.Contract{AnswerVersion: contract.V2}
	r := verdict.Routing{Decision: verdict.Pass}
	for i, x := range claims {
		c.Claims = append(c.Claims, contract.Claim{ClaimID: x.id, ClaimText: x.text, EvidenceBindings: []contract.Binding{{SourceID: x.source}}})
		r.Claims = append(r.Claims, verdict.FinalClaim{ClaimID: x.id, Text: x.text, Pointer: fmt.Sprintf("/claims/%d", i), Verdict: x.verdict})
	}
	s := &script{}
	s.add(1, event.Parse, event.Parsed{Status: contract.StatusOK, Structured: c}).add(1, event.Route, event.Routed{Routing: r})
	out := Fold(event.Header{ID: "s"}, s.events)
	return &out
}

// told writes a comparison as id>id change, one a pair.
func told(c Comparison) []string {
	names := map[Change]string{Flipped: "flipped", Lost: "lost", Gained: "gained", Reworded: "reworded", Rebound: "rebound", Same: "same"}
	var out []string
	for _, p := range c.Pairs {
		s := ""
		if p.A != nil {
			s = p.A.ClaimID
		}
		s += ">"
		if p.B != nil {
			s += p.B.ClaimID
		}
		out = append(out, s+" "+names[p.Change])
	}
	return out
}

func TestCompare(t *testing.T) {
	ok, bad := verdict.Supported, verdict.Unsupported
	a := session(
		judged{"1", "连接池已饱和，活跃连接数等于上限", ok, "trace-1"},
		judged{"2", "慢 SQL 长时间占用连接", bad, "trace-2"},
		judged{"3", "网关返回 504 共 367 次", ok, "trace-3"},
		judged{"4", "支付接口超时", ok, "trace-4"},
		judged{"5", "数据库主从切换导致重连", bad, "trace-5"},
	)
	b := session(
		judged{"1", "支付接口超时", ok, "trace-9"},
		judged{"2", "慢 SQL 长时间占用连接", ok, "trace-2"},
		judged{"3", "网关共返回 504 状态 367 次", ok, "trace-3"},
		judged{"7", "连接池已饱和，活跃连接数已等于上限 20", ok, "trace-1"},
		judged{"8", "连接泄漏发生在退款分支", ok, "trace-1"},
	)
	require.Equal(t, []string{"2>2 flipped", "5> lost", ">8 gained", "1>7 reworded", "3>3 reworded", "4>1 rebound"}, told(Compare(a, b)))
	require.Equal(t, []string{"2>2 flipped", "8> lost", ">5 gained", "3>3 reworded", "7>1 reworded", "1>4 rebound"}, told(Compare(b, a)))

	same := Compare(a, a)
	require.Equal(t, 5, same.Count(Same))
	require.Len(t, same.Pairs, 5)
	require.Empty(t, Compare(session(), session()).Pairs)
}

func TestCompareOfManyClaims(t *testing.T) {
	var many []judged
	for i := range contract.MaxClaims {
		many = append(many, judged{fmt.Sprint(i), fmt.Sprintf("第 %d 条", i), verdict.Supported, ""})
	}
	s := session(many...)
	c := Compare(s, session(many[:10]...))
	require.Equal(t, 10, c.Count(Same))
	require.Equal(t, contract.MaxClaims-10, c.Count(Lost))
}

func TestCompareOfUnroutedSessionsAndPrompts(t *testing.T) {
	a, b := session(judged{"1", "x", verdict.Supported, ""}), session(judged{"1", "x", verdict.Supported, ""})
	a.Header.Prompts = map[string]event.PromptSource{"v": {SHA256: "1"}, "e": {SHA256: "2"}, "old": {SHA256: "3"}}
	b.Header.Prompts = map[string]event.PromptSource{"v": {SHA256: "1"}, "e": {SHA256: "9"}}
	require.Equal(t, []string{"e"}, Compare(a, b).Prompts)

	b.Attempts[0].Routing = nil
	c := Compare(a, b)
	require.Equal(t, Flipped, c.Pairs[0].Change)
	require.Empty(t, c.Pairs[0].B.Verdict)
}
