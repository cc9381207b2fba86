package view

import "claimscope/tui/text"

var (
	wordNotChecked    = text.Label{ZH: "Verifier 没有给出判定", EN: "the Verifier gave no verdict"}
	wordNoReason      = text.Label{ZH: "Verifier 未说明理由", EN: "the Verifier gave no reason"}
	wordMalformed     = text.Label{ZH: "输出不是可用的证据契约", EN: "the output is no usable evidence contract"}
	wordVerifierError = text.Label{ZH: "Verifier 的输出无法读取：", EN: "the Verifier's output could not be read: "}
	wordExtraFact     = text.Label{ZH: "答复中的事实没有对应的结论：", EN: "the answer states what no claim does: "}
)
