package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"golang.org/x/sync/errgroup"

	"claimscope/engine"
	"claimscope/engine/gate"
)

// maxInput bounds one input file, in bytes.
const maxInput = 1 << 30

// verifyCommand parses and gates files without any model. Files are checked on all
// cores and reported in the order given.
func (a *App) verifyCommand(ctx context.Context, args []string) error {
	fs := a.flags("verify")
	asJSON := fs.Bool("json", false, "one JSON object a file, one a line")
	raw := fs.String("raw-output", "", "take this file's bytes as the Executor's final output, without traces")
	setup := a.setupFlags(fs)
	if err := a.parse(fs, args); err != nil {
		return err
	}
	e, err := setup()
	if err != nil {
		return err
	}
	jobs, err := verifyJobs(fs.Args(), *raw)
	if err != nil {
		return err
	}
	results := make([]chan verified, len(jobs))
	group, gctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range jobs {
		results[i] = make(chan verified, 1)
	}
	go func() {
		for i, j := range jobs {
			group.Go(func() error {
				results[i] <- a.verifyOne(gctx, e, j)
				return nil
			})
		}
	}()
	code := ExitOK
	for _, r := range results {
		var v verified
		select {
		case v = <-r:
		case <-ctx.Done():
			return ctx.Err()
		}
		if v.err != nil {
			code = ExitUsage
			a.report(ctx, usagef("%w", v.err))
			continue
		}
		if err := a.printVerification(v.Verification, *asJSON); err != nil {
			return err
		}
		if v.Report.Decision != gate.Clean && code == ExitOK {
			code = ExitFindings
		}
	}
	if code != ExitOK {
		return silent(code)
	}
	return nil
}

type verifyJob struct {
	file string
	raw  bool
}

type verified struct {
	engine.Verification
	err error
}

func verifyJobs(files []string, raw string) ([]verifyJob, error) {
	var jobs []verifyJob
	stdin := 0
	for _, f := range files {
		if f == "-" {
			stdin++
		}
		jobs = append(jobs, verifyJob{file: f})
	}
	if raw != "" {
		if raw == "-" {
			stdin++
		}
		jobs = append(jobs, verifyJob{file: raw, raw: true})
	}
	if len(jobs) == 0 {
		return nil, usagef("verify: no file given; write a case, snapshot or session file, or - for standard input")
	}
	if stdin > 1 {
		return nil, usagef("verify: standard input (-) can be read once only")
	}
	return jobs, nil
}

func (a *App) verifyOne(ctx context.Context, e *engine.Engine, j verifyJob) verified {
	if ctx.Err() != nil {
		return verified{err: ctx.Err()}
	}
	data, err := a.readInput(j.file)
	if err != nil {
		return verified{err: err}
	}
	if j.raw {
		return verified{Verification: e.VerifyOutput(j.file, data)}
	}
	v, err := e.Verify(j.file, data)
	return verified{Verification: v, err: err}
}

// readInput reads a file, or standard input for "-". Errors name the file.
func (a *App) readInput(name string) ([]byte, error) {
	r := a.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, inputError(name, err)
		}
		defer f.Close() //nolint:errcheck // opened for reading
		r = f
	}
	data, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err != nil {
		return nil, inputError(name, err)
	}
	if len(data) > maxInput {
		return nil, fmt.Errorf("%s: larger than %d bytes", name, maxInput)
	}
	return data, nil
}

// inputError says what is wrong with a file in one line, its name once.
func inputError(name string, err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}
