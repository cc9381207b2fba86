# claimscope. The two commands to start with: make run, make test.
SHELL := /bin/bash
GO    ?= go
BIN   := .bin/claimscope
LINT_VERSION := v2.15.0
LINT  := .bin/golangci-lint-$(LINT_VERSION)

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -X claimscope/engine.Version=$(VERSION)
FUZZTIME ?= 10s

.PHONY: run stub build test check lint fmt vet race tidy bench fuzz golden screens tmux incident clean

run: build ## the console on the bundled incidents: no key, no network
	@$(BIN)

# A live run without a model: start this, then in another terminal
#   OPENAI_BASE_URL=http://127.0.0.1:18080/v1 OPENAI_API_KEY=x .bin/claimscope run --incident payment-pool
# STUB takes more, such as STUB='-fault 429@2 -retry-after 3' or STUB='-recording bundled-cert-expiry-retry'.
STUB_ADDR ?= 127.0.0.1:18080
STUB ?=
stub: ## an OpenAI-compatible endpoint that answers from a bundled recording
	@mkdir -p .bin
	@$(GO) build -o .bin/stub ./engine/model/openaitest/stub
	@exec .bin/stub -addr $(STUB_ADDR) $(STUB)

build: ## the binary in .bin/claimscope
	@mkdir -p .bin
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN) .

test race bench golden: export TZ := UTC

test: ## the tests
	$(GO) test ./...

check: fmt vet lint tidy race ## what CI runs

fmt:
	@out=$$(gofmt -l .); if [ -n "$$out" ]; then echo "not gofmt-ed:"; echo "$$out"; exit 1; fi

vet:
	$(GO) vet ./...

$(LINT):
	@mkdir -p .bin
	GOBIN=$(CURDIR)/.bin GOFLAGS=-mod=mod $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)
	@mv .bin/golangci-lint $@

lint: $(LINT)
	$(LINT) run ./...

tidy:
	$(GO) mod tidy -diff

race:
	$(GO) test -race ./...

bench: ## benchmarks beside the code they measure, each with its baseline
	$(GO) test -run '^$$' -bench . -benchmem ./...

fuzz: ## every fuzz target for FUZZTIME each
	@set -e; for pkg in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "$$pkg $$target"; $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5x $$pkg; \
	  done; done

golden: ## writes the golden files anew; read the diff
	UPDATE_GOLDEN=1 $(GO) test ./...

# Pictures of the console in .bin/screens as SVG, and as PNG where rsvg-convert is
# installed (Debian: librsvg2-bin fonts-dejavu-core fonts-noto-cjk); the README's in .github.
screens: ## pictures of the console: three sizes, both themes
	@rm -rf .bin/screens && mkdir -p .bin/screens .github
	@SCREENS=$(CURDIR)/.bin/screens README=$(CURDIR)/.github/console.svg $(GO) test -count=1 -tags screens -run '^TestScreens$$' ./tui
	@if command -v rsvg-convert >/dev/null; then for f in .bin/screens/*.svg .github/console.svg; do rsvg-convert "$$f" -o "$${f%.svg}.png"; done; fi
	@ls .bin/screens

tmux: build ## the built console in tmux: sizes, resizing, leaving, crashing (needs tmux)
	@$(GO) test -c -tags tmux -o .bin/tui.test ./tui
	@tui/testdata/tmux.sh $(CURDIR)/$(BIN) $(CURDIR)/.bin/tui.test

incident: ## records the bundled incidents anew (takes some minutes)
	cd sessions/lab && $(GO) run . -out ../incidents

clean:
	rm -rf .bin
