package gate

import (
	"sort"
	"strings"
)

// The codes of spec section 4.
const (
	CodeNotObject    Code = "S001"
	CodeVersion      Code = "S002"
	CodeMissingField Code = "S003"
	CodeWrongType    Code = "S004"
	CodeBadEnum      Code = "S005"
	CodeDuplicateID  Code = "S006"
	CodeRemovedField Code = "S007"
	CodeUnknownField Code = "S008"
	CodeAbsentArray  Code = "S009"
	CodeLongExcerpt  Code = "S010"
	CodeNoBinding    Code = "B001"
	CodeMissingRef   Code = "B002"
	CodeWrongTool    Code = "B003"
	CodeWrongCall    Code = "B004"
	CodeAbsent       Code = "B005"
	CodeNear         Code = "B006"
	CodeFailedCall   Code = "B007"
	CodeTooCommon    Code = "B008"
	CodeArgumentEcho Code = "B009"
	CodeAmbiguous    Code = "B010"
	CodeNoSourceID   Code = "B011"
	CodeNumber       Code = "C001"
	CodeIdentifier   Code = "C002"
	CodeTime         Code = "C003"
	CodeOtherEntity  Code = "C004"
	CodeNotConfirmed Code = "C005"
	CodePolarity     Code = "C006"
	CodeKnowledge    Code = "C007"
	CodeGuess        Code = "C008"
	CodeSymptomOnly  Code = "C009"
	CodeExtraFact    Code = "F001"
	CodeExtraValue   Code = "F002"
	CodeUpgraded     Code = "F003"
	CodeNotChinese   Code = "F004"
	CodeHiddenGap    Code = "F005"
)

// defaultSeverity is the table of spec section 4.
var defaultSeverity = map[Code]Severity{
	CodeNotObject: Block, CodeVersion: Block, CodeMissingField: Block, CodeWrongType: Block, CodeBadEnum: Block, CodeDuplicateID: Block,
	CodeRemovedField: Warn, CodeUnknownField: Warn, CodeAbsentArray: Warn, CodeLongExcerpt: Warn,
	CodeNoBinding: Block, CodeMissingRef: Block, CodeWrongTool: Block, CodeWrongCall: Block, CodeAbsent: Block, CodeNear: Warn,
	CodeFailedCall: Block, CodeTooCommon: Warn, CodeArgumentEcho: Block, CodeAmbiguous: Warn, CodeNoSourceID: Warn,
	CodeNumber: Block, CodeIdentifier: Block, CodeTime: Block, CodeOtherEntity: Block, CodeNotConfirmed: Block, CodePolarity: Block,
	CodeKnowledge: Block, CodeGuess: Warn, CodeSymptomOnly: Warn,
	CodeExtraFact: Block, CodeExtraValue: Block, CodeUpgraded: Block, CodeNotChinese: Warn, CodeHiddenGap: Info,
}

// Codes lists every code in order.
func Codes() []Code {
	out := make([]Code, 0, len(defaultSeverity))
	for c := range defaultSeverity {
		out = append(out, c)
	}
	sort.Slice(out, func(i, j int) bool { return codeRank(out[i]) < codeRank(out[j]) })
	return out
}

// codeRank orders codes S, B, C, F and by number.
func codeRank(c Code) string {
	if c == "" {
		return ""
	}
	return string(rune('1'+strings.IndexByte("?SBCF", c[0]))) + string(c)
}

// DefaultSeverity is the severity of a code where no policy says otherwise.
func DefaultSeverity(c Code) Severity {
	if s, ok := defaultSeverity[c]; ok {
		return s
	}
	return Block
}

func (p Policy) severity(c Code) Severity {
	if s, ok := p.Severities[c]; ok {
		return s
	}
	return DefaultSeverity(c)
}

// CauseOf is the cause (spec P10) that a blocking finding of a code stands for.
func CauseOf(c Code) string {
	switch c {
	case CodeMissingRef:
		return "missing_ref"
	case CodeWrongTool, CodeWrongCall:
		return "tool_mismatch"
	case CodeAbsent, CodeArgumentEcho, CodeNear, CodeAmbiguous, CodeTooCommon:
		return "excerpt_absent"
	case CodeNumber, CodeIdentifier, CodeTime:
		return "fact_not_in_evidence"
	case CodeOtherEntity, CodePolarity:
		return "contradicted"
	case CodeKnowledge:
		return "knowledge_as_fact"
	case CodeNoBinding, CodeFailedCall, CodeNotConfirmed, CodeGuess, CodeSymptomOnly, CodeNoSourceID:
		return "unsupported_claim"
	case CodeExtraFact, CodeExtraValue, CodeUpgraded, CodeNotChinese, CodeHiddenGap:
		return "extra_fact"
	default:
		return "schema_violation"
	}
}

// causeOrder is the order of Report.Causes.
var causeOrder = []string{"malformed_output", "schema_violation", "missing_ref", "tool_mismatch", "excerpt_absent", "fact_not_in_evidence", "contradicted", "knowledge_as_fact", "unsupported_claim", "extra_fact", "no_confirmed_claims"}

// contradicts reports whether a blocking finding says that the evidence shows the
// opposite, rather than nothing.
func contradicts(c Code) bool {
	return c == CodeOtherEntity || c == CodePolarity
}
