package cli

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"os"
	"runtime"

	"golang.org/x/sync/semaphore"

	"claimscope/engine"
	"claimscope/engine/gate"
)

// maxInFlight bounds the files that are held at the same time, in bytes on disk; one
// that is larger is checked alone.
const maxInFlight = 256 << 20

// verifyCommand parses and gates files without any model. Files are checked on all
// cores and reported in the order given.
func (a *App) verifyCommand(ctx context.Context, in *input) error {
	e, err := in.open(0)
	if err != nil {
		return err
	}
	jobs, err := verifyJobs(in)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop() // workers that nobody waits for any more end
	code := ExitOK
	tally := tally{}
	for r := range a.verifyAll(ctx, e, jobs, in.on("json")) {
		if r.err != nil {
			a.report(ctx, Usage(r.err))
			code = ExitUsage
			tally.unreadable++
			continue
		}
		if !in.on("json") && tally.read() > 0 {
			r.text = append([]byte("\n"), r.text...)
		}
		tally.add(r.decision)
		if _, err := a.Stdout.Write(r.text); err != nil {
			return &outputError{err}
		}
		if r.torn > 0 {
			a.complain(a.torn(r.job.file, r.torn))
		}
		if r.decision != gate.Clean && code == ExitOK {
			code = ExitFindings
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(jobs) > 1 && !in.on("json") {
		p := a.printer(a.Stdout)
		p.raw("")
		p.tally(tally)
		if p.err != nil {
			return p.err
		}
	}
	return ended(code)
}

// tally counts what became of the files.
type tally struct{ clean, blocked, unchecked, unreadable int }

func (t *tally) read() int { return t.clean + t.blocked + t.unchecked }

func (t *tally) add(d gate.Decision) {
	switch d {
	case gate.Clean:
		t.clean++
	case gate.Blocked:
		t.blocked++
	case gate.Unchecked:
		t.unchecked++
	}
}

// tally prints the counts of several files.
func (p *printer) tally(t tally) {
	parts := []safe{safe(fmt.Sprintf(p.say("%d 个文件", "%d files"), t.read()+t.unreadable))}
	for _, x := range []struct {
		mark, word string
		n          int
	}{
		{markGood, string(gate.Clean), t.clean}, {markBad, string(gate.Blocked), t.blocked}, {markUnknown, string(gate.Unchecked), t.unchecked},
		{markBad, p.say("读不了", "unreadable"), t.unreadable},
	} {
		if x.n > 0 {
			parts = append(parts, "  ", p.mark(x.mark), safe(fmt.Sprintf(" %d %s", x.n, x.word)))
		}
	}
	p.put(0, 2, parts...)
}

// verifyJob is one file to check.
type verifyJob struct {
	file string
	raw  bool
}

// verified is what became of one file, printed already.
type verified struct {
	job      verifyJob
	text     []byte
	decision gate.Decision
	torn     int
	err      error
}

func verifyJobs(in *input) ([]verifyJob, error) {
	var jobs []verifyJob
	stdin := 0
	add := func(files []string, raw bool) {
		for _, f := range files {
			if f == "-" {
				stdin++
			}
			jobs = append(jobs, verifyJob{file: f, raw: raw})
		}
	}
	add(in.args, false)
	add(in.list("raw-output"), true)
	if len(jobs) == 0 {
		return nil, in.usage("缺少文件：写案例、快照或会话文件，或用 - 表示标准输入", "no file given: write a case, snapshot or session file, or - for standard input")
	}
	if stdin > 1 {
		return nil, in.usage("标准输入（-）只能读一次", "standard input (-) can be read once only")
	}
	return jobs, nil
}

// verifyAll checks the files on all cores and gives the results in order, each as soon
// as those before it are out. Only few files and results are held at any time. It ends
// early with ctx.
func (a *App) verifyAll(ctx context.Context, e *engine.Engine, jobs []verifyJob, asJSON bool) iter.Seq[verified] {
	cores := runtime.GOMAXPROCS(0)
	queue := make(chan chan verified, 2*cores) // results in order; its room bounds how far work runs ahead
	room := semaphore.NewWeighted(maxInFlight)
	go func() {
		defer close(queue)
		slots := make(chan struct{}, cores)
		for _, j := range jobs {
			weight := j.weight()
			if room.Acquire(ctx, weight) != nil {
				return
			}
			result := make(chan verified, 1)
			select {
			case queue <- result:
			case <-ctx.Done():
				return
			}
			slots <- struct{}{}
			go func() {
				defer func() { <-slots }()
				defer room.Release(weight)
				result <- a.verifyOne(e, j, asJSON)
			}()
		}
	}()
	return func(yield func(verified) bool) {
		for result := range queue {
			select {
			case v := <-result:
				if !yield(v) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// weight is what a file takes of maxInFlight.
func (j verifyJob) weight() int64 {
	info, err := os.Stat(j.file)
	if err != nil || j.file == "-" {
		return 1
	}
	return min(max(info.Size(), 1), maxInFlight)
}

// verifyOne checks one file and prints the result into memory.
func (a *App) verifyOne(e *engine.Engine, j verifyJob, asJSON bool) verified {
	v, err := a.verifyFile(e, j)
	out := verified{job: j, decision: v.Report.Decision, torn: v.Torn, err: err}
	if err != nil {
		return out
	}
	var b bytes.Buffer
	if asJSON {
		out.err = writeJSON(&b, v)
	} else {
		a.printer(&b).verification(v)
	}
	out.text = b.Bytes()
	return out
}

func (a *App) verifyFile(e *engine.Engine, j verifyJob) (engine.Verification, error) {
	if j.file != "-" && !j.raw {
		return e.VerifyFile(j.file)
	}
	data, err := engine.ReadInput(j.file, a.Stdin)
	if err != nil {
		return engine.Verification{}, err
	}
	if j.raw {
		return e.VerifyOutput(j.file, data), nil
	}
	return e.Verify(j.file, data)
}

// readInput reads a file, or standard input for "-"; it does not wait longer than ctx.
func (a *App) readInput(ctx context.Context, name string) ([]byte, error) {
	type read struct {
		data []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		data, err := engine.ReadInput(name, a.Stdin)
		done <- read{data, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return nil, Usage(r.err)
		}
		return r.data, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// torn says that the end of a session file was cut.
func (a *App) torn(name string, bytes int) string {
	return fmt.Sprintf(a.say("%s：文件末尾 %d 字节没有写完，已略过", "%s: the last %d bytes of the file were cut and are left out"), name, bytes)
}
