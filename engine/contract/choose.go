package contract

import (
	"bytes"
	"slices"
	"strings"
)

// reading is one contract that was read out of a candidate.
type reading struct {
	canon    *canon
	contract *Contract
	root     *Node // canonical
	from     candidate
}

// usable counts the claims that say something.
func (r *reading) usable() int {
	n := 0
	for i := range r.contract.Claims {
		if !placeholder(r.contract.Claims[i].ClaimText) {
			n++
		}
	}
	return n
}

// placeholder reports a text that only marks where one would stand.
func placeholder(s string) bool {
	s = strings.Trim(s, " \t\r\n.…")
	return s == "" || strings.HasPrefix(s, "<") && strings.HasSuffix(s, ">") && !strings.ContainsAny(s[1:len(s)-1], "<>")
}

// same reports whether two contracts say the same.
func (r *reading) same(o *reading) bool {
	a, _ := r.contract.MarshalJSON()
	b, _ := o.contract.MarshalJSON()
	return bytes.Equal(a, b)
}

// startOf reports whether a reading that the text's end cut is the beginning of
// another one.
func (r *reading) startOf(o *reading) bool {
	if !r.root.Cut() || len(r.contract.Claims) > len(o.contract.Claims) {
		return false
	}
	for i := range r.contract.Claims {
		if !bytes.Equal(appendClaim(nil, &r.contract.Claims[i]), appendClaim(nil, &o.contract.Claims[i])) {
			return false
		}
	}
	return true
}

// choose takes the one object that counts: the one that fits the contract; of
// several that say the same any; of several that differ the last, and says so.
func (p Parsed) choose(text string, st Step, from []candidate) Parsed {
	var all []reading
	for _, cand := range from {
		for _, in := range find(text, cand.root, rootRole) {
			c := &canon{src: text}
			if in.node != cand.root {
				c.coerce(WhyWrapped, show(cand.root), show(in.node))
			}
			c.nested(in.edits)
			k, root := c.contract(in.node)
			if c.err != nil {
				return p.refuse(c.err)
			}
			all = append(all, reading{c, k, root, cand})
		}
	}
	p.Step = st
	if len(all) == 0 {
		return p.unfit(text, from)
	}
	best, differ := pick(all)
	return p.take(text, best, differ, from)
}

// pick chooses among readings; differ is true when others fit as well.
func pick(all []reading) (best *reading, differ bool) {
	fit := false
	for i := range all {
		fit = fit || all[i].usable() > 0
	}
	for i := range all {
		r := &all[i]
		switch {
		case fit && r.usable() == 0:
		case best == nil || best.startOf(r) && !r.root.Cut():
			best = r
		case r.startOf(best) || best.same(r):
		default:
			best, differ = r, true
		}
	}
	return best, differ
}

// take makes r the outcome.
func (p Parsed) take(text string, r *reading, differ bool, others []candidate) Parsed {
	c := r.canon
	p.Contract, p.Root, p.Raw = r.contract, r.root, r.from.root
	p.Coercions, p.Issues = c.coercions, c.issues
	p.Edits = p.unwrap(text, r.from, others)
	switch {
	case len(r.from.edits) > 0 || c.repaired:
		p.Step = StepRepaired
	case len(c.coercions) > 0 && c.coercions[0].Why == WhyWrapped:
		p.Step = StepUnwrapped
	}
	switch {
	case differ || c.conflict:
		p.Status = StatusAmbiguous
		p.Reason, p.ReasonZH = "several objects fit the contract and differ; the last one is shown", "有多个符合契约的对象，且内容不同；此处显示最后一个"
		if c.conflict && !differ {
			p.Reason, p.ReasonZH = "the object has claims twice, and they differ; the last ones are shown", "对象中有两份不同的 claims；此处显示最后一份"
		}
	case c.noClaims || r.usable() == 0 && (len(r.contract.Claims) > 0 || c.dropped > 0 || r.root.Cut()):
		p.Status = StatusInvalid
		p.Reason, p.ReasonZH = "no usable claims came out", "没有读出可用的结论"
	case r.root.Cut():
		p.Status = StatusTruncated
		p.Reason, p.ReasonZH = "the text ends before the object does; complete claims were kept", "文本在对象结束之前中断；已保留完整的结论"
	case p.Step != StepStrict || len(p.Coercions) > 0:
		p.Status = StatusRepaired
		p.Reason, p.ReasonZH = p.repairs()
	default:
		p.Status = StatusOK
	}
	return p
}

// repairs sums up what was changed, in one line.
func (p *Parsed) repairs() (en, zh string) {
	seen := map[string]bool{}
	var ens, zhs []string
	add := func(why string) {
		if !seen[why] && len(ens) < 4 {
			ens, zhs = append(ens, why), append(zhs, WhyZH(why))
		}
		seen[why] = true
	}
	for _, e := range p.Edits {
		add(e.Why)
	}
	for _, c := range p.Coercions {
		add(c.Why)
	}
	return "read after repair: " + strings.Join(ens, "; "), "修复后读出：" + strings.Join(zhs, "；")
}

// unfit reports a value that is no contract.
func (p Parsed) unfit(text string, from []candidate) Parsed {
	cand := from[0]
	for _, other := range from {
		if other.root.Kind == ObjectNode {
			cand = other
			break
		}
	}
	if cand.root.Kind != ObjectNode {
		st := p.Step
		p = p.refuse(ErrNotObject)
		p.Step, p.Root, p.Raw = st, cand.root, cand.root
		p.Issues[0].Span = cand.root.Span
		p.Edits = p.unwrap(text, cand, from)
		return p
	}
	c := &canon{src: text}
	k, root := c.contract(cand.root)
	if c.err != nil {
		return p.refuse(c.err)
	}
	return p.take(text, &reading{c, k, root, cand}, false, from)
}

// part is a piece of the text around a value, and what it is.
type part struct {
	span Span
	why  string
}

// unwrap lists what stands around the candidate, and its own repairs.
func (p *Parsed) unwrap(text string, cand candidate, others []candidate) []Edit {
	root := cand.root.Span
	var parts []part
	for _, r := range p.Reasoning {
		parts = append(parts, part{r, WhyReasoning})
	}
	for _, o := range others {
		if o.root != cand.root {
			parts = append(parts, part{o.root.Span, WhyOtherObject})
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return a.span.Start - b.span.Start })
	edits := around(text, Span{0, root.Start}, parts)
	edits = append(edits, cand.edits...)
	return append(edits, around(text, Span{root.End, len(text)}, parts)...)
}

// around removes a stretch of the text, part by part. White space that JSON
// allows may stay.
func around(text string, stretch Span, parts []part) []Edit {
	var edits []Edit
	remove := func(from, to int, why string) {
		if from >= to {
			return
		}
		if why == "" {
			if strings.Trim(text[from:to], " \t\r\n") == "" {
				return
			}
			why = wrapping(text[from:to])
		}
		edits = append(edits, Edit{Offset: from, Removed: text[from:to], Why: why})
	}
	at := stretch.Start
	for _, p := range parts {
		if p.span.End <= at || p.span.Start >= stretch.End {
			continue
		}
		remove(at, max(at, p.span.Start), "")
		from := max(p.span.Start, at)
		at = min(p.span.End, stretch.End)
		remove(from, at, p.why)
	}
	remove(at, stretch.End, "")
	return edits
}

// wrapping names what a text around a value is.
func wrapping(s string) string {
	t := strings.TrimSpace(s)
	if t == "\uFEFF" {
		return WhyBOM
	}
	t = strings.TrimSpace(strings.TrimPrefix(t, "\uFEFF"))
	tokens := false
	for t != "" {
		if n := templateToken(t, 0); n > 0 {
			t, tokens = strings.TrimSpace(t[n:]), true
			continue
		}
		break
	}
	if t == "" {
		if tokens {
			return WhyToken
		}
		return WhyBlank
	}
	fence := strings.TrimSpace(strings.TrimRight(strings.TrimLeft(t, "`~"), "`~"))
	if len(fence) < len(t) && len(fence) <= 12 && !strings.ContainsAny(fence, " \n") {
		return WhyFence
	}
	return WhyProse
}
