package pane_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/verdict"
	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/pane/answer"
	"claimscope/tui/pane/claims"
	"claimscope/tui/pane/hypotheses"
	"claimscope/tui/pane/jsonpane"
	"claimscope/tui/pane/panetest"
	"claimscope/tui/pane/pipeline"
	"claimscope/tui/pane/tracepane"
	"claimscope/tui/pane/verifierview"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
	"claimscope/tui/view/viewtest"
)

// set is one of each pane, by name.
func set(t theme.Theme) map[string]pane.Pane {
	return map[string]pane.Pane{
		"pipeline": pipeline.New(t), "claims": claims.New(t), "json": jsonpane.New(t), "answer": answer.New(t),
		"trace": tracepane.New(t), "hypotheses": hypotheses.New(t), "verifier": verifierview.New(t),
	}
}

// live is what streams in while the running session is shown.
func live() view.Live {
	return view.Live{Going: true, Stage: event.Executor, Reasoning: "先看连接池的指标，再看支付服务的日志；两者的时间要对得上。", Now: viewtest.Start.Add(9 * time.Second), Tick: 3}
}

func TestGoldens(t *testing.T) {
	moments := []struct {
		name    string
		session *viewtest.Script
		intents []view.Intent
	}{
		{"pass", viewtest.Pass(), []view.Intent{view.SelectClaim{Claim: 1}, view.WalkSpots{}}},
		{"near", viewtest.LowConfid(), []view.Intent{view.SelectClaim{Claim: 0}}},
		{"absent", viewtest.LowConfid(), []view.Intent{view.WalkFindings{Severity: gate.Block}, view.WalkFindings{Severity: gate.Block}}},
		{"number", viewtest.LowConfid(), []view.Intent{view.SelectFinding{Finding: 4}}},
		{"paraphrase", viewtest.LowConfid(), []view.Intent{view.SelectBinding{Claim: 2, Binding: 0}}},
		{"missing", viewtest.LowConfid(), []view.Intent{view.SelectBinding{Claim: 3, Binding: 0}}},
		{"malformed", viewtest.Malformed(), []view.Intent{view.SelectClaim{Claim: 0}}},
		{"running", viewtest.Running(), nil},
	}
	for _, m := range moments {
		for _, lang := range []text.Lang{text.ZH, text.EN} {
			for name, p := range set(theme.New(theme.None, nil)) {
				t.Run(m.name+"."+name+"."+lang.String(), func(t *testing.T) {
					v := m.session.View(lang)
					if m.name == "running" {
						v.SetLive(live())
					}
					for _, i := range m.intents {
						require.True(t, v.Apply(i))
						p.Sync(v)
					}
					lines := p.Lines(46, 26, v, true)
					panetest.Exact(t, lines, 46, 26)
					panetest.Golden(t, m.name+"."+name+"."+lang.String(), panetest.Plain(p, v, 46, 26))
				})
			}
		}
	}
}

// click clicks the first cell of a needle in a pane and applies what it means.
func click(t *testing.T, p pane.Pane, v *view.View, needle string) {
	t.Helper()
	for y, l := range p.Lines(60, 60, v, true) {
		if before, _, ok := strings.Cut(text.Unstyle(l), needle); ok {
			i := p.Click(text.Width(before), y, v)
			require.NotNil(t, i, "a click on %q", needle)
			require.True(t, v.Apply(i))
			return
		}
	}
	require.Fail(t, "not on screen", needle)
}

// shows asserts that a pane shows a text.
func shows(t *testing.T, p pane.Pane, v *view.View, w, h int, needle string) {
	t.Helper()
	p.Sync(v)
	var all []string
	for _, l := range p.Lines(w, h, v, false) {
		all = append(all, text.Unstyle(l))
	}
	require.Contains(t, strings.Join(all, "\n"), needle)
}

func TestAClickInAnyPaneMovesAllOthers(t *testing.T) {
	for from, needle := range map[string]string{
		"claims": "获取连接超时始于", "json": "claim-5", "answer": "获取连接超时始于", "trace": "获取数据库连接超时",
	} {
		t.Run(from, func(t *testing.T) {
			all := set(theme.New(theme.None, nil))
			v := viewtest.LowConfid().View(text.ZH)
			v.Apply(view.ShowTrace{Ref: "trace-2"})
			click(t, all[from], v, needle)
			require.Equal(t, 4, v.Sel.Claim)
			// Small enough that each had to scroll.
			shows(t, all["claims"], v, 60, 8, "✓ claim-5")
			shows(t, all["claims"], v, 60, 8, "▸")
			shows(t, all["json"], v, 60, 24, "claim-5")
			shows(t, all["answer"], v, 60, 8, "▸• 获取连接超时始于")
			shows(t, all["trace"], v, 60, 8, "▌获取数据库连接超时，已等待 30000ms▐")
		})
	}
}

func TestThreeKeysFromTheBadgeToTheBytes(t *testing.T) {
	// enter opened the session; e, e: the second blocking finding.
	all := set(theme.New(theme.None, nil))
	v := viewtest.LowConfid().View(text.ZH)
	for range 2 {
		v.Apply(view.WalkFindings{Severity: gate.Block})
	}
	shows(t, all["claims"], v, 40, 36, "▸    ✗ trace-2 的输出中没有这段引文")
	shows(t, all["trace"], v, 46, 36, "引文不在任何轨迹中：3 条，608 B")
	v.Apply(view.WalkFindings{Severity: gate.Block})
	shows(t, all["trace"], v, 46, 36, "▌31%▐")
	shows(t, all["trace"], v, 46, 36, "第 1/1 处 最接近之处")
}

func TestKeysMoveTheCursor(t *testing.T) {
	v := viewtest.LowConfid().View(text.EN)
	p := claims.New(theme.New(theme.Dark, nil))
	p.Lines(50, 20, v, true)
	press := func(a keymap.Action) {
		i, ok := p.Key(a, v)
		require.True(t, ok)
		if i != nil {
			require.True(t, v.Apply(i))
		}
		p.Sync(v)
	}
	press(keymap.Down)
	require.Equal(t, 0, v.Sel.Claim)
	press(keymap.Down)
	require.Equal(t, 0, v.Sel.Binding)
	press(keymap.Down)
	require.Equal(t, "B006", v.Finding().Code)
	press(keymap.End)
	require.Equal(t, "extra_fact", v.Finding().Code)
	press(keymap.Home)
	require.Equal(t, 0, v.Sel.Claim)
	require.Equal(t, -1, v.Sel.Binding)
	press(keymap.ToggleFold)
	press(keymap.Down)
	require.Equal(t, 1, v.Sel.Claim, "the first claim is folded")
	press(keymap.Back)
	require.Equal(t, -1, v.Sel.Claim)

	i, ok := p.Key(keymap.Copy, v)
	require.False(t, ok, "nothing is selected: %v", i)
	_, ok = p.Key(keymap.Quit, v)
	require.False(t, ok)
}

func TestSearchInEveryPane(t *testing.T) {
	needles := map[string]string{
		"pipeline": "trace-3", "claims": "190", "json": "claim-4", "answer": "未通过核验", "trace": "31%", "hypotheses": "泄漏", "verifier": "original_query",
	}
	for name, p := range set(theme.New(theme.None, nil)) {
		t.Run(name, func(t *testing.T) {
			v := viewtest.LowConfid().View(text.ZH)
			v.Apply(view.ShowTrace{Ref: "trace-2"})
			p.Lines(60, 6, v, true)
			s := p.(pane.Searcher)
			s.Search(needles[name], v)
			for s.StepSearch(1 << 20) {
			}
			state, ok := s.SearchState()
			require.True(t, ok)
			require.Positive(t, state.Count)
			if i, ok := p.Key(keymap.SearchNext, v); ok && i != nil {
				v.Apply(i)
			}
			shows(t, p, v, 60, 6, needles[name])
			s.Search("", v)
			_, ok = s.SearchState()
			require.False(t, ok)
			s.Search("没有这样的字", v)
			for s.StepSearch(1 << 20) {
			}
			state, _ = s.SearchState()
			require.Zero(t, state.Count)
		})
	}
}

func TestLayingOutJSONKeepsTheSpan(t *testing.T) {
	v := viewtest.LowConfid().View(text.ZH)
	p := tracepane.New(theme.New(theme.None, nil))
	v.Apply(view.SelectClaim{Claim: 2})
	shows(t, p, v, 60, 30, "▌183▐")
	_, ok := p.Key(keymap.TogglePretty, v)
	require.True(t, ok)
	shows(t, p, v, 60, 30, "▌183▐")
	shows(t, p, v, 60, 30, "\"metric\": {")
	click(t, p, v, "190")
	require.Equal(t, 2, v.Sel.Claim)
	_, _ = p.Key(keymap.TogglePretty, v)
	shows(t, p, v, 60, 30, `{"metric":{"pool":"HikariPool-1"}`)
}

func TestThePlaceSurvivesResizing(t *testing.T) {
	var log strings.Builder
	for i := range 5000 {
		log.WriteString(strings.Repeat("一行日志 ", i%40) + "\n")
	}
	s := viewtest.LowConfid()
	v := s.View(text.ZH)
	for i := range v.Traces {
		if v.Traces[i].Ref == "trace-2" {
			v.Traces[i].Trace.Output = []byte(log.String() + viewtest.LogOutput)
		}
	}
	p := tracepane.New(theme.New(theme.None, nil))
	v.Apply(view.ShowTrace{Ref: "trace-2"})
	p.Lines(100, 40, v, true)
	require.True(t, p.Goto("@"+itoa(log.Len()+20), v))
	for _, size := range [][2]int{{100, 40}, {30, 10}, {200, 50}, {21, 5}, {80, 24}} {
		shows(t, p, v, size[0], size[1], "5001 15:41:02")
	}
	require.True(t, p.Goto("3", v))
	require.False(t, p.Goto("@99999999", v))
	require.False(t, p.Goto("x", v))
}

func itoa(n int) string {
	var b []byte
	for ; n > 0; n /= 10 {
		b = append([]byte{byte('0' + n%10)}, b...)
	}
	return string(b)
}

func TestTitles(t *testing.T) {
	v := viewtest.LowConfid().View(text.EN)
	v.Apply(view.SelectClaim{Claim: 0})
	titles := map[string]string{}
	for name, p := range set(theme.New(theme.Dark, nil)) {
		titles[name] = p.Title(v)
	}
	require.Equal(t, map[string]string{
		"pipeline": "1 Pipeline", "claims": "2 Claims  2/5", "json": "3 Executor JSON  repaired", "answer": "4 Answer  degraded",
		"trace": "5 Trace  trace-2 query_logs #102", "hypotheses": "6 Hypotheses & missing info", "verifier": "the Verifier's view",
	}, titles)
	for id := view.PanePipeline; id <= view.PaneHypotheses; id++ {
		require.True(t, pane.TabName(id).Complete())
	}
}

func TestWhatStreamsInIsShown(t *testing.T) {
	s := viewtest.Running()
	v := s.View(text.ZH)
	require.Equal(t, "trace-2", v.Sel.Trace, "the newest trace is followed")
	all := set(theme.New(theme.None, nil))
	shows(t, all["trace"], v, 50, 12, "正在执行")
	v.SetLive(view.Live{Going: true, Stage: event.Executor, Content: strings.Repeat("很早的内容。", 400) + "{\"answer_version\": \"exec", Now: viewtest.Start.Add(time.Minute)})
	shows(t, all["json"], v, 50, 8, "{\"answer_version\": \"exec")
	shows(t, all["pipeline"], v, 50, 40, "{\"answer_version\": \"exec")
	panetest.Exact(t, all["json"].Lines(31, 9, v, true), 31, 9)
	v.Apply(view.ShowTrace{Ref: "trace-1"})
	v.SetState(s.State(), 0)
	require.Equal(t, "trace-1", v.Sel.Trace, "until another is chosen")
}

// TestEveryLabelIsInBothLanguages reads the source of the console: a label that is
// written with one language only, or with an empty one, is not translated.
func TestEveryLabelIsInBothLanguages(t *testing.T) {
	files := 0
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, nil, 0)
		require.NoError(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || len(lit.Elts) == 0 || !isLabel(lit.Type) {
				return true
			}
			require.Len(t, lit.Elts, 2, "%s", set.Position(lit.Pos()))
			for _, e := range lit.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Value
				}
				if s, ok := e.(*ast.BasicLit); ok {
					require.Greater(t, len(s.Value), 2, "%s", set.Position(s.Pos()))
				}
			}
			return true
		})
		return nil
	}))
	require.Greater(t, files, 40)
}

func isLabel(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return e.Sel.Name == "Label"
	case *ast.Ident:
		return e.Name == "Label"
	}
	return false
}

func TestANewSessionShowsThatNothingIsThereYet(t *testing.T) {
	v := viewtest.NewScript("s", "", contract.V2).View(text.ZH)
	for name, word := range map[string]string{"claims": "还没有结论", "json": "Executor 还没有给出结果", "answer": "还没有答复", "trace": "还没有工具调用", "verifier": "还没有发送给 Verifier"} {
		shows(t, set(theme.New(theme.Dark, nil))[name], v, 40, 12, word)
	}
}

func TestCausesAreNamedAsFarAsTheyFit(t *testing.T) {
	all := []verdict.Cause{verdict.MissingRef, "extra_fact", "contradicted"}
	for room, want := range map[int]string{
		80: "missing_ref extra_fact contradicted", 35: "missing_ref extra_fact contradicted", 34: "missing_ref extra_fact +1",
		25: "missing_ref extra_fact +1", 24: "missing_ref +2", 3: "missing_ref +2",
	} {
		require.Equal(t, want, pane.Causes(all, room), room)
	}
	require.Empty(t, pane.Causes(nil, 80))
}

// TestTheTracesThereAreCanBeOpened: where a claim cites a trace that does not exist, the
// list of those that do is one of links.
func TestTheTracesThereAreCanBeOpened(t *testing.T) {
	v := viewtest.LowConfid().View(text.EN)
	require.True(t, v.Apply(view.ShowTrace{Ref: "trace-9"}))
	p := set(theme.New(theme.None, nil))["trace"]
	lines := p.Lines(50, 20, v, true)
	y := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(text.Unstyle(l), "trace-3 lookup_knowledge") })
	require.Positive(t, y)
	require.Equal(t, view.ShowTrace{Ref: "trace-3"}, p.Click(4, y, v))
	i, ok := p.Key(keymap.Confirm, v)
	require.True(t, ok)
	require.Equal(t, view.ShowTrace{Ref: "trace-3"}, i)
	require.Nil(t, p.Click(4, 0, v), "the heading is no link")
}
