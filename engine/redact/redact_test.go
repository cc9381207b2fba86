package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The secrets here are made up; they are put together so that no scanner of
// repositories takes them for real ones.
var (
	aws    = "AKIA" + "QZ7XEXAMPLE4TEST"
	github = "ghp_" + strings.Repeat("a1B2", 9)
	slack  = "xoxb-" + "123456789012-abcdefGHIJKL"
	openai = "sk-" + "proj-" + strings.Repeat("Zy9", 8)
	jwt    = "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0" + ".c2lnbmF0dXJlLW9mLXRlc3Q"
	pem    = "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEpAIBAAKCAQEA7+/=\nabc=\n-----END RSA PRIVATE " + "KEY-----"
)

func TestSecretsAreMasked(t *testing.T) {
	cases := []struct{ in, want string }{
		{"key " + aws + " used", "key ‹masked:key› used"},
		{"LTAI" + "5tQ8mK2pXw9Rz3Yv", "‹masked:key›"},
		{"push with " + github, "push with ‹masked:token›"},
		{"(" + slack + ")", "(‹masked:token›)"},
		{openai + "!", "‹masked:key›!"},
		{"cookie " + jwt + ";", "cookie ‹masked:token›;"},
		{"a\n" + pem + "\nb", "a\n‹masked:private-key›\nb"},
		{`{"k":"` + strings.ReplaceAll(pem, "\n", `\n`) + `\n","n":1}`, `{"k":"‹masked:private-key›\n","n":1}`},
		{"cut: -----BEGIN PRIVATE " + "KEY-----\nMIIE", "cut: ‹masked:private-key›"},
		{"Authorization: Bearer abcdef123456", "Authorization: Bearer ‹masked:token›"},
		{"-H 'authorization: basic dXNlcjpwYXNz=='", "-H 'authorization: basic ‹masked:token›'"},
		{`"Authorization": "Bearer abcdef123456"`, `"Authorization": "‹masked:token›"`},
		{"password=hunter2 next", "password=‹masked:password› next"},
		{"DB_PASSWORD = 's3cret pass', x", "DB_PASSWORD = '‹masked:password›', x"},
		{"spring.datasource.password: hunter2", "spring.datasource.password: ‹masked:password›"},
		{`{"password": "a\"b", "n": 1}`, `{"password": "‹masked:password›", "n": 1}`},
		{`{"password":12345,"n":1}`, `{"password":"‹masked:password›","n":1}`},
		{`{"log":"{\"password\":\"abc\",\"n\":1}"}`, `{"log":"{\"password\":\"‹masked:password›\",\"n\":1}"}`},
		{`{"log":"{\"pin_password\":123}"}`, `{"log":"{\"pin_password\":\"‹masked:password›\"}"}`},
		{`{"msg":"login\npassword=abc\nnext"}`, `{"msg":"login\npassword=‹masked:password›\nnext"}`},
		{`{"msg":"\n` + github + `"}`, `{"msg":"\n‹masked:token›"}`},
		{`{"msg":"x\u000a` + github + `"}`, `{"msg":"x\u000a‹masked:token›"}`},
		{`{'password': 'abc', 'n': 1}`, `{'password': '‹masked:password›', 'n': 1}`},
		{`password="cut off`, `password="‹masked:password›`},
		{"<password>abc</password>", "<password>‹masked:password›</password>"},
		{"tool --password hunter2 --verbose", "tool --password ‹masked:password› --verbose"},
		{":password => 'abc'", ":password => '‹masked:password›'"},
		{"用户名：admin，密码：Abc@123，登录失败", "用户名：admin，密码：‹masked:password›，登录失败"},
		{"数据库密码为 Abc123。", "数据库密码为 ‹masked:password›。"},
		{"redis://:p4ss@cache:6379/0", "redis://:‹masked:password›@cache:6379/0"},
		{"postgres://app:p@ss:w@db.internal:5432/x?sslmode=off", "postgres://app:‹masked:password›@db.internal:5432/x?sslmode=off"},
		{"app:p4ss@tcp(10.0.0.1:3306)/pay", "app:‹masked:password›@tcp(10.0.0.1:3306)/pay"},
		{"jdbc:mysql://db/pay?user=app&password=p4ss&ssl=1", "jdbc:mysql://db/pay?user=app&password=‹masked:password›&ssl=1"},
		{"Server=db;User Id=sa;Password=p4ss;Encrypt=no", "Server=db;User Id=sa;Password=‹masked:password›;Encrypt=no"},
		{"AccountKey=abc+/def==;EndpointSuffix=x", "AccountKey=‹masked:key›;EndpointSuffix=x"},
		{"aws_secret_access_key = wJalr/XUtnFEMI", "aws_secret_access_key = ‹masked:key›"},
		{"X-Api-Key: 12345", "X-Api-Key: ‹masked:key›"},
		{"token=9f8e7d6c5b4a39281706", "token=‹masked:token›"},
		{`"client_secret":"x"`, `"client_secret":"‹masked:key›"`},
	}
	for _, c := range cases {
		var r Redactor
		assert.Equal(t, c.want, string(r.Bytes([]byte(c.in))))
		assert.Equal(t, c.want, r.String(c.want), "masking again changes nothing")
	}
}

func TestEvidenceStays(t *testing.T) {
	for _, text := range []string{
		"",
		"payment-api-7d9f8b6c5d-x2k4q restarted 4 times",
		"sk-learn-worker-7d9f8b6c5d-abcde OOMKilled",
		"image: registry.example.com/pay@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"commit 3f786850e387550fdab836ed7e6dc881de23001b",
		"trace_id=4bf92f3577b34da6a3ce929d0e0e4736 span_id=00f067aa0ba902b7",
		"request 550e8400-e29b-41d4-a716-446655440000 failed",
		"session_id=550e8400-e29b-41d4-a716-446655440000",
		"Access denied for user 'app'@'10.0.0.1' (using password: YES)",
		"password=${DB_PASSWORD} password={{ .Values.pw }} password=<none> password=**** password=?",
		`{"password":null,"has_password":true,"passwordPolicy":{"min":8}}`,
		`["password","x"] {"a":"password=","b":"y"} {"a":"password:" , "b":1}`,
		"token: 5 left, max_tokens=4096, next_token=page-2, token_count: 12",
		"Warning FailedMount secret \"payment-tls\" not found",
		"secretName: payment-tls  secret: db-credentials-v2",
		"PWD=/usr/src/app", "OLDPWD=/home",
		"密码错误，请重试；密码为空；忘记密码：请联系管理员",
		"Basic authentication failed; bearer token missing",
		"http://user@host/path http://host:8080/a@b mailto:a@b.c",
		"15:40:02 2026-11-30T15:40:02+08:00 GET /api/v1/pay?id=1&n=2 200 31ms",
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
		"基于 token bucket 的限流：令牌：不足",
	} {
		var r Redactor
		require.Equal(t, text, string(r.Bytes([]byte(text))))
	}
}

func TestConfiguredPatterns(t *testing.T) {
	r, err := New(`emp-\d{6}`, `pin=(\d{4})`)
	require.NoError(t, err)
	require.Equal(t, "‹masked:pattern› pin=‹masked:pattern› password=‹masked:password›", r.String("emp-123456 pin=9876 password=emp-123456"))
	again := r.String("emp-123456 pin=9876")
	require.Equal(t, again, r.String(again))
	_, err = New("a", "(")
	require.ErrorContains(t, err, "pattern 2")
	_, err = New("a*")
	require.ErrorContains(t, err, "empty text")
	greedy, err := New(`\w+`)
	require.NoError(t, err)
	once := greedy.String("one two password=three")
	require.Equal(t, once, greedy.String(once), "masks are not masked")
	var none *Redactor
	require.Equal(t, "password=‹masked:password›", none.String("password=x"))
}

func TestTimeIsLinear(t *testing.T) {
	// Each unit is one that a careless scanner goes over again and again: at this length it
	// would not end within the test's time.
	var r Redactor
	for _, unit := range []string{
		"token=", "password='", `password="`, `\"`, "://", "bearer ", "eyJaaaaaaaa.", "-----BEGIN PRIVATE KEY-----", "<token>",
		"@tcp(", "password", "=", `\`, "token: a", "密码", `"token":"`, "--password ", "a@tcp(:", "=\"'",
	} {
		in := []byte(strings.Repeat(unit, 1<<20/len(unit)))
		out := r.Bytes(in)
		require.LessOrEqual(t, len(out), 8*len(in)+64, "%q", unit)
	}
}

func FuzzBytes(f *testing.F) {
	for _, s := range []string{
		aws, jwt, pem, openai, slack, `{"password":"x","a":["token=abc123def456ghi7"]}`, `"{\"password\": \"ab\\", "c":"d"`,
		`{"a":"password='x","b":"y'"}`, "密码：x", "redis://:p@h", "u:p@tcp(x)", `{"x":"\\\"password\\\":\\\"1\\\""}`, "authorization: basic abcd1234",
		`{"a":"password=\\","b":1}`, `{"password" : -1.5e3}`, "‹masked:token›x", "password=‹masked",
	} {
		f.Add([]byte(s))
	}
	var r Redactor
	f.Fuzz(func(t *testing.T, in []byte) {
		before := bytes.Clone(in)
		out := r.Bytes(in)
		require.Equal(t, before, in, "the input is left alone")
		require.LessOrEqual(t, len(out), 24*len(in)+64)
		again := r.Bytes(out)
		require.Equal(t, string(out), string(again), "idempotent")
		if json.Valid(in) {
			require.True(t, json.Valid(out), "%s\n%s", in, out)
		}
		// The same text as a JSON string, and as one within another.
		inner, err := json.Marshal(string(in))
		require.NoError(t, err)
		outer, err := json.Marshal(map[string]string{"k": string(inner), "z": "end"})
		require.NoError(t, err)
		for _, doc := range [][]byte{inner, outer} {
			masked := r.Bytes(doc)
			require.True(t, json.Valid(masked), "%s\n%s", doc, masked)
			require.Equal(t, string(masked), string(r.Bytes(masked)))
		}
	})
}

func BenchmarkBytes(b *testing.B) {
	var log strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&log, `{"ts":"2026-11-30T15:%02d:02.123Z","level":"WARN","pod":"payment-api-7d9f8b6c5d-x2k4q","msg":"pool is full: 50 of 50, waited %dms"}`+"\n", i%60, i)
	}
	in := []byte(log.String())
	var r Redactor
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		r.Bytes(in)
	}
}
