package contract

import (
	"strconv"
	"strings"
)

// contract reads the object n as a contract and returns the canonical tree.
func (c *canon) contract(n *Node) (*Contract, *Node) {
	o := c.open(n, rootRole)
	k := &Contract{}
	for i := range rootRole.fields {
		switch rootRole.fields[i].name {
		case "answer_version":
			k.AnswerVersion = c.version(o, i)
		case "diagnosis_summary":
			if c.belongs(o, i, k.AnswerVersion) {
				k.DiagnosisSummary, _ = c.text(o, i)
			}
		case "claims":
			k.Claims = c.claims(o, i)
		case "hypotheses":
			k.Hypotheses = each(c, o, i, 0, c.hypothesis)
		case "recommended_actions":
			k.RecommendedActions = each(c, o, i, 0, c.action)
		case "missing_info":
			k.MissingInfo = c.texts(o, i)
		case "user_facing_answer":
			if c.belongs(o, i, k.AnswerVersion) {
				k.UserFacingAnswer, _ = c.text(o, i)
			}
		}
		if c.err != nil {
			return nil, nil
		}
	}
	k.Extra = o.extra
	return k, c.node(o)
}

// belongs reports whether a field that version 2 removed is to be read, and
// flags it there.
func (c *canon) belongs(o *object, i int, v Version) bool {
	n := o.get(i)
	if v == V1 {
		return true
	}
	if n == nil || n.Kind == NullNode {
		return false
	}
	if v == V2 {
		name := o.role.fields[i].name
		c.issue("S007", n, "字段 "+name+" 已在 v2 中移除，其文本仍会被核查",
			"field "+name+" was removed in v2; its text is audited all the same", name)
	}
	return true
}

// version reads answer_version. A missing one is taken from the fields that are
// there: those that version 2 removed mean version 1.
func (c *canon) version(o *object, i int) Version {
	const name = "answer_version"
	n := o.get(i)
	if n == nil || n.Kind == NullNode || n.Kind == StringNode && strings.TrimSpace(n.Text) == "" {
		guess := V2
		for j, f := range o.role.fields {
			if f.v1 && o.get(j) != nil {
				guess = V1
			}
		}
		c.coerce(WhyNoVersion, show(n), string(guess), name)
		c.missing(o, &o.role.fields[i])
		return guess
	}
	if n.Kind != StringNode && n.Kind != NumberNode {
		c.wrongType(n, "a string", "字符串", name)
		o.keep(name, n)
		return ""
	}
	v := Version(n.Text)
	if n.Kind == StringNode && (v == V1 || v == V2) {
		return v
	}
	v, plain := parseVersion(n.Text)
	if !plain {
		c.issue("S002", n, "未知的契约版本 "+show(n)+"，支持 "+string(V1)+" 与 "+string(V2),
			"unknown contract version "+show(n)+"; known are "+string(V1)+" and "+string(V2), name)
		return v
	}
	c.coerce(WhyVersion, show(n), string(v), name)
	return v
}

// objects reads the i-th field as an array of objects of its role.
func (c *canon) objects(o *object, i int) []*Node {
	f := &o.role.fields[i]
	n := o.get(i)
	if n == nil {
		c.missing(o, f)
		return nil
	}
	if nested := c.inString(n); nested != nil && nested.Kind >= ArrayNode {
		c.coerce(WhyStringJSON, show(n), show(nested), f.name)
		n = nested
	}
	var items []*Node
	switch n.Kind {
	case NullNode:
		c.coerce(WhyNullArray, "null", "[]", f.name)
	case ArrayNode:
		items = n.Items
		if len(items) == 1 && items[0].Kind == ArrayNode && len(items[0].Items) > 0 && items[0].Items[0].Kind == ObjectNode {
			c.coerce(WhyNestedArray, show(n), show(items[0]), f.name)
			items = items[0].Items
		}
	case ObjectNode:
		items = c.members(n, f)
	case BoolNode, NumberNode, StringNode:
	}
	if items == nil && n.Kind != ArrayNode && n.Kind != NullNode && (n.Kind != ObjectNode || len(n.Items) > 0) {
		c.wrongType(n, "an array of objects", "对象数组", f.name)
		o.keep(f.name, n)
		return nil
	}
	out := make([]*Node, 0, len(items))
	for _, item := range items {
		if nested := c.inString(item); nested != nil && nested.Kind == ObjectNode {
			c.coerce(WhyStringJSON, show(item), show(nested), f.name, strconv.Itoa(len(out)))
			item = nested
		}
		switch {
		case item.flags&cut != 0:
		case item.Kind == NullNode:
			c.coerce(WhyNullItem, "null", "", f.name)
		case item.Kind == StringNode && placeholder(item.Text):
			c.coerce(WhyEllipsis, show(item), "", f.name)
		case item.Kind != ObjectNode:
			c.wrongType(item, "an object", "对象", f.name)
			o.keep(f.name, n)
		default:
			out = append(out, item)
			continue
		}
		c.dropped++
	}
	return out
}

// members takes an object that stands where an array of objects belongs: one
// item without its array, or items keyed by id. Nil when it is neither.
func (c *canon) members(n *Node, f *field) []*Node {
	if len(n.Items) == 0 {
		c.coerce(WhyScalarArray, "{}", "[]", f.name)
		return []*Node{}
	}
	keyed := true
	for _, m := range n.Items {
		known, _ := f.role.lookup(m.Key)
		if known != nil {
			c.coerce(WhyScalarArray, show(n), "["+show(n)+"]", f.name)
			return []*Node{n}
		}
		keyed = keyed && m.Kind == ObjectNode
	}
	if only := n.Items[0]; len(n.Items) == 1 && only.Kind == ArrayNode {
		c.coerce(WhyWrapped, show(n), show(only), f.name)
		return only.Items
	}
	if !keyed {
		return nil
	}
	c.coerce(WhyKeyedByID, show(n), "["+strconv.Itoa(len(n.Items))+"]", f.name)
	if f.role != claimRole {
		return n.Items
	}
	items := make([]*Node, 0, len(n.Items))
	for _, m := range n.Items {
		if m.Get("claim_id") == nil {
			id := c.arena.node()
			*id = Node{Kind: StringNode, Key: "claim_id", KeySpan: m.KeySpan, Span: m.KeySpan, Text: m.Key}
			m = c.copyNode(m)
			m.Items = append([]*Node{id}, m.Items...)
		}
		items = append(items, m)
	}
	return items
}

func (c *canon) claims(o *object, i int) []Claim {
	n := o.get(i)
	items := c.objects(o, i)
	if n == nil || n.Kind == NullNode || items == nil {
		c.noClaims = true
	}
	if n == nil || items == nil {
		return nil
	}
	if len(items) > MaxClaims {
		c.err = &ReadError{ErrTooManyClaims, n.Span.Start}
		return nil
	}
	out := make([]Claim, 0, len(items))
	nodes := make([]*Node, 0, len(items))
	seen := map[string]bool{}
	c.push("claims")
	defer c.pop()
	for _, item := range items {
		if isUnclear(item) {
			c.dropped++
			c.issue("S004", item, "结论的文本边界不清（字符串内有未转义的引号），已舍弃",
				"the claim cannot be read for certain (unescaped quotes inside a string); it was dropped")
			continue
		}
		c.pushIndex(len(out))
		claim, node := c.claim(item, len(out)+1)
		if id := claim.ClaimID; id != "" && seen[id] {
			c.issue("S006", node.Get("claim_id"), "结论编号 "+clip(id)+" 重复", "claim id "+clip(id)+" stands twice", "claim_id")
		} else {
			seen[id] = true
		}
		c.pop()
		if c.err != nil {
			return nil
		}
		out, nodes = append(out, claim), append(nodes, node)
	}
	c.setArray(o, i, o.get(i), nodes)
	return out
}

// isUnclear reports whether a value holds a string whose end was a guess.
func isUnclear(n *Node) bool {
	if n.flags&unclear != 0 {
		return true
	}
	for _, item := range n.Items {
		if isUnclear(item) {
			return true
		}
	}
	return false
}

func (c *canon) claim(n *Node, ordinal int) (Claim, *Node) {
	o := c.open(n, claimRole)
	var k Claim
	for i := range claimRole.fields {
		switch claimRole.fields[i].name {
		case "claim_id":
			k.ClaimID, _ = c.text(o, i)
			if strings.TrimSpace(k.ClaimID) == "" {
				k.ClaimID = "claim-" + strconv.Itoa(ordinal)
				c.coerce(WhyNoID, "", k.ClaimID, "claim_id")
			}
		case "claim_type":
			k.ClaimType = c.word(o, i, claimTypeWords)
		case "claim_text":
			k.ClaimText, k.Repaired = c.text(o, i)
		case "support_level":
			k.SupportLevel = c.support(o, i)
		case "evidence_bindings":
			k.EvidenceBindings = c.bindings(o, i)
		}
	}
	k.Extra = o.extra
	return k, c.node(o)
}

// word reads a member of an open set, folding other spellings of the known ones.
func (c *canon) word(o *object, i int, known map[string]string) string {
	text, _ := c.text(o, i)
	name := o.role.fields[i].name
	to, ok := known[foldWord(text)]
	if !ok || to == text {
		return text
	}
	c.coerce(WhyEnum, text, to, name)
	return to
}

func (c *canon) support(o *object, i int) SupportLevel {
	n := o.get(i)
	text, _ := c.text(o, i)
	if strings.TrimSpace(text) == "" {
		return ""
	}
	switch SupportLevel(text) {
	case Direct, Indirect, None, Contradicted:
		return SupportLevel(text)
	}
	if to, ok := supportWords[foldWord(text)]; ok {
		c.coerce(WhyEnum, text, string(to), "support_level")
		return to
	}
	c.issue("S005", n, "support_level 的取值 "+clip(text)+" 未知，应为 direct、indirect、none 或 contradicted",
		"unknown support_level "+clip(text)+"; known are direct, indirect, none and contradicted", "support_level")
	return SupportLevel(text)
}

// each reads the i-th field as an array of at most limit objects with read, and
// puts their canonical nodes in place. Nil when there is no array to read.
func each[T any](c *canon, o *object, i, limit int, read func(*Node) (T, *Node)) []T {
	items := c.objects(o, i)
	if items == nil {
		return nil
	}
	n := o.get(i)
	if limit > 0 && len(items) > limit {
		c.err = &ReadError{ErrTooManyBindings, n.Span.Start}
		return nil
	}
	out := make([]T, 0, len(items))
	nodes := make([]*Node, 0, len(items))
	c.push(o.role.fields[i].name)
	defer c.pop()
	for _, item := range items {
		c.pushIndex(len(out))
		v, node := read(item)
		c.pop()
		if c.err != nil {
			return nil
		}
		out, nodes = append(out, v), append(nodes, node)
	}
	c.setArray(o, i, n, nodes)
	return out
}

func (c *canon) bindings(o *object, i int) []Binding {
	return each(c, o, i, MaxBindings, c.binding)
}

func (c *canon) binding(n *Node) (Binding, *Node) {
	o := c.open(n, bindingRole)
	var b Binding
	for i := range bindingRole.fields {
		switch bindingRole.fields[i].name {
		case "source_type":
			b.SourceType = c.word(o, i, sourceTypeWords)
		case "source_id":
			b.SourceID, _ = c.text(o, i)
		case "tool_name":
			b.ToolName, _ = c.text(o, i)
		case "source_invocation_ids":
			b.SourceInvocationIDs = c.ids(o, i)
		case "evidence_excerpt":
			b.EvidenceExcerpt, b.Repaired = c.text(o, i)
			c.tooLong(o, i, b.EvidenceExcerpt)
		}
	}
	if b.SourceID == "" && b.EvidenceExcerpt == "" && o.extra["source_id"] == nil {
		c.issue("S003", n, "缺少必填字段 source_id", "required field source_id is missing", "source_id")
	}
	b.Extra = o.extra
	return b, c.node(o)
}

func (c *canon) hypothesis(n *Node) (Hypothesis, *Node) {
	o := c.open(n, hypothesisRole)
	var h Hypothesis
	for i := range hypothesisRole.fields {
		switch hypothesisRole.fields[i].name {
		case "hypothesis_text":
			h.HypothesisText, _ = c.text(o, i)
		case "basis":
			h.Basis, _ = c.text(o, i)
		case "needed_evidence":
			h.NeededEvidence = c.texts(o, i)
		}
	}
	h.Extra = o.extra
	return h, c.node(o)
}

func (c *canon) action(n *Node) (Action, *Node) {
	o := c.open(n, actionRole)
	var a Action
	for i := range actionRole.fields {
		switch actionRole.fields[i].name {
		case "action_text":
			a.ActionText, _ = c.text(o, i)
		case "reason":
			a.Reason, _ = c.text(o, i)
		case "evidence_bindings":
			a.EvidenceBindings = c.bindings(o, i)
		}
	}
	a.Extra = o.extra
	return a, c.node(o)
}
