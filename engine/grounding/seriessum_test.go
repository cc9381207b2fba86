package grounding

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two choices of rows with the same ends, length and total of offsets have sums of their own.
func TestSumTellsPartsOfOneColumnApart(t *testing.T) {
	f := NewFacts(NewText([]byte("1\n2\n4\n8\n9\n7\n")))
	ns := f.Numbers()
	require.Len(t, ns, 6)
	at := func(index ...int) (out []Number) {
		for _, i := range index {
			out = append(out, ns[i])
		}
		return out
	}
	assert.Equal(t, big.NewRat(1+2+9+7, 1), f.Sum(at(0, 1, 4, 5)))
	assert.Equal(t, big.NewRat(1+4+8+7, 1), f.Sum(at(0, 2, 3, 5)))
}

// A position in a list under a key has its own series, whichever is asked for first.
func TestSeriesOfListPositions(t *testing.T) {
	const text = `[{"p":[10,20]},{"p":[30,40]}]`
	numbers := func(f *Facts, offset int) (out [][]float64) {
		for _, series := range f.Series(offset) {
			var vs []float64
			for _, n := range series {
				vs = append(vs, n.Float)
			}
			out = append(out, vs)
		}
		return out
	}
	first, second := strings.Index(text, "10"), strings.Index(text, "20")
	fresh := numbers(NewFacts(NewText([]byte(text))), second)
	f := NewFacts(NewText([]byte(text)))
	assert.Contains(t, numbers(f, first), []float64{10, 30})
	assert.Equal(t, fresh, numbers(f, second))
}

// NaN and infinities, which monitors print among their samples, are no numbers of a series.
func TestSeriesWithoutNaN(t *testing.T) {
	f := NewFacts(NewText([]byte(`[[0,NaN],[1,"Inf"],[2,-],[3,1],[4,2]]`)))
	columns := f.Columns(4)
	require.Len(t, columns, 2, "the indexes and the values")
	require.Len(t, columns[1], 2)
	assert.Equal(t, big.NewRat(3, 1), f.Sum(columns[1]))
}
