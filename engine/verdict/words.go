package verdict

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// checkWords maps what Verifiers write for a verdict to the verdict. Keys are
// normalised by foldWord.
var checkWords = map[string]CheckVerdict{
	"supported": Supported, "support": Supported, "confirmed": Supported, "支持": Supported, "已支持": Supported,
	"成立": Supported, "已证实": Supported, "证实": Supported, "已核实": Supported,
	"unsupported": Unsupported, "not supported": Unsupported, "notsupported": Unsupported, "不支持": Unsupported,
	"未支持": Unsupported, "不成立": Unsupported, "无证据": Unsupported, "无依据": Unsupported, "未证实": Unsupported,
	"contradicted": Contradicted, "contradictory": Contradicted, "contradiction": Contradicted, "refuted": Contradicted,
	"矛盾": Contradicted, "相矛盾": Contradicted, "与证据矛盾": Contradicted, "被反驳": Contradicted, "冲突": Contradicted,
	"insufficient": Insufficient, "insufficient evidence": Insufficient, "not enough evidence": Insufficient,
	"unknown": Insufficient, "unverifiable": Insufficient, "证据不足": Insufficient, "不足": Insufficient, "无法判断": Insufficient,
	"无法核实": Insufficient, "无法验证": Insufficient,
	"not checked": NotChecked, "notchecked": NotChecked, "未检查": NotChecked, "未核查": NotChecked,
}

// decisionWords does the same for the decision.
var decisionWords = map[string]Decision{
	"pass": Pass, "passed": Pass, "通过": Pass,
	"retry": Retry, "重试": Retry,
	"low confid": LowConfid, "lowconfid": LowConfid, "low confidence": LowConfid, "lowconfidence": LowConfid,
	"低置信": LowConfid, "低置信度": LowConfid,
}

// foldWord brings an enum word to the form of the tables: NFKC, lower case, one
// space for any run of spaces, hyphens and underscores, no quotes or full stop.
func foldWord(s string) string {
	s = strings.ToLower(norm.NFKC.String(s))
	s = strings.Trim(s, " \t\r\n\"'`.。*")
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r == ' ' || r == '_' || r == '-' || r == '\t' || r == '\n' || r == '\r'
	}), " ")
}

func parseCheckWord(s string) (CheckVerdict, bool) {
	v, ok := checkWords[foldWord(s)]
	return v, ok
}

func parseDecisionWord(s string) (Decision, bool) {
	d, ok := decisionWords[foldWord(s)]
	return d, ok
}
