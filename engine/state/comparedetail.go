package state

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/verdict"
)

// Flipped reports whether both sessions have the claim and judge it differently.
func (p *ClaimPair) Flipped() bool { return p.A != nil && p.B != nil && p.A.Verdict != p.B.Verdict }

// Reworded reports whether both sessions have the claim, in other words.
func (p *ClaimPair) Reworded() bool {
	return p.A != nil && p.B != nil && p.A.ClaimText != p.B.ClaimText
}

// Bindings gives the evidence bindings that only the second and only the first session
// has for the claim, in order. A claim that was gained or lost has none: its bindings
// came or went with it.
func (p *ClaimPair) Bindings() (gained, lost []contract.Binding) {
	if p.A == nil || p.B == nil {
		return nil, nil
	}
	return without(p.B.EvidenceBindings, p.A.EvidenceBindings), without(p.A.EvidenceBindings, p.B.EvidenceBindings)
}

// without gives the bindings of list that other has not, each as often as it is short.
func without(list, other []contract.Binding) []contract.Binding {
	other = slices.Clone(other)
	var out []contract.Binding
	for _, b := range list {
		if i := slices.IndexFunc(other, func(o contract.Binding) bool { return sameBinding(b, o) }); i >= 0 {
			other = slices.Delete(other, i, i+1)
			continue
		}
		out = append(out, b)
	}
	return out
}

// SameOutcome reports whether two sessions came to the same: claims, bindings, verdicts,
// decision and causes. What they took, and how they were set up, is no outcome.
func (c *Comparison) SameOutcome(a, b *Session) bool {
	x, y := a.Summary(), b.Summary()
	causes := func(s Summary) []verdict.Cause { return slices.Sorted(slices.Values(s.Causes)) }
	return x.Decision == y.Decision && slices.Equal(causes(x), causes(y)) && c.Count(Same) == len(c.Pairs)
}

// Setting is what two sessions have set differently: a prompt, a model, a parameter, a
// policy. "" stands for not set.
type Setting struct {
	Name string `json:"name"`
	A    string `json:"a"`
	B    string `json:"b"`
}

// Settings lists what the headers have set differently.
func Settings(a, b event.Header) []Setting {
	out := []Setting{}
	add := func(name, x, y string) {
		if x != y {
			out = append(out, Setting{name, x, y})
		}
	}
	add("query", a.Query, b.Query)
	add("contract_version", string(a.ContractVersion), string(b.ContractVersion))
	add("model", a.Model, b.Model)
	add("tools", a.Tools, b.Tools)
	add("policy.gate", string(a.Policy.Gate), string(b.Policy.Gate))
	add("policy.malformed_policy", string(a.Policy.Malformed), string(b.Policy.Malformed))
	add("policy.retries", fmt.Sprint(a.Policy.Retries), fmt.Sprint(b.Policy.Retries))
	add("composer", fmt.Sprint(a.Composer), fmt.Sprint(b.Composer))
	for _, stage := range keys(a.Params, b.Params) {
		x, y := params(a, stage), params(b, stage)
		for _, name := range keys(x, y) {
			add("params."+string(stage)+"."+name, x[name], y[name])
		}
	}
	for _, name := range keys(a.Prompts, b.Prompts) {
		add("prompts."+name, prompt(a, name), prompt(b, name))
	}
	return out
}

// prompt names a prompt by version, the beginning of its hash, and where it came from.
func prompt(h event.Header, name string) string {
	p, ok := h.Prompts[name]
	if !ok {
		return ""
	}
	const enough = 12
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", p.Version, p.SHA256[:min(len(p.SHA256), enough)], p.From))
}

func params(h event.Header, stage event.Stage) map[string]string {
	p, ok := h.Params[stage]
	if !ok {
		return nil
	}
	out := map[string]string{"model": p.Model, "json_mode": string(p.JSONMode), "max_tokens": fmt.Sprint(p.MaxTokens), "timeout_ms": fmt.Sprint(p.TimeoutMS)}
	if p.Temperature != nil {
		out["temperature"] = fmt.Sprint(*p.Temperature)
	}
	if p.TopP != nil {
		out["top_p"] = fmt.Sprint(*p.TopP)
	}
	if p.Seed != nil {
		out["seed"] = fmt.Sprint(*p.Seed)
	}
	return out
}

// keys lists the keys of both maps, sorted.
func keys[K cmp.Ordered, V any](a, b map[K]V) []K {
	all := map[K]V{}
	maps.Copy(all, a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}
