package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// certExpiry: an agent renews the certificate of risk-engine on disk in time, but risk-engine read it once, at its
// start, and goes on with the old one. When that expires, each new connection fails, while a client that keeps its
// connection open notices nothing.
var certExpiry = scenario{
	title:    "风控调用失败",
	query:    "北京时间 %s 起下单全部转人工审核，风控调用报错，请定位根因",
	services: []string{"checkout", "settlement", "risk-engine", "cert-agent"},
	duration: 110 * time.Second,
	run: func(ctx context.Context, rec *recording, d time.Duration) (time.Time, error) {
		return runCertExpiry(ctx, rec, certConfig{
			duration: d, expiresAfter: 60 * time.Second, renewBefore: 20 * time.Second,
			orderEvery: 200 * time.Millisecond, settleEvery: 2 * time.Second, tickEvery: 5 * time.Second,
		})
	},
}

// certConfig sets the paces of the scenario.
type certConfig struct {
	duration     time.Duration // of the load
	expiresAfter time.Duration // what is left to the first certificate at the start
	renewBefore  time.Duration // the agent renews when less is left
	orderEvery   time.Duration // mean time between orders of checkout
	settleEvery  time.Duration // between calls of settlement
	tickEvery    time.Duration // status lines, checks of the agent and scrapes
}

// riskHost is the name of the service in URLs and in its certificate. Dialers send it to a port on loopback.
const riskHost = "risk-engine"

// certLifetime is that of each certificate from its first day on.
const certLifetime = 90 * 24 * time.Hour

// runCertExpiry plays the scenario and returns when the calls of checkout began to fail.
func runCertExpiry(ctx context.Context, rec *recording, cfg certConfig) (began time.Time, err error) {
	logs := make(map[string]io.Writer)
	for _, name := range []string{"checkout.jsonl", "settlement.log", "risk-engine.log", "cert-agent.log"} {
		if logs[name], err = rec.create(name); err != nil {
			return began, err
		}
	}
	dir, err := os.MkdirTemp("", "cert-expiry-")
	if err != nil {
		return began, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	agent, err := newCertAgent(&textLog{w: logs["cert-agent.log"], pod: "cert-agent-0"}, dir, cfg)
	if err != nil {
		return began, err
	}
	engine, err := startRiskEngine(&textLog{w: logs["risk-engine.log"], pod: "risk-engine-6f5d8c7b9d-t4r8k"}, dir)
	if err != nil {
		return began, err
	}
	defer func() { _ = engine.server.Close() }()

	checkout := newRiskClient(engine.addr, agent.ca.roots(), false)
	settlement := newRiskClient(engine.addr, agent.ca.roots(), true)
	pages := []struct {
		job, pod string
		reg      *prometheus.Registry
	}{
		{"checkout", "checkout-7b6d9f8c5-w2n6p", checkout.reg},
		{"settlement", "settlement-58c4b7d6f9-k9j3x", settlement.reg},
		{"risk-engine", engine.log.pod, engine.reg},
		{"cert-agent", agent.log.pod, agent.reg},
	}
	for _, p := range pages {
		page := httptest.NewServer(promhttp.HandlerFor(p.reg, promhttp.HandlerOpts{}))
		defer page.Close()
		rec.metrics.targets = append(rec.metrics.targets, target{p.job, p.pod + ":9090", page.URL})
	}

	ctx, cancel := context.WithTimeout(ctx, cfg.duration)
	defer cancel()
	var load sync.WaitGroup
	load.Go(func() { agent.run(ctx, cfg) })
	load.Go(func() { engine.report(ctx, cfg.tickEvery) })
	load.Go(func() {
		takeOrders(ctx, jsonLog(logs["checkout.jsonl"], "checkout", pages[0].pod), checkout, cfg.orderEvery)
	})
	load.Go(func() {
		settle(ctx, &textLog{w: logs["settlement.log"], pod: pages[1].pod}, settlement, cfg.settleEvery)
	})
	err = rec.metrics.run(ctx, cfg.tickEvery)
	load.Wait()
	if err = errors.Join(err, rec.metrics.scrape(time.Now())); err != nil {
		return began, err
	}
	return checkout.onset.time()
}

// certAgent keeps the certificate on disk fresh. It has no way to tell anybody.
type certAgent struct {
	log   *textLog
	ca    *authority
	dir   string
	cert  *x509.Certificate // on disk
	reg   *prometheus.Registry
	until prometheus.Gauge
}

// newCertAgent writes a first certificate that is near its end.
func newCertAgent(log *textLog, dir string, cfg certConfig) (*certAgent, error) {
	ca, err := newAuthority()
	if err != nil {
		return nil, err
	}
	a := &certAgent{log: log, ca: ca, dir: dir, reg: prometheus.NewRegistry()}
	a.until = promauto.With(a.reg).NewGauge(prometheus.GaugeOpts{
		Name: "cert_agent_not_after_timestamp_seconds", Help: "End of the certificate on disk, Unix time."})
	return a, a.issue(time.Now().Add(cfg.expiresAfter))
}

func (a *certAgent) issue(until time.Time) (err error) {
	a.cert, err = a.ca.issue(a.dir, riskHost, until.Add(-certLifetime), until)
	if err == nil {
		a.until.Set(float64(a.cert.NotAfter.Unix()))
	}
	return err
}

// run checks the certificate until ctx ends and renews it in time.
func (a *certAgent) run(ctx context.Context, cfg certConfig) {
	a.log.info("cert-agent 启动 file=%s renew_before=%s post_hook=none", certFile, cfg.renewBefore)
	for {
		left := time.Until(a.cert.NotAfter)
		a.log.info("证书检查 file=%s %s remaining=%s", certFile, describe(a.cert), left.Truncate(time.Second))
		if left < cfg.renewBefore {
			old := a.cert
			if err := a.issue(time.Now().Add(certLifetime)); err != nil {
				a.log.error("证书续期失败 file=%s: %v", certFile, err)
			} else {
				a.log.info("证书续期成功 file=%s old_serial=%x new_%s", certFile, old.SerialNumber, describe(a.cert))
				a.log.warn("未配置续期后钩子 post_hook=none，不通知使用方 file=%s", certFile)
			}
		}
		if !pause(ctx, cfg.tickEvery) {
			return
		}
	}
}

// riskEngine is an HTTPS server. It holds the defect of the scenario: it reads its certificate once.
type riskEngine struct {
	log    *textLog
	cert   *x509.Certificate // in use
	addr   string
	server *http.Server
	checks atomic.Int64
	failed atomic.Int64 // handshakes
	reg    *prometheus.Registry
}

func startRiskEngine(tl *textLog, dir string) (*riskEngine, error) {
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, certFile), filepath.Join(dir, keyFile))
	if err != nil {
		return nil, err
	}
	e := &riskEngine{log: tl, cert: pair.Leaf, reg: prometheus.NewRegistry()}
	f := promauto.With(e.reg)
	f.NewGauge(prometheus.GaugeOpts{
		Name: "risk_engine_tls_not_after_timestamp_seconds", Help: "End of the certificate in use, Unix time.",
	}).Set(float64(e.cert.NotAfter.Unix()))
	f.NewCounterFunc(prometheus.CounterOpts{Name: "risk_engine_checks_total", Help: "Risk checks answered."},
		func() float64 { return float64(e.checks.Load()) })
	f.NewCounterFunc(prometheus.CounterOpts{Name: "risk_engine_tls_handshake_errors_total", Help: "Failed TLS handshakes."},
		func() float64 { return float64(e.failed.Load()) })
	tl.info("risk-engine 启动 version=1.9.2，加载 TLS 证书 file=%s %s", certFile, describe(e.cert))

	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	e.addr = ln.Addr().String()
	e.server = &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(time.Duration(2+rand.IntN(15)) * time.Millisecond) // stands for the scoring
			e.checks.Add(1)
			w.WriteHeader(http.StatusNoContent)
		}),
		TLSConfig:         &tls.Config{Certificates: []tls.Certificate{pair}},
		ReadHeaderTimeout: 5 * time.Second,
		ErrorLog:          log.New(e, "", 0),
	}
	go func() { _ = e.server.ServeTLS(ln, "", "") }() // returns when the server is closed
	return e, nil
}

// Write takes one line of the server's error log: a failed handshake.
func (e *riskEngine) Write(line []byte) (int, error) {
	e.failed.Add(1)
	e.log.warn("%s", strings.TrimSpace(string(line)))
	return len(line), nil
}

// report logs the state of the server every interval.
func (e *riskEngine) report(ctx context.Context, every time.Duration) {
	for pause(ctx, every) {
		e.log.info("运行状态 in_use_%s checks=%d handshake_errors=%d", describe(e.cert), e.checks.Load(), e.failed.Load())
	}
}

// riskClient calls risk-engine.
type riskClient struct {
	http  *http.Client
	reg   *prometheus.Registry
	calls *prometheus.CounterVec
	onset onset // of failed calls
}

// newRiskClient returns a client that keeps its connection open, or dials for each call.
func newRiskClient(addr string, roots *x509.CertPool, keepAlive bool) *riskClient {
	dialer := &net.Dialer{Timeout: time.Second}
	c := &riskClient{reg: prometheus.NewRegistry(), http: &http.Client{
		Timeout: 2 * time.Second,
		Transport: &http.Transport{
			TLSClientConfig:   &tls.Config{RootCAs: roots},
			DisableKeepAlives: !keepAlive,
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return dialer.DialContext(ctx, network, addr)
			},
		},
	}}
	c.calls = promauto.With(c.reg).NewCounterVec(prometheus.CounterOpts{
		Name: "risk_client_calls_total", Help: "Calls of risk-engine, by result."}, []string{"result"})
	return c
}

// check asks for one risk check.
func (c *riskClient) check() (took time.Duration, err error) {
	start := time.Now()
	resp, err := c.http.Post("https://"+riskHost+":8443/v1/check", "application/json", nil)
	took = time.Since(start)
	if err == nil {
		err = resp.Body.Close()
	}
	result := "ok"
	if err != nil {
		result = "error"
		if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
			result = "tls_error"
		}
	}
	c.calls.WithLabelValues(result).Inc()
	c.onset.note(start, err != nil)
	return took, err
}

// takeOrders checks one order after the other; an order that cannot be checked goes to a person.
func takeOrders(ctx context.Context, log *slog.Logger, risk *riskClient, every time.Duration) {
	log.Info("服务启动", "version", "3.4.0", "risk_url", "https://"+riskHost+":8443", "keep_alive", false)
	for n := 1; pause(ctx, time.Duration(rand.ExpFloat64()*float64(every))); n++ {
		order := log.With("trace_id", fmt.Sprintf("%016x", rand.Uint64()), "order_id", fmt.Sprintf("CO-%05d", n))
		took, err := risk.check()
		if err != nil {
			order.Error("风控调用失败，订单转人工审核", "err", err.Error(), "duration_ms", took.Milliseconds())
			continue
		}
		order.Info("order approved", "duration_ms", took.Milliseconds())
	}
}

// settle checks a batch now and then over one connection that stays open.
func settle(ctx context.Context, log *textLog, risk *riskClient, every time.Duration) {
	log.info("settlement 启动 risk_url=https://%s:8443 keep_alive=true", riskHost)
	for n := 1; pause(ctx, every); n++ {
		took, err := risk.check()
		if err != nil {
			log.error("结算批次风控复核失败 batch=%d: %v", n, err)
			continue
		}
		log.info("结算批次风控复核通过 batch=%d elapsed=%dms", n, took.Milliseconds())
	}
}

// describe names a certificate in a log line.
func describe(c *x509.Certificate) string {
	return fmt.Sprintf("serial=%x not_after=%s", c.SerialNumber, c.NotAfter.UTC().Format(time.RFC3339))
}
