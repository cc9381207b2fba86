package main

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
)

// TestPaymentPool plays the scenario small and fast, and asks whether the recording tells the story.
func TestPaymentPool(t *testing.T) {
	dir := t.TempDir()
	rec, err := newRecording(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.close()
	start := time.Now()
	began, err := runPaymentPool(t.Context(), rec, poolConfig{
		maxOpen: 2, requestTimeout: 150 * time.Millisecond, gatewayTimeout: 100 * time.Millisecond,
		heldWarn: 50 * time.Millisecond, slowQuery: time.Hour, duration: time.Second,
		batchAfter: 50 * time.Millisecond, payEvery: 50 * time.Millisecond, refundEvery: 50 * time.Millisecond,
		reportEvery: time.Hour, watchEvery: 100 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := rec.finish(paymentPool, start, time.Now(), began); err != nil {
		t.Fatal(err)
	}
	expect(t, dir, map[string][]string{
		"logs/payment-api.jsonl": {`"max_open":2,"open":2,"in_use":2`, `"handler":"POST /v1/refund","caller":"payment.go:`, "context deadline exceeded"},
		"logs/gateway.log":       {"upstream timed out: context deadline exceeded", "status=504"},
		"logs/order-worker.log":  {"退款被拒绝", "退款失败"},
		"metrics/metrics.om":     {`payment_db_connections_held{job="payment-api"`, "# EOF\n"},
		"incident.yaml":          {"title: 支付服务超时\n"},
	})
}

// expect asks for texts in the files of an incident folder.
func expect(t *testing.T, dir string, files map[string][]string) {
	t.Helper()
	for file, want := range files {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(text), w) {
				t.Errorf("%s: no %q", file, w)
			}
		}
	}
}

// TestOnsetSkipsHiccups asks that failures between successes are no outage.
func TestOnsetSkipsHiccups(t *testing.T) {
	var o onset
	for i, failed := range []bool{true, true, true, true, false, true, true, true, true, true, true} {
		if _, err := o.time(); err == nil && i < 10 {
			t.Fatalf("an outage before request %d", i)
		}
		o.note(time.Unix(int64(i), 0), failed)
	}
	if began, err := o.time(); err != nil || began.Unix() != 5 {
		t.Errorf("began at %d (%v), want 5", began.Unix(), err)
	}
}

// TestScraperGroupsSeries asks for the order that OpenMetrics demands of samples from several scrapes.
func TestScraperGroupsSeries(t *testing.T) {
	s := newScraper()
	at := time.UnixMilli(1_000)
	for i := range 2 {
		for _, job := range []string{"b", "a"} {
			s.add(target{job: job, instance: "i"}, at.Add(time.Duration(i)*time.Second), gauge("up", "Up.", float64(i)))
		}
	}
	s.add(target{job: "a", instance: "i"}, at, &dto.MetricFamily{
		Name: new("hits_total"), Help: new("Hits."), Type: dto.MetricType_COUNTER.Enum(),
		Metric: []*dto.Metric{{Counter: &dto.Counter{Value: new(3.0)}}},
	})
	var got strings.Builder
	if err := s.writeTo(&got); err != nil {
		t.Fatal(err)
	}
	want := `# HELP hits Hits.
# TYPE hits counter
hits_total{job="a",instance="i"} 3.0 1.0
# HELP up Up.
# TYPE up gauge
up{job="a",instance="i"} 0.0 1.0
up{job="a",instance="i"} 1.0 2.0
up{job="b",instance="i"} 0.0 1.0
up{job="b",instance="i"} 1.0 2.0
# EOF
`
	if got.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", got.String(), want)
	}
}

// TestPoolKnowsItsHolders asks the register for a connection that was not released.
func TestPoolKnowsItsHolders(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	p := newPool(db)
	c, err := p.acquire(t.Context(), "POST /v1/refund", "t1")
	if err != nil {
		t.Fatal(err)
	}
	if n := p.heldBy("POST /v1/refund"); n != 1 {
		t.Errorf("held by refund: %d", n)
	}
	for i, want := range []int{1, 0} {
		if all, fresh := p.heldLongerThan(-1); len(all) != 1 || len(fresh) != want {
			t.Errorf("look %d: %d held, %d fresh", i, len(all), len(fresh))
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := p.acquire(ctx, "POST /v1/pay", "t2"); err == nil {
		t.Error("a pool of one gave two connections")
	}
	c.release()
	if n := p.heldBy("POST /v1/refund"); n != 0 {
		t.Errorf("held by refund after release: %d", n)
	}
}

// TestCertExpiry plays the scenario small and fast: the certificate in use ends although the one on disk was renewed.
func TestCertExpiry(t *testing.T) {
	dir := t.TempDir()
	rec, err := newRecording(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.close()
	start := time.Now()
	began, err := runCertExpiry(t.Context(), rec, certConfig{
		duration: 2500 * time.Millisecond, expiresAfter: 1500 * time.Millisecond, renewBefore: time.Hour,
		orderEvery: 50 * time.Millisecond, settleEvery: 100 * time.Millisecond, tickEvery: 200 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := rec.finish(certExpiry, start, time.Now(), began); err != nil {
		t.Fatal(err)
	}
	expect(t, dir, map[string][]string{
		"logs/checkout.jsonl":  {"x509: certificate has expired or is not yet valid"},
		"logs/cert-agent.log":  {"证书续期成功"},
		"logs/risk-engine.log": {"TLS handshake error", "in_use_serial="},
		"metrics/metrics.om":   {`risk_client_calls_total{job="checkout"`, `result="tls_error"`, "# EOF\n"},
	})
	settled, err := os.ReadFile(filepath.Join(dir, "logs", "settlement.log"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(settled), "失败") {
		t.Error("the connection that was kept open failed too")
	}
}
