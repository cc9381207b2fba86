package jsonpane

import (
	"fmt"
	"strconv"
	"strings"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
	"claimscope/tui/widget"
)

var (
	wordWaiting  = text.Label{ZH: "Executor 还没有给出结果", EN: "the Executor has not answered yet"}
	wordUnparsed = text.Label{ZH: "尚未解析", EN: "not parsed yet"}
	wordRebuilt  = text.Label{ZH: "原始消息未记录，以下由结构重建", EN: "the message was not recorded: rebuilt from its structure"}
	wordNoJSON   = text.Label{ZH: "没有可用的 JSON，按文本显示", EN: "no usable JSON: shown as text"}
	wordEdits    = text.Label{ZH: "处文本修复", EN: "textual repairs"}
	wordCoerced  = text.Label{ZH: "处类型或写法的转换", EN: "coercions of type or case"}
)

// badge is a mark at a node of the tree.
type badge struct {
	text     string
	paint    widget.Paint
	severity gate.Severity
}

// maxNodes bounds the tree; a message of more values is shown as text.
const maxNodes = 500_000

// build makes the tree of the message with marks at what was found. ok is false when
// there is none, or one too large.
func build(p *pane.Paints, v *view.View) (root *widget.Node, ok bool) {
	n := v.Doc.Reading.Root
	if n == nil {
		return nil, false
	}
	b := builder{badges: badges(p, v), repair: widget.NewPaint(p.Theme.Repair), v: v}
	root = b.node(n, "", "")
	return root, b.count <= maxNodes
}

type builder struct {
	badges map[string]badge
	repair widget.Paint
	count  int
	v      *view.View
}

func (b *builder) node(n *contract.Node, label, pointer string) *widget.Node {
	made := &widget.Node{Label: label, Kind: kindOf(n.Kind)}
	if b.count++; b.count > maxNodes {
		return made
	}
	if len(n.Items) == 0 {
		made.Value = n.Text
	}
	if n.Repaired() {
		made.Badge, made.BadgePaint = theme.MarkRepaired, b.repair
	}
	if k, ok := b.badges[pointer]; ok {
		made.Badge, made.BadgePaint = k.text, k.paint
	}
	if id, ok := n.Get("claim_id").Str(); ok {
		made.Value = id
	}
	for i, item := range n.Items {
		key := strconv.Itoa(i)
		if n.Kind == contract.ObjectNode {
			key = item.Key
		}
		made.Add(b.node(item, key, pointer+"/"+view.EscapePointer(key)))
	}
	return made
}

func kindOf(k contract.NodeKind) widget.NodeKind {
	switch k {
	case contract.NullNode, contract.BoolNode:
		return widget.KindLiteral
	case contract.NumberNode:
		return widget.KindNumber
	case contract.StringNode:
		return widget.KindString
	case contract.ArrayNode:
		return widget.KindArray
	case contract.ObjectNode:
		return widget.KindObject
	}
	return widget.KindText
}

// badges are the marks by pointer: a claim's standing with its blocking codes, a
// finding at what it is about, the tier at a binding.
func badges(p *pane.Paints, v *view.View) map[string]badge {
	out := map[string]badge{}
	paints := map[gate.Severity]widget.Paint{
		gate.Block: widget.NewPaint(p.Theme.Block), gate.Warn: widget.NewPaint(p.Theme.Warn), gate.Info: widget.NewPaint(p.Theme.Info),
	}
	for i := range v.Findings {
		f := &v.Findings[i]
		if f.Pointer == "" || f.Origin != view.FromGate {
			continue
		}
		_, mark := p.Severity(f.Severity)
		k := badge{mark + " " + f.Code, paints[f.Severity], f.Severity}
		if old, ok := out[f.Pointer]; ok {
			if old.severity == gate.Block || old.severity == gate.Warn && k.severity == gate.Info {
				k.paint, k.severity = old.paint, old.severity
			}
			k.text = old.text + " " + f.Code
		}
		out[f.Pointer] = k
	}
	tier := widget.NewPaint(p.Theme.Dim)
	var standing [view.Contradicted + 1]widget.Paint
	for k := range standing {
		standing[k] = widget.NewPaint(p.StandingStyle(view.Standing(k)))
	}
	for i := range v.Claims {
		c := &v.Claims[i]
		if c.Pointer == "" {
			continue
		}
		_, mark := p.Standing(c.Standing)
		codes := []string{mark}
		for _, f := range c.Findings {
			if v.Findings[f].Severity == gate.Block && v.Findings[f].Origin == view.FromGate {
				codes = append(codes, v.Findings[f].Code)
			}
		}
		out[c.Pointer] = badge{text: strings.Join(codes, " "), paint: standing[c.Standing]}
		for j := range c.Bindings {
			if b := &c.Bindings[j]; b.Report != nil {
				out[b.Pointer] = badge{text: pane.TierWord(b.Tier()).In(v.Lang), paint: tier}
			}
		}
	}
	return out
}

// heading draws the lines above: what is wrong with the message, and the repairs. They
// take a third of the pane at most.
func (c *Pane) heading(v *view.View, w, h int) []string {
	say := func(l text.Label) string { return l.In(v.Lang) }
	var lines []string
	add := func(styled string) {
		for _, l := range text.WrapStyled(styled, max(w-1, 1), 2) {
			lines = append(lines, text.Fit(" "+l, w, "…"))
		}
	}
	d := &v.Doc
	switch {
	case !d.Has:
		add(c.p.Dim.Raw(say(wordWaiting)))
	case !d.Parsed:
		add(c.p.Dim.Raw(say(wordUnparsed)))
	case d.Rebuilt:
		add(c.p.Dim.Raw(say(wordRebuilt)))
	}
	if p := v.Attempt.Parsed; p != nil {
		c.status(v, w, add)
	}
	if limit := max(h/3, 1); len(lines) > limit {
		lines = append(lines[:limit-1], text.Fit(" "+c.p.Faint.Raw("…"), w, ""))
	}
	return lines
}

// arriving draws the end of the message that streams in, below the head.
func (c *Pane) arriving(v *view.View, w, h int) []string {
	l := &v.Live
	room := h - len(c.head)
	if v.Past() || l.Stage != event.Executor || l.Content == "" || room <= 0 {
		return c.head
	}
	tail := l.Content
	if n := room * w; len(tail) > n { // no cell takes less than a byte
		tail = strings.ToValidUTF8(tail[len(tail)-n:], "")
	}
	lines := text.Wrap(text.Sanitise(tail), max(w-2, 1))
	out := append([]string{}, c.head...)
	for _, k := range lines[max(len(lines)-room, 0):] {
		out = append(out, " "+c.p.Dim.Raw(k.String()))
	}
	return out
}

// status tells the parse status with its reason, and the number of repairs; above the raw
// text it lists them.
func (c *Pane) status(v *view.View, w int, add func(string)) {
	say := func(l text.Label) string { return l.In(v.Lang) }
	p := v.Attempt.Parsed
	if p.Status == contract.StatusOK {
		return
	}
	paint := c.p.Warn
	if p.Status.Malformed() {
		paint = c.p.Block
	}
	parts := []string{paint.Line(theme.MarkWarn + " " + pane.ParseWord(p.Status).In(v.Lang))}
	if n := len(p.Edits); n > 0 {
		parts = append(parts, c.p.Repair.Raw(fmt.Sprintf("%s %d %s", theme.MarkRepaired, n, say(wordEdits))))
	}
	if n := len(p.Coercions); n > 0 {
		parts = append(parts, c.p.Repair.Raw(fmt.Sprintf("%s %d %s", theme.MarkRepaired, n, say(wordCoerced))))
	}
	if reason := say(text.Label{ZH: p.ReasonZH, EN: p.Reason}); reason != "" {
		parts = append(parts, c.p.Text.Line(reason))
	}
	line := strings.Join(parts, c.p.Dim.Raw(" · "))
	if !c.showsRaw() {
		line = text.Truncate(line, max(w-2, 1), "…") // the tree needs the room more
	}
	add(line)
	if v.Doc.Reading.Root == nil && v.Doc.Text != "" {
		add(c.p.Dim.Raw(say(wordNoJSON)))
	}
	if !c.showsRaw() {
		return
	}
	for _, e := range p.Edits[:min(len(p.Edits), maxRepairs)] {
		add("  " + c.p.Dim.Raw(fmt.Sprintf("@%d ", e.Offset)) + c.p.Delete.Line(short(e.Removed)) + c.p.Dim.Raw(" → ") +
			c.p.Insert.Line(short(e.Inserted)) + c.p.Dim.Line("  "+why(e.Why, v.Lang)))
	}
	for _, k := range p.Coercions[:min(len(p.Coercions), maxRepairs)] {
		add("  " + c.p.Dim.Line(k.Pointer+" ") + c.p.Delete.Line(short(k.From)) + c.p.Dim.Raw(" → ") + c.p.Insert.Line(short(k.To)) + c.p.Dim.Line("  "+why(k.Why, v.Lang)))
	}
}

// maxRepairs bounds the list of repairs above the raw text.
const maxRepairs = 20

// why gives the reason of a repair in the reader's language.
func why(reason string, lang text.Lang) string {
	if lang == text.ZH {
		return contract.WhyZH(reason)
	}
	return reason
}

// short cuts a piece of an edit.
func short(s string) string {
	if s == "" {
		return "∅"
	}
	return text.Truncate(text.SanitiseLine(s), 24, "…")
}
