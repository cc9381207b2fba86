package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// target is one /metrics page. Its samples get the labels job and instance, as a Prometheus server would add them.
type target struct{ job, instance, url string }

// scraper polls targets as a Prometheus server does and keeps every sample with the time of its scrape.
type scraper struct {
	targets  []target
	client   *http.Client
	families map[string]*family
}

// family is a metric family over time: per label set, its samples in scrape order.
type family struct {
	head   *dto.MetricFamily // name, help and type
	series map[string][]*dto.Metric
}

func newScraper() *scraper {
	return &scraper{client: &http.Client{Timeout: 2 * time.Second}, families: map[string]*family{}}
}

// run scrapes at once and then every interval until ctx ends.
func (s *scraper) run(ctx context.Context, every time.Duration) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if err := s.scrape(time.Now()); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// scrape reads every target once. A target that does not answer is up 0, not an error; a page that cannot be parsed is.
func (s *scraper) scrape(at time.Time) error {
	for _, t := range s.targets {
		page, err := s.fetch(t.url)
		up := 1.0
		if err != nil {
			up = 0
		}
		s.add(t, at, gauge("up", "Whether the last scrape of the target succeeded.", up))
		parser := expfmt.NewTextParser(model.LegacyValidation)
		families, err := parser.TextToMetricFamilies(strings.NewReader(page))
		if err != nil {
			return fmt.Errorf("metrics of %s: %w", t.job, err)
		}
		for _, f := range families {
			s.add(t, at, f)
		}
	}
	return nil
}

func (s *scraper) fetch(url string) (string, error) {
	resp, err := s.client.Get(url)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	page, err := io.ReadAll(resp.Body)
	return string(page), err
}

// add keeps the samples of one scraped family.
func (s *scraper) add(t target, at time.Time, scraped *dto.MetricFamily) {
	f := s.families[scraped.GetName()]
	if f == nil {
		f = &family{series: map[string][]*dto.Metric{}}
		f.head = &dto.MetricFamily{Name: scraped.Name, Help: scraped.Help, Type: scraped.Type}
		s.families[scraped.GetName()] = f
	}
	for _, m := range scraped.Metric {
		m.TimestampMs = new(at.UnixMilli())
		m.Label = append([]*dto.LabelPair{label("job", t.job), label("instance", t.instance)}, m.Label...)
		key := fmt.Sprint(m.Label)
		f.series[key] = append(f.series[key], m)
	}
}

// writeTo writes all samples as OpenMetrics text: families by name, in each the series one after the other, in each
// series the samples by time. (OpenMetrics forbids mixing families or series.)
func (s *scraper) writeTo(w io.Writer) error {
	for _, name := range sortedKeys(s.families) {
		f := s.families[name]
		for _, key := range sortedKeys(f.series) {
			f.head.Metric = append(f.head.Metric, f.series[key]...)
		}
		if _, err := expfmt.MetricFamilyToOpenMetrics(w, f.head); err != nil {
			return err
		}
	}
	_, err := expfmt.FinalizeOpenMetrics(w)
	return err
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func label(name, value string) *dto.LabelPair { return &dto.LabelPair{Name: &name, Value: &value} }

func gauge(name, help string, v float64) *dto.MetricFamily {
	return &dto.MetricFamily{
		Name: &name, Help: &help, Type: dto.MetricType_GAUGE.Enum(),
		Metric: []*dto.Metric{{Gauge: &dto.Gauge{Value: &v}}},
	}
}
