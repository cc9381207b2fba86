package main

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	_ "modernc.org/sqlite" // the database
)

// seededOrders is the size of the payments table at the start. Of the first 2,000 orders every second is refunded.
const seededOrders = 60_000

// paymentAPI is the service that breaks: three routes over one connection pool. Its refund handler loses a connection
// each time it rejects a refund.
type paymentAPI struct {
	log   *slog.Logger
	cfg   poolConfig
	pool  *pool
	probe *sql.DB // a connection outside the pool: tells an ill database from an exhausted pool
	mux   *http.ServeMux
	paid  atomic.Int64 // orders paid so far; numbers new ones

	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	rejected prometheus.Counter
	probed   prometheus.Gauge
}

// handlerFunc serves one request of a route: the status to answer, and the error to log if there is one.
type handlerFunc func(ctx context.Context, log *slog.Logger, r *http.Request) (status int, err error)

// newPaymentAPI opens and fills a database in dir.
func newPaymentAPI(log *slog.Logger, cfg poolConfig, dir string) (*paymentAPI, error) {
	dsn := "file:" + filepath.Join(dir, "payment.db") +
		"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)"
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(cfg.maxOpen)
	db.SetMaxIdleConns(5)
	probe, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	probe.SetMaxOpenConns(1)
	a := &paymentAPI{log: log, cfg: cfg, pool: newPool(db), probe: probe, mux: http.NewServeMux()}
	if err := a.seed(); err != nil {
		return nil, fmt.Errorf("seed: %w", err)
	}
	a.instrument()
	a.route("POST /v1/pay", a.pay)
	a.route("POST /v1/refund", a.refund)
	a.route("GET /v1/report", a.report)
	log.Info("服务启动", "version", "2.14.3", "db_max_open_conns", cfg.maxOpen, "request_timeout_ms",
		cfg.requestTimeout.Milliseconds(), "held_warn_ms", cfg.heldWarn.Milliseconds())
	return a, nil
}

func (a *paymentAPI) seed() error {
	_, err := a.pool.db.Exec(`
		CREATE TABLE payments (order_id TEXT PRIMARY KEY, amount_cents INTEGER, merchant INTEGER, status TEXT);
		WITH RECURSIVE seq(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM seq WHERE n < ?)
		INSERT INTO payments SELECT printf('ORD-%06d', n), 100 + n*37%90000, n%400,
			CASE WHEN n <= 2000 AND n%2 = 0 THEN 'refunded' ELSE 'paid' END FROM seq`, seededOrders)
	return err
}

// instrument puts the metrics of the service on GET /metrics.
func (a *paymentAPI) instrument() {
	reg := prometheus.NewRegistry()
	reg.MustRegister(collectors.NewDBStatsCollector(a.pool.db, "payment"))
	f := promauto.With(reg)
	a.requests = f.NewCounterVec(prometheus.CounterOpts{
		Name: "http_requests_total", Help: "Requests served, by route and status code."}, []string{"handler", "code"})
	a.latency = f.NewHistogramVec(prometheus.HistogramOpts{
		Name: "http_request_duration_seconds", Help: "Time to serve a request, by route.",
		Buckets: []float64{.05, .1, .25, .5, 1, 2.5, 5}}, []string{"handler"})
	a.rejected = f.NewCounter(prometheus.CounterOpts{
		Name: "payment_refunds_rejected_total", Help: "Refunds rejected because the order was refunded already."})
	a.probed = f.NewGauge(prometheus.GaugeOpts{
		Name: "payment_db_probe_seconds", Help: "Time of the last query of the database probe, outside the pool."})
	for _, route := range []string{"POST /v1/pay", "POST /v1/refund", "GET /v1/report"} {
		f.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "payment_db_connections_held", Help: "Connections taken from the pool and not returned, by route.",
			ConstLabels: prometheus.Labels{"handler": route},
		}, func() float64 { return float64(a.pool.heldBy(route)) })
	}
	a.mux.Handle("GET /metrics", promhttp.HandlerFor(reg, promhttp.HandlerOpts{}))
}

// route serves pattern with h: deadline, metrics, one log line per request and one more per error. The deadline is the
// service's own: a payment must not be left half done because the caller hung up.
func (a *paymentAPI) route(pattern string, h handlerFunc) {
	a.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), a.cfg.requestTimeout)
		defer cancel()
		log := a.log.With("trace_id", r.Header.Get(traceHeader))
		status, err := h(ctx, log, r)
		elapsed := time.Since(start)
		if err != nil {
			stats := a.pool.db.Stats()
			log.Error("请求失败", "handler", pattern, "err", err.Error(), "waited_ms", elapsed.Milliseconds(),
				"pool_in_use", stats.InUse, "pool_max_open", stats.MaxOpenConnections)
		}
		level := slog.LevelInfo
		if status >= 500 {
			level = slog.LevelWarn
		}
		log.Log(ctx, level, "request completed", "handler", pattern, "status", status,
			"duration_ms", elapsed.Milliseconds())
		a.requests.WithLabelValues(pattern, fmt.Sprint(status)).Inc()
		a.latency.WithLabelValues(pattern).Observe(elapsed.Seconds())
		w.WriteHeader(status)
	})
}

// pay authorises and books a new order. The wait stands for the acquirer's answer.
func (a *paymentAPI) pay(ctx context.Context, _ *slog.Logger, r *http.Request) (int, error) {
	c, err := a.pool.acquire(ctx, r.Pattern, r.Header.Get(traceHeader))
	if err != nil {
		return http.StatusServiceUnavailable, err
	}
	defer c.release()
	time.Sleep(time.Duration(20+rand.IntN(60)) * time.Millisecond)
	n := seededOrders + a.paid.Add(1)
	_, err = c.ExecContext(ctx, `INSERT INTO payments VALUES (?, ?, ?, 'paid')`,
		fmt.Sprintf("ORD-%06d", n), 100+rand.IntN(90_000), n%400)
	if err != nil {
		return http.StatusInternalServerError, fmt.Errorf("book payment: %w", err)
	}
	return http.StatusOK, nil
}

// refund pays an order back once. It holds the defect of the scenario: the return for an order that was refunded
// already skips c.release, which a defer would have done.
func (a *paymentAPI) refund(ctx context.Context, log *slog.Logger, r *http.Request) (int, error) {
	order := r.FormValue("order")
	c, err := a.pool.acquire(ctx, r.Pattern, r.Header.Get(traceHeader))
	if err != nil {
		return http.StatusServiceUnavailable, err
	}
	var status string
	if err := c.QueryRowContext(ctx, `SELECT status FROM payments WHERE order_id = ?`, order).Scan(&status); err != nil {
		c.release()
		return http.StatusInternalServerError, fmt.Errorf("refund lookup: %w", err)
	}
	if status == "refunded" {
		log.Warn("退款被拒绝：订单已退款，提前返回", "order_id", order, "conn_id", c.id)
		a.rejected.Inc()
		return http.StatusConflict, nil
	}
	_, err = c.ExecContext(ctx, `UPDATE payments SET status = 'refunded' WHERE order_id = ?`, order)
	c.release()
	if err != nil {
		return http.StatusInternalServerError, fmt.Errorf("book refund: %w", err)
	}
	log.Info("退款成功", "order_id", order, "conn_id", c.id)
	return http.StatusOK, nil
}

// report sums up all payments: the one slow query of the service.
func (a *paymentAPI) report(ctx context.Context, log *slog.Logger, r *http.Request) (int, error) {
	c, err := a.pool.acquire(ctx, r.Pattern, r.Header.Get(traceHeader))
	if err != nil {
		return http.StatusServiceUnavailable, err
	}
	defer c.release()
	start := time.Now()
	var merchants, cents int64
	err = c.QueryRowContext(ctx, `SELECT count(*), sum(total) FROM
		(SELECT merchant, sum(amount_cents) AS total FROM payments GROUP BY merchant)`).Scan(&merchants, &cents)
	if err != nil {
		return http.StatusInternalServerError, fmt.Errorf("report: %w", err)
	}
	if took := time.Since(start); took > a.cfg.slowQuery {
		log.Warn("慢查询", "sql", "SELECT merchant, sum(amount_cents) FROM payments GROUP BY merchant",
			"elapsed_ms", took.Milliseconds(), "rows", merchants)
	}
	return http.StatusOK, nil
}

// watch logs the state of the pool and of the database every interval, and each connection once that is held too long.
func (a *paymentAPI) watch(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		all, fresh := a.pool.heldLongerThan(a.cfg.heldWarn)
		for _, c := range fresh {
			a.log.Warn("数据库连接长时间未归还", "conn_id", c.id, "handler", c.handler, "caller", c.caller,
				"trace_id", c.traceID, "acquired_at", c.since, "held_ms", time.Since(c.since).Milliseconds())
		}
		s := a.pool.db.Stats()
		a.log.Info("连接池状态", "max_open", s.MaxOpenConnections, "open", s.OpenConnections, "in_use", s.InUse,
			"idle", s.Idle, "wait_count", s.WaitCount, "wait_ms_total", s.WaitDuration.Milliseconds(), "held_long", len(all))
		a.probeOnce(ctx)
	}
}

// probeOnce asks the database a small question outside the pool.
func (a *paymentAPI) probeOnce(ctx context.Context) {
	start := time.Now()
	var n int
	err := a.probe.QueryRowContext(ctx, `SELECT count(*) FROM payments WHERE order_id = 'ORD-000001'`).Scan(&n)
	took := time.Since(start)
	if err != nil {
		a.log.Error("数据库探活失败", "err", err.Error(), "elapsed_ms", took.Milliseconds())
		return
	}
	a.probed.Set(took.Seconds())
	a.log.Info("数据库探活正常", "elapsed_ms", float64(took.Microseconds())/1000)
}

// close closes the database with whatever is still held.
func (a *paymentAPI) close() {
	_ = a.pool.db.Close()
	_ = a.probe.Close()
}
