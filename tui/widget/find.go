package widget

// seek is a search jump that waits for the search to come far enough.
type seek uint8

const (
	seekNone seek = iota
	seekNext
	seekPrev
)

// firstSearch is searched at once, in bytes, so that a hit nearby is shown in
// the same frame: less than a millisecond.
const firstSearch = 1 << 20

// SearchState describes a search, for a status line.
type SearchState struct {
	Query    string
	Count    int     // hits so far
	Number   int     // which of them is looked at, from 1; 0 for none
	Done     bool    // whether Count is final
	Progress float64 // searched part of the text, 0 to 1
}

// Search begins a search and goes to the first hit from the top of the screen
// on, as soon as [TextView.StepSearch] comes to it. Lower case letters match both
// cases if the query has no capital. An empty query ends the search.
func (v *TextView) Search(query string) {
	v.drawn, v.hit, v.want, v.search = nil, -1, seekNone, nil
	if query == "" {
		return
	}
	v.search = NewSearch(v.src, query, !hasCapital(query))
	v.want = seekNext
	v.StepSearch(firstSearch)
}

func hasCapital(s string) bool {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			return true
		}
	}
	return false
}

// StepSearch searches about the given number of bytes further, and reports
// whether there is more to do. 4 MB take one to four milliseconds. After
// [TextView.Append] it has more to do again.
func (v *TextView) StepSearch(budget int) (more bool) {
	if v.search == nil {
		return false
	}
	done := v.search.Step(budget)
	v.drawn = nil
	v.seek()
	return !done
}

// SearchNext goes to the next hit, from the last one to the first.
func (v *TextView) SearchNext() { v.jump(seekNext) }

// SearchPrev goes to the hit before, from the first one to the last.
func (v *TextView) SearchPrev() { v.jump(seekPrev) }

func (v *TextView) jump(where seek) {
	if v.search == nil {
		return
	}
	v.want = where
	v.seek()
}

// seek does the jump that is wanted, or leaves it for the next step.
func (v *TextView) seek() {
	if v.search == nil {
		v.want = seekNone
	}
	var hit int
	var ok, pending bool
	switch v.want {
	case seekNone:
		return
	case seekNext:
		from := v.top
		if v.hit >= 0 {
			from = v.hit + len(v.search.query)
		}
		if hit, ok, pending = v.search.Next(from); !ok && !pending {
			hit, ok, _ = v.search.Next(0)
		}
	case seekPrev:
		from := v.top
		if v.hit >= 0 {
			from = v.hit
		}
		if hit, ok = v.search.Prev(from); !ok {
			pending = !v.search.Done()
			if !pending {
				hit, ok = v.search.Last()
			}
		}
	}
	if pending {
		return
	}
	v.want = seekNone
	if ok {
		v.hit = hit
		v.Show(hit, hit+len(v.search.query))
	}
}

// SearchState returns how far the search is; ok is false without one.
func (v *TextView) SearchState() (state SearchState, ok bool) {
	s := v.search
	if s == nil {
		return SearchState{}, false
	}
	state = SearchState{Query: s.Query(), Count: s.Count(), Done: s.Done(), Progress: s.Progress()}
	if v.hit >= 0 {
		state.Number = s.Number(v.hit)
	}
	return state, true
}
