package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// traceHeader carries the trace id of a request from the gateway on.
const traceHeader = "X-Trace-Id"

// gateway is a reverse proxy in front of one service: it gives each request a trace id, bounds its time and writes an
// access log.
type gateway struct {
	log      *textLog
	upstream string // name for the log
	timeout  time.Duration
	proxy    *httputil.ReverseProxy
	mux      *http.ServeMux

	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	onset    onset // of 5xx answers
}

func newGateway(log *textLog, upstream string, at *url.URL, timeout time.Duration) *gateway {
	reg := prometheus.NewRegistry()
	f := promauto.With(reg)
	g := &gateway{
		log: log, upstream: upstream, timeout: timeout, mux: http.NewServeMux(),
		requests: f.NewCounterVec(prometheus.CounterOpts{
			Name: "gateway_requests_total", Help: "Requests answered, by path and status code."}, []string{"path", "code"}),
		latency: f.NewHistogramVec(prometheus.HistogramOpts{
			Name: "gateway_request_duration_seconds", Help: "Time to answer, by path.",
			Buckets: []float64{.05, .1, .25, .5, 1, 2.5, 5}}, []string{"path"}),
	}
	g.proxy = &httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { r.SetURL(at) },
		ErrorHandler: g.upstreamFailed,
	}
	g.mux.Handle("GET /metrics", promhttp.HandlerFor(reg, promhttp.HandlerOpts{}))
	g.mux.Handle("/", g)
	return g
}

// ServeHTTP passes one request on.
func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	trace := fmt.Sprintf("%016x", rand.Uint64())
	r.Header.Set(traceHeader, trace)
	w.Header().Set(traceHeader, trace)
	ctx, cancel := context.WithTimeout(r.Context(), g.timeout)
	defer cancel()
	sw := &statusWriter{ResponseWriter: w}
	g.proxy.ServeHTTP(sw, r.WithContext(ctx))

	took := time.Since(start)
	g.log.info("access trace=%s %q status=%d upstream=%s rt=%.3fs",
		trace, r.Method+" "+r.URL.RequestURI(), sw.status, g.upstream, took.Seconds())
	g.requests.WithLabelValues(r.URL.Path, fmt.Sprint(sw.status)).Inc()
	g.latency.WithLabelValues(r.URL.Path).Observe(took.Seconds())
	g.onset.note(start, sw.status >= 500)
}

// upstreamFailed answers for an upstream that gave no answer.
func (g *gateway) upstreamFailed(w http.ResponseWriter, r *http.Request, err error) {
	status, what := http.StatusBadGateway, "upstream error"
	if errors.Is(err, context.DeadlineExceeded) {
		status, what = http.StatusGatewayTimeout, "upstream timed out"
	}
	g.log.error("%s: %v, trace=%s upstream=%s path=%s timeout=%s",
		what, err, r.Header.Get(traceHeader), g.upstream, r.URL.Path, g.timeout)
	w.WriteHeader(status)
}

// statusWriter remembers the status that was sent.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}
