package gate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/trace"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mixed is a world's honest claims with faulty ones between them.
func mixed(seed int64) world {
	w := newWorld(seed)
	r := rand.New(rand.NewSource(seed + 99))
	for i, honest := range w.claims {
		c := copyClaim(honest)
		if mutations[(i+int(seed))%len(mutations)].apply(r, w, &c) {
			w.claims = append(w.claims, c)
		}
	}
	return w
}

// verdicts maps claim text to verdict and blocking codes.
func verdicts(traces []trace.Trace, claims []contract.Claim) map[string]string {
	out := map[string]string{}
	rep := verify(traces, append([]contract.Claim{}, claims...)...)
	for i, c := range rep.Claims {
		out[fmt.Sprintf("%s %+v", claims[i].ClaimText, claims[i].SupportLevel)+sources(claims[i])] = fmt.Sprintf("%s %v", c.Verdict, blocking(c))
	}
	return out
}

func sources(c contract.Claim) string {
	var s []string
	for _, b := range c.EvidenceBindings {
		s = append(s, fmt.Sprintf("%s %s %v %s", b.SourceID, b.ToolName, b.SourceInvocationIDs, b.EvidenceExcerpt))
	}
	return strings.Join(s, "|")
}

func TestOrderOfClaimsBindingsAndTracesChangesNoVerdict(t *testing.T) {
	for seed := range int64(worlds) {
		w := mixed(seed)
		want := verdicts(w.traces, w.claims)
		r := rand.New(rand.NewSource(seed))
		claims := append([]contract.Claim{}, w.claims...)
		r.Shuffle(len(claims), func(i, j int) { claims[i], claims[j] = claims[j], claims[i] })
		assert.Equal(t, want, verdicts(w.traces, claims), "claims shuffled, seed %d", seed)
		traces := append([]trace.Trace{}, w.traces...)
		r.Shuffle(len(traces), func(i, j int) { traces[i], traces[j] = traces[j], traces[i] })
		assert.Equal(t, want, verdicts(traces, w.claims), "traces shuffled, seed %d", seed)
		for i, c := range w.claims {
			n := len(c.EvidenceBindings)
			if n < 2 {
				continue
			}
			rev := copyClaim(c)
			for j := range n / 2 {
				rev.EvidenceBindings[j], rev.EvidenceBindings[n-1-j] = rev.EvidenceBindings[n-1-j], rev.EvidenceBindings[j]
			}
			a, b := verify(w.traces, c).Claims[0], verify(w.traces, rev).Claims[0]
			assert.Equal(t, a.Verdict, b.Verdict, "bindings of claim %d reversed, seed %d", i, seed)
			assert.ElementsMatch(t, blocking(a), blocking(b))
		}
	}
}

func TestUnrelatedTracesChangeNothing(t *testing.T) {
	for seed := range int64(worlds) {
		w := mixed(seed)
		log, _ := bigLog(20_000, 2, seed)
		more := append(append([]trace.Trace{}, w.traces...), call(31, "query_logs", `{}`, string(log)))
		assert.Equal(t, verdicts(w.traces, w.claims), verdicts(more, w.claims), "seed %d", seed)
	}
}

func TestDeletingTheCitedLinesFlipsToBlocked(t *testing.T) {
	for seed := range int64(worlds) {
		w := newWorld(seed)
		for i, c := range w.claims {
			honest := verify(w.traces, c)
			traces := append([]trace.Trace{}, w.traces...)
			for j := range traces {
				out := append([]byte{}, traces[j].Output...)
				for _, b := range honest.Claims[0].Bindings {
					if b.TraceRef != traces[j].Ref {
						continue
					}
					for _, o := range b.Occurrences {
						for _, s := range o.Spans {
							for k := s.Start; k < s.End; k++ {
								if out[k] != '\n' {
									out[k] = ' '
								}
							}
						}
					}
				}
				traces[j].Output = out
			}
			rep := verify(traces, c)
			assert.NotEmpty(t, blocking(rep.Claims[0]), "seed %d claim %d: %s", seed, i, c.ClaimText)
		}
	}
}

func TestTheSameInputGivesTheSameBytes(t *testing.T) {
	w := mixed(3)
	first, err := json.Marshal(w.verify())
	require.NoError(t, err)
	for range 20 {
		again, err := json.Marshal(w.verify())
		require.NoError(t, err)
		require.True(t, bytes.Equal(first, again))
	}
}

func TestSpansLieInTheirTraces(t *testing.T) {
	for seed := range int64(worlds) {
		w := mixed(seed)
		size := map[string]int{}
		for _, x := range w.traces {
			size[x.Ref] = len(x.Output)
		}
		check := func(ref string, start, end int) {
			require.True(t, start >= 0 && start <= end && end <= size[ref], "%s %d..%d of %d", ref, start, end, size[ref])
		}
		for _, c := range w.verify().Claims {
			for _, b := range c.Bindings {
				for _, s := range b.Spans {
					check(b.TraceRef, s.Start, s.End)
				}
			}
			for _, f := range c.Facts {
				for _, s := range f.Spans {
					check(f.TraceRef, s.Start, s.End)
				}
			}
			for _, f := range c.Findings {
				for _, p := range f.Places {
					check(p.TraceRef, p.Span.Start, p.Span.End)
				}
				require.NotEmpty(t, f.Message.EN)
				require.NotEmpty(t, f.Message.ZH)
			}
		}
	}
}

func TestReportJSONHasNoNullArraysAndRoundTrips(t *testing.T) {
	for _, rep := range []gate.Report{gate.Verify(gate.Input{}, gate.Policy{}), mixed(1).verify()} {
		data, err := json.Marshal(rep)
		require.NoError(t, err)
		for _, key := range []string{"causes", "claims", "findings", "bindings", "facts", "spans", "places", "extra_facts", "sentences"} {
			require.NotContains(t, string(data), fmt.Sprintf("%q:null", key))
		}
		var back gate.Report
		require.NoError(t, json.Unmarshal(data, &back))
		again, err := json.Marshal(back)
		require.NoError(t, err)
		require.JSONEq(t, string(data), string(again))
	}
}

func FuzzVerify(f *testing.F) {
	f.Add("Pod web-1 重启 3 次", "web-1  3", "NAME RESTARTS\nweb-1  3\n", `{"pod":"web-1"}`, "trace-1")
	f.Add("约 50%（10:15）", "… x … y", `{"a":[1,2,{"b":"\u0000"}]}`, `null`, "")
	f.Add("\xff没有 X", "\x00", "\xff\xfe", `{`, "trace-9")
	f.Fuzz(func(t *testing.T, text, excerpt, output, args, ref string) {
		tr := call(1, "query_logs", args, output)
		b := bind(tr, excerpt)
		b.SourceID = ref
		rep := verify([]trace.Trace{tr, call(2, "kubectl_get", "{}", excerpt)}, claimOf(text, b))
		require.Len(t, rep.Claims, 1)
		for _, x := range rep.Claims[0].Facts {
			require.True(t, x.Start >= 0 && x.Start <= x.End && x.End <= len(text))
			for _, s := range x.Spans {
				require.True(t, s.Start >= 0 && s.Start <= s.End)
			}
		}
		_, err := json.Marshal(rep)
		require.NoError(t, err)
	})
}
