package engine

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"claimscope/engine/model/openai"
)

// modelsTimeout bounds the wait for an endpoint's list of models.
const modelsTimeout = 15 * time.Second

// client makes a client of the configured endpoint. It opens no connection.
func (e *Engine) client() *openai.Client {
	o := e.env.Client
	o.BaseURL, o.Key = e.config.Endpoint(), e.config.Key
	return openai.New(o)
}

// liveRunner is the Runner that live runs begin with: every stage has a model. Where
// none is configured the endpoint's only one is taken. Errors are ErrNoModel.
func (e *Engine) liveRunner(ctx context.Context) (*Runner, []Note, error) {
	if e.runner.o.Model == nil || e.config.Stages["executor"].Model != "" {
		return e.runner, nil, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.found != nil {
		return e.found, nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, modelsTimeout)
	defer cancel()
	ids, err := e.client().Models(ctx)
	switch {
	case err != nil:
		// The first request will tell what is wrong with the endpoint, on record.
		return e.runner, []Note{{
			ZH: fmt.Sprintf("未配置模型名，也读不到端点的模型列表（%v）；请设置 CLAIMSCOPE_MODEL", err),
			EN: fmt.Sprintf("no model is configured and the endpoint's list could not be read (%v); set CLAIMSCOPE_MODEL", err),
		}}, nil
	case len(ids) != 1:
		return nil, nil, fmt.Errorf("%w: none is configured and the endpoint offers %s; set CLAIMSCOPE_MODEL, --model, or model in config.yaml", ErrNoModel, offered(ids))
	}
	e.found = e.runner.With(func(o *Options) {
		o.Params = maps.Clone(o.Params)
		for stage, p := range o.Params {
			if p.Model == "" {
				p.Model = ids[0]
				o.Params[stage] = p
			}
		}
	})
	return e.found, []Note{{
		ZH: fmt.Sprintf("未配置模型名，使用端点唯一的模型 %s", ids[0]),
		EN: fmt.Sprintf("no model is configured: the endpoint's only one, %s, is used", ids[0]),
	}}, nil
}

// offered tells a list of models in a few words.
func offered(ids []string) string {
	const most = 5
	switch {
	case len(ids) == 0:
		return "none"
	case len(ids) == 1:
		return "1 model (" + ids[0] + ")"
	case len(ids) > most:
		return fmt.Sprintf("%d models (%s …)", len(ids), strings.Join(ids[:most], ", "))
	}
	return fmt.Sprintf("%d models (%s)", len(ids), strings.Join(ids, ", "))
}

// notLive says why the recording answers, when no endpoint is configured.
func (e *Engine) notLive(recording string) Note {
	n := Note{
		ZH: fmt.Sprintf("未配置模型端点，由内置录制 %s 的模型回复作答", recording),
		EN: fmt.Sprintf("no endpoint is configured: the replies of the bundled recording %s answer", recording),
	}
	if e.config.Key != "" {
		n.ZH += "；已有 API key，要用它请设置 CLAIMSCOPE_MODEL（或 OPENAI_BASE_URL）"
		n.EN += "; a key is set: to use it set CLAIMSCOPE_MODEL (or OPENAI_BASE_URL)"
	}
	return n
}
