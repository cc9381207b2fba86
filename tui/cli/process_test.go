package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/model/openaitest"
)

// stalled is an endpoint that begins to answer and stands still; asked is closed at its
// first request.
func stalled(t *testing.T) (url string, asked chan struct{}) {
	t.Helper()
	asked = make(chan struct{})
	var once sync.Once
	answer := openaitest.New(openaitest.Reply{Fault: openaitest.Stall})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		once.Do(func() { close(asked) })
		answer.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL + "/v1", asked
}

// process prepares the program in a process of its own; url is the endpoint's, or "".
func process(url, home string, args ...string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	cmd = exec.Command("claimscope", args...)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=en_US.UTF-8", "TZ=UTC",
		"OPENAI_BASE_URL=" + url, "OPENAI_API_KEY=sk-test", "CLAIMSCOPE_MODEL=m",
	}
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return cmd, stdout, stderr
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	if err == nil {
		return 0
	}
	var exit *exec.ExitError
	require.True(t, errors.As(err, &exit), "%v", err)
	return exit.ExitCode()
}

// newest lists the newest session of a home.
func newest(t *testing.T, home string) map[string]any {
	t.Helper()
	cmd, stdout, _ := process("", home, "list", "--json")
	require.NoError(t, cmd.Run())
	for line := range strings.Lines(stdout.String()) {
		var row map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &row))
		if row["bundled"] == false {
			return row
		}
	}
	t.Fatal("no session was saved")
	return nil
}

func TestCtrlCKeepsTheSession(t *testing.T) {
	url, asked := stalled(t)
	home := t.TempDir()
	cmd, stdout, stderr := process(url, home, "run", "--incident", "payment-pool")
	require.NoError(t, cmd.Start())
	<-asked
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	assert.Equal(t, 130, exitCode(t, cmd.Wait()))
	assert.NotContains(t, stderr.String(), "goroutine")
	assert.NotContains(t, stdout.String(), "{")
	row := newest(t, home)
	assert.Equal(t, "cancelled", row["status"])
	id, _ := row["id"].(string)
	show, out, _ := process("", home, "show", id, "--why")
	require.NoError(t, show.Run())
	assert.Contains(t, out.String(), "← cancelled")
}

func TestCtrlCWhileStandardInputIsAwaited(t *testing.T) {
	for _, args := range [][]string{{"verify", "-"}, {"import", "-"}} {
		cmd, stdout, stderr := process("", t.TempDir(), args...)
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = in.Write(bytes.Repeat([]byte(" "), 1<<20)) // more than a pipe holds: the program reads
		require.NoError(t, err)
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		assert.Equal(t, 130, exitCode(t, cmd.Wait()), args)
		assert.Equal(t, "claimscope: interrupted\n", stderr.String())
		assert.Empty(t, stdout.String())
	}
}
