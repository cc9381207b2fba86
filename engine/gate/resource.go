package gate

import (
	"fmt"

	"claimscope/engine/grounding"
)

// resources are the things that a node or container has of each: a number of one is none
// of another.
var resources = []struct {
	name            string
	claim, evidence *grounding.Pattern
}{
	{"cpu", grounding.NewPattern(`(?i)(\bcpu\b|处理器)`), grounding.NewPattern(`(?i)cpu`)},
	{"memory", grounding.NewPattern(`(?i)(内存|\bmemory\b|\bmem\b)`), grounding.NewPattern(`(?i)(mem|内存)`)},
	{"disk", grounding.NewPattern(`(?i)(磁盘|硬盘|\bdisk\b)`), grounding.NewPattern(`(?i)(disk|磁盘|ephemeral-storage|filesystem)`)},
	{"inode", grounding.NewPattern(`(?i)\binodes?\b`), grounding.NewPattern(`(?i)inode`)},
	{"swap", grounding.NewPattern(`(?i)(\bswap\b|交换分区)`), grounding.NewPattern(`(?i)swap`)},
}

// otherResource reports a number whose clause speaks of one resource, while all its
// places are rows or fields of another, and the claimed one has a row or field of its own.
func (w *claimWork) otherResource(f fact, m FactMark, g []ground) (nearest, bool) {
	if f.kind != numberFact || !f.num.HasUnit() || f.num.Dim() == grounding.CPU {
		return nearest{}, false // cores are of the CPU, whatever else the clause names
	}
	own := -1
	c := newCarrier(g, w.claim.ClaimText, nil)
	clause := c.clauseAt(f.span.Start)
	for i, r := range resources {
		if r.claim.MatchString(clause) {
			if own >= 0 {
				return nearest{}, false // two of them: which is meant is unclear
			}
			own = i
		}
	}
	if own < 0 {
		return nearest{}, false
	}
	var other nearest
	for _, x := range g {
		if x.ev.Ref != m.TraceRef {
			continue
		}
		if len(x.ev.Output) > maxTimedBytes {
			return nearest{}, false
		}
		hasOwn := false
		for _, p := range spansOf(x.ev.facts.Find(f.num, true, 64)) {
			label := x.ev.rowLabel(p)
			if label == "" || resources[own].evidence.MatchString(label) {
				return nearest{}, false
			}
			named := false
			for i, r := range resources {
				if i != own && r.evidence.MatchString(label) {
					named = true
				}
			}
			if !named {
				return nearest{}, false
			}
			if other.ev == nil {
				other = x.ev.near(p)
			}
			hasOwn = true
		}
		if hasOwn && !resources[own].evidence.Match(x.ev.facts.Lower()) {
			return nearest{}, false
		}
	}
	return other, other.ev != nil
}

var firstWord = grounding.NewPattern(`^\s*\S+`)

// rowLabel is the field of a place with the first word of its line.
func (e *evidence) rowLabel(p grounding.Span) string {
	l := e.lines(p)
	first := firstWord.FindString(string(e.text.Raw()[l.Start:l.End]))
	return e.facts.Shape().FieldAt(p.Start) + " " + first
}

func resourceMessage(f fact, n nearest) Message {
	return Message{
		ZH: fmt.Sprintf("数值 %s 在 %s 第 %d 行是另一项资源的：%s", quoteShort(f.text), n.ev.Ref, n.line, n.ev.snippet(n.span)),
		EN: fmt.Sprintf("the number %s in line %d of %s is of another resource: %s", quoteShort(f.text), n.line, n.ev.Ref, n.ev.snippet(n.span)),
	}
}
