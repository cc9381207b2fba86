package metrics

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sort"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"

	"claimscope/engine/tool"
)

// maxFile bounds one metrics file, in bytes.
const maxFile = 256 << 20

// series is all samples of a folder, in memory. It is the engine's storage.
type series struct {
	all  []*oneSeries // sorted by labels
	last time.Time
}

type oneSeries struct {
	labels  labels.Labels
	samples []chunks.Sample // by time
}

// loadSeries reads every OpenMetrics file of the folder. An error names the file
// and what the parser saw.
func loadSeries(files fs.FS) (*series, error) {
	byLabels := map[string]*oneSeries{}
	names, err := tool.Files(files)
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	for _, name := range names {
		if err := readFile(files, name, byLabels); err != nil {
			return nil, fmt.Errorf("metrics: %w", err)
		}
	}
	s := &series{}
	for _, one := range byLabels {
		sort.SliceStable(one.samples, func(i, j int) bool { return one.samples[i].T() < one.samples[j].T() })
		one.samples = slices.CompactFunc(one.samples, func(a, b chunks.Sample) bool { return a.T() == b.T() })
		if t := time.UnixMilli(one.samples[len(one.samples)-1].T()); t.After(s.last) {
			s.last = t
		}
		s.all = append(s.all, one)
	}
	sort.Slice(s.all, func(i, j int) bool { return labels.Compare(s.all[i].labels, s.all[j].labels) < 0 })
	return s, nil
}

func readFile(files fs.FS, name string, into map[string]*oneSeries) error {
	f, err := files.Open(name)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(data) > maxFile {
		return fmt.Errorf("%s: larger than %d bytes", name, maxFile)
	}
	return parse(name, data, into)
}

func parse(name string, data []byte, into map[string]*oneSeries) error {
	p := textparse.NewOpenMetricsParser(data, labels.NewSymbolTable())
	for {
		entry, err := p.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: no OpenMetrics text: %w", name, err)
		}
		if entry != textparse.EntrySeries {
			continue
		}
		text, ms, value := p.Series()
		if ms == nil {
			return fmt.Errorf("%s: a sample has no timestamp: %.80s", name, text)
		}
		var l labels.Labels
		p.Labels(&l)
		key := l.String()
		one, ok := into[key]
		if !ok {
			one = &oneSeries{labels: l}
			into[key] = one
		}
		one.samples = append(one.samples, sample{ms: *ms, value: value})
	}
}

// sample is a float at a time, in milliseconds since the epoch.
type sample struct {
	ms    int64
	value float64
}

// The engine's view of a sample. Only floats are kept.
func (s sample) T() int64                      { return s.ms }
func (s sample) ST() int64                     { return 0 }
func (s sample) F() float64                    { return s.value }
func (s sample) H() *histogram.Histogram       { return nil }
func (s sample) FH() *histogram.FloatHistogram { return nil }
func (s sample) Type() chunkenc.ValueType      { return chunkenc.ValFloat }
func (s sample) Copy() chunks.Sample           { return s }

// Querier gives the samples between mint and maxt, both in milliseconds.
func (s *series) Querier(mint, maxt int64) (storage.Querier, error) {
	return &querier{series: s, mint: mint, maxt: maxt}, nil
}

type querier struct {
	series     *series
	mint, maxt int64
}

func (q *querier) Select(_ context.Context, _ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	set := &seriesSet{at: -1}
	for _, one := range q.series.all {
		if !matches(one.labels, matchers) {
			continue
		}
		from, _ := slices.BinarySearchFunc(one.samples, q.mint, func(s chunks.Sample, t int64) int { return int(s.T() - t) })
		to := from
		for to < len(one.samples) && one.samples[to].T() <= q.maxt {
			to++
		}
		if from < to {
			set.series = append(set.series, storage.NewListSeries(one.labels, one.samples[from:to]))
		}
	}
	return set
}

func matches(l labels.Labels, matchers []*labels.Matcher) bool {
	for _, m := range matchers {
		if !m.Matches(l.Get(m.Name)) {
			return false
		}
	}
	return true
}

func (q *querier) LabelValues(context.Context, string, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil // the engine never asks
}

func (q *querier) LabelNames(context.Context, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil // the engine never asks
}

func (q *querier) Close() error { return nil }

type seriesSet struct {
	series []storage.Series
	at     int
}

func (s *seriesSet) Next() bool                        { s.at++; return s.at < len(s.series) }
func (s *seriesSet) At() storage.Series                { return s.series[s.at] }
func (s *seriesSet) Err() error                        { return nil }
func (s *seriesSet) Warnings() annotations.Annotations { return nil }
