package grounding

import "math"

// Reach tells from a float whether a derived value can carry a quantity at all, before it
// is computed exactly.
type Reach struct {
	values []float64 // the quantity in each unit and reading that Matches tries
}

// ReachOf prepares q. It holds for values in base units.
func ReachOf(q Quantity) Reach {
	var r Reach
	for _, u := range q.Units {
		v, _ := q.Base(u).Float64()
		own, _ := u.Factor.Float64()
		plain, _ := q.Value.Float64()
		r.values = append(r.values, v, plain, v/own, v*1e6, v*1e9)
		for _, x := range impliedUnits(u.Dim) {
			f, _ := x.Factor.Float64()
			r.values = append(r.values, v/f)
		}
	}
	return r
}

// Holds is false only where Matches is false for v, whatever the units.
func (r Reach) Holds(v float64) bool {
	for _, t := range r.values {
		if t == 0 || v == 0 {
			if math.Abs(v-t) < 1.01 {
				return true
			}
		} else if f := v / t; f > 0.3 && f < 3.3 {
			return true
		}
	}
	return false
}
