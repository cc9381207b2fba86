package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"sync"
	"time"
)

// paymentPool: customers pay through a gateway; a worker replays refund messages, of which every second was handled
// already; each of those costs payment-api one connection of its pool, until none is left.
var paymentPool = scenario{
	title:    "支付服务超时",
	query:    "支付接口从北京时间 %s 左右开始大量超时，请定位根因",
	services: []string{"payment-api", "gateway", "order-worker"},
	duration: 170 * time.Second,
	run: func(ctx context.Context, rec *recording, d time.Duration) (time.Time, error) {
		return runPaymentPool(ctx, rec, poolConfig{
			maxOpen: 20, requestTimeout: 3 * time.Second, gatewayTimeout: 2500 * time.Millisecond,
			heldWarn: 10 * time.Second, slowQuery: 30 * time.Millisecond,
			duration: d, batchAfter: 25 * time.Second, payEvery: 180 * time.Millisecond,
			refundEvery: 2 * time.Second, reportEvery: 20 * time.Second, watchEvery: 5 * time.Second,
		})
	},
}

// poolConfig sets the sizes and paces of the scenario.
type poolConfig struct {
	maxOpen        int           // connections of the pool
	requestTimeout time.Duration // of payment-api, waiting for a connection included
	gatewayTimeout time.Duration // of the gateway, for payment-api
	heldWarn       time.Duration // a connection held longer is logged
	slowQuery      time.Duration // a query that takes longer is logged

	duration    time.Duration // of the load
	batchAfter  time.Duration // the worker starts replaying refunds
	payEvery    time.Duration // mean time between payments
	refundEvery time.Duration // between refunds of the worker
	reportEvery time.Duration
	watchEvery  time.Duration // pool log lines and scrapes
}

const (
	apiPod     = "payment-api-6c8d7f9b54-q7xk2"
	gatewayPod = "gateway-74f8c6d9b8-h5wzn"
	workerPod  = "order-worker-5b7c9d8f6c-m2vzl"
)

// runPaymentPool plays the scenario and returns when the gateway began to answer with errors.
func runPaymentPool(ctx context.Context, rec *recording, cfg poolConfig) (began time.Time, err error) {
	logs := make(map[string]io.Writer)
	for _, name := range []string{"payment-api.jsonl", "gateway.log", "order-worker.log"} {
		if logs[name], err = rec.create(name); err != nil {
			return began, err
		}
	}
	dir, err := os.MkdirTemp("", "payment-pool-")
	if err != nil {
		return began, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	api, err := newPaymentAPI(jsonLog(logs["payment-api.jsonl"], "payment-api", apiPod), cfg, dir)
	if err != nil {
		return began, err
	}
	defer api.close()
	apiServer := httptest.NewServer(api.mux)
	defer apiServer.Close()
	apiURL, err := url.Parse(apiServer.URL)
	if err != nil {
		return began, err
	}
	gw := newGateway(&textLog{w: logs["gateway.log"], pod: gatewayPod}, "payment-api:8080", apiURL, cfg.gatewayTimeout)
	gwServer := httptest.NewServer(gw.mux)
	defer gwServer.Close()

	rec.metrics.targets = []target{
		{"payment-api", apiPod + ":9090", apiServer.URL + "/metrics"},
		{"gateway", gatewayPod + ":9090", gwServer.URL + "/metrics"},
	}
	ctx, cancel := context.WithTimeout(ctx, cfg.duration)
	defer cancel()
	var load sync.WaitGroup
	load.Go(func() { api.watch(ctx, cfg.watchEvery) })
	load.Go(func() { customers(ctx, gwServer.URL, cfg) })
	w := worker{log: &textLog{w: logs["order-worker.log"], pod: workerPod}, gateway: gwServer.URL}
	load.Go(func() { w.replayRefunds(ctx, cfg) })
	load.Go(func() { w.fetchReports(ctx, cfg) })
	err = rec.metrics.run(ctx, cfg.watchEvery)
	load.Wait()
	pause(context.Background(), cfg.requestTimeout-cfg.gatewayTimeout) // for the requests that outlive their callers
	if err = errors.Join(err, rec.metrics.scrape(time.Now())); err != nil {
		return began, err
	}
	return gw.onset.time()
}

// customers pay at random intervals, and at every 25th call ask for a refund of an order that was not refunded before.
// They return when ctx has ended and all calls were answered.
func customers(ctx context.Context, gateway string, cfg poolConfig) {
	var calls sync.WaitGroup
	defer calls.Wait()
	for n := 1; ; n++ {
		path := "/v1/pay"
		if n%25 == 0 {
			path = fmt.Sprintf("/v1/refund?order=ORD-%06d", 5000+n)
		}
		calls.Go(func() { _ = call(http.MethodPost, gateway+path) }) // the gateway's log tells what came of it
		if !pause(ctx, time.Duration(rand.ExpFloat64()*float64(cfg.payEvery))) {
			return
		}
	}
}

// worker is the background component beside the service.
type worker struct {
	log     *textLog
	gateway string
}

// replayRefunds sends the refunds of orders 1001, 1002, … of which the even ones were refunded already.
func (w *worker) replayRefunds(ctx context.Context, cfg poolConfig) {
	w.log.info("order-worker 启动，等待退款补偿消息 topic=refund-compensate")
	if !pause(ctx, cfg.batchAfter) {
		return
	}
	w.log.info("退款补偿批次开始 batch=rc-01 source=mq-replay interval=%s", cfg.refundEvery)
	for n := 1001; ; n++ {
		order := fmt.Sprintf("ORD-%06d", n)
		w.report("退款", order, call(http.MethodPost, w.gateway+"/v1/refund?order="+order))
		if !pause(ctx, cfg.refundEvery) {
			return
		}
	}
}

// fetchReports asks for the payment report now and then.
func (w *worker) fetchReports(ctx context.Context, cfg poolConfig) {
	for pause(ctx, cfg.reportEvery) {
		w.report("对账报表", "daily", call(http.MethodGet, w.gateway+"/v1/report"))
	}
}

// report logs what came of a call.
func (w *worker) report(what, id string, a answer) {
	level, outcome := slog.LevelInfo, "完成"
	switch {
	case a.err != nil || a.status >= 500:
		level, outcome = slog.LevelError, "失败，放弃本条"
	case a.status >= 400:
		level, outcome = slog.LevelWarn, "被拒绝，跳过"
	}
	w.log.printf(level, "%s%s id=%s status=%d elapsed=%dms trace=%s",
		what, outcome, id, a.status, a.took.Milliseconds(), a.trace)
}

// answer is what a caller of the gateway gets.
type answer struct {
	status int
	trace  string
	took   time.Duration
	err    error // of the connection; status is 0 then
}

// call sends one request without a body.
func call(method, url string) answer {
	start := time.Now()
	req, err := http.NewRequest(method, url, nil)
	if err != nil {
		return answer{err: err}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return answer{took: time.Since(start), err: err}
	}
	_ = resp.Body.Close() // empty
	return answer{status: resp.StatusCode, trace: resp.Header.Get(traceHeader), took: time.Since(start)}
}

// pause waits for d, and reports whether ctx is still alive then.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
