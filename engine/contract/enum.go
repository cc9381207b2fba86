package contract

import (
	"strings"

	"golang.org/x/text/width"
)

// SupportLevels lists the support levels, in falling order of confirmation.
func SupportLevels() []SupportLevel {
	return []SupportLevel{Direct, Indirect, None, Contradicted}
}

// supportWords maps words of plain meaning, folded by foldWord, to a level.
// Degrees that the contract does not know (partial, weak, 部分支持) are no level.
var supportWords = map[string]SupportLevel{
	"direct": Direct, "directly": Direct, "directsupport": Direct, "directevidence": Direct,
	"indirect": Indirect, "indirectly": Indirect, "indirectsupport": Indirect, "indirectevidence": Indirect,
	"none": None, "null": None, "nosupport": None, "noevidence": None, "unsupported": None,
	"contradicted": Contradicted, "contradict": Contradicted, "contradicts": Contradicted, "contradictory": Contradicted, "contradiction": Contradicted,
	"直接": Direct, "直接支持": Direct, "直接证据": Direct, "直接证据支持": Direct, "直接佐证": Direct,
	"间接": Indirect, "间接支持": Indirect, "间接证据": Indirect, "间接证据支持": Indirect, "间接佐证": Indirect,
	"無": None, "无": None, "没有": None, "无支持": None, "无证据": None, "没有证据": None, "无证据支持": None, "不支持": None, "未支持": None, "无佐证": None,
	"矛盾": Contradicted, "相矛盾": Contradicted, "存在矛盾": Contradicted, "与证据矛盾": Contradicted, "被反驳": Contradicted,
	"反驳": Contradicted, "被否定": Contradicted, "相反": Contradicted, "冲突": Contradicted, "被证伪": Contradicted, "被推翻": Contradicted,
}

// claimTypeWords and sourceTypeWords fold other spellings of the known members
// of the two open sets.
var claimTypeWords = map[string]string{
	"rootcause": RootCause, "symptom": Symptom, "impact": Impact, "timeline": Timeline,
	"configuration": Configuration, "exclusion": Exclusion,
	"根因": RootCause, "根本原因": RootCause, "症状": Symptom, "现象": Symptom, "影响": Impact, "影响范围": Impact,
	"时间线": Timeline, "时间轴": Timeline, "配置": Configuration, "排除": Exclusion, "排除项": Exclusion,
}

var sourceTypeWords = map[string]string{
	"tooltrace": SourceToolTrace, "lookupevidenceblock": SourceLookupBlock,
}

// foldWord folds case, full-width forms, blanks and joining marks.
func foldWord(s string) string {
	if len(s) > maxName {
		return ""
	}
	return foldName(strings.Trim(width.Fold.String(s), " \t\r\n\"'`。.,"))
}

// parseVersion reads answer_version; plain is false when no version is meant.
func parseVersion(s string) (v Version, plain bool) {
	w := foldWord(strings.TrimSuffix(strings.TrimSpace(s), ".0"))
	switch strings.TrimPrefix(strings.TrimPrefix(w, "executor"), "evidence") {
	case "v1", "1", "version1":
		return V1, true
	case "v2", "2", "version2":
		return V2, true
	}
	return Version(s), false
}
