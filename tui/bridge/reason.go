package bridge

import (
	"errors"

	"claimscope/engine"
	"claimscope/engine/session"
)

// Reason says what went wrong in both languages, and what to do about it where that is
// known. Other errors speak for themselves.
func Reason(err error) Note {
	detail := err.Error()
	switch {
	case errors.Is(err, engine.ErrNoModel):
		return Note{ZH: "没有可用的模型：请设置 OPENAI_BASE_URL 与 CLAIMSCOPE_MODEL（" + detail + "）", EN: detail + "; set OPENAI_BASE_URL and CLAIMSCOPE_MODEL"}
	case errors.Is(err, session.ErrLocked):
		return Note{ZH: "会话正由另一个程序写入；等它结束后再试", EN: "another program writes this session; try again when it has ended"}
	case errors.Is(err, session.ErrNotFound):
		return Note{ZH: "没有这个会话：" + detail, EN: detail}
	case errors.Is(err, session.ErrNotEnded):
		return Note{ZH: "会话还没有结束", EN: detail}
	case errors.Is(err, engine.ErrDecided):
		return Note{ZH: "会话已经结束；f 分叉重跑", EN: "the session has come to its end; f forks it"}
	case errors.Is(err, engine.ErrNoTools):
		return Note{ZH: "没有工具：实时运行需要故障目录或后端", EN: detail}
	case errors.Is(err, engine.ErrNoPrompts):
		return Note{ZH: "没有提示词文件夹：请用 --prompts 目录 启动", EN: detail}
	case errors.Is(err, engine.ErrNothingToRun):
		return Note{ZH: "没有可运行的内容：" + detail, EN: detail}
	case errors.Is(err, engine.ErrNotPaused):
		return Note{ZH: "运行已经继续", EN: "the run has gone on"}
	}
	return Note{ZH: detail, EN: detail}
}
