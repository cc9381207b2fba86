package contract

// Reasons of coercions, as they stand in Coercion.Why.
const (
	WhyKeyCase       = "field name in another case"
	WhyDuplicate     = "duplicate field name; the last one counts"
	WhyArrayOfOne    = "an array of one where a single value belongs"
	WhyLoneSurrogate = "escape of a lone surrogate stands for no character; kept as written"
	WhyToString      = "a scalar where a string belongs"
	WhyNullArray     = "null where an array belongs"
	WhyScalarArray   = "a single value where an array belongs"
	WhyNullItem      = "null in an array dropped"
	WhyWholeNumber   = "a whole number written another way"
	WhyStringID      = "an integer written as a string"
	WhyStringJSON    = "JSON written into a string"
	WhyEnum          = "another spelling of a known word"
	WhyVersion       = "another spelling of the version"
	WhyNoVersion     = "version missing; taken from the fields"
	WhyKeyedByID     = "an object keyed by id where an array belongs"
	WhyWrapped       = "unwrapped from an outer value"
	WhyNoID          = "claim without id; named by its position"
	WhyNestedArray   = "an array in an array flattened"
)

// Reasons of edits, as they stand in Edit.Why.
const (
	WhyBOM            = "byte-order mark"
	WhyFence          = "code fence"
	WhyProse          = "prose around the object"
	WhyOtherObject    = "another object"
	WhyReasoning      = "reasoning block"
	WhyToken          = "chat-template token"
	WhyBlank          = "white space that JSON does not know"
	WhyComment        = "comment"
	WhyQuoteMark      = "mark of a quoted line"
	WhyEllipsis       = "placeholder for what was left out"
	WhyJunk           = "text that belongs to no value"
	WhyLeadingComma   = "comma before the first item"
	WhyTrailingComma  = "comma behind the last item"
	WhyDoubledComma   = "doubled comma"
	WhyMissingComma   = "missing comma"
	WhyFullWidth      = "separator of another form"
	WhyBracket        = "bracket of another form"
	WhyMissingBracket = "missing bracket"
	WhyExtraBracket   = "bracket too many"
	WhyMissingColon   = "missing colon"
	WhyMissingValue   = "missing value"
	WhyCut            = "the text ends here"
	WhyKeyQuotes      = "quotes of a field name"
	WhyQuotes         = "quotes of another form"
	WhyMissingQuote   = "missing closing quote"
	WhyInnerQuote     = "quote inside a string, not escaped"
	WhyControl        = "control character inside a string, not escaped"
	WhyEscape         = "escape that JSON does not know"
	WhyNoQuotes       = "text without quotes"
	WhyLiteral        = "value in another notation"
	WhyConcatenation  = "strings joined by +"
	WhyEscapedQuotes  = "every quote was escaped"
	WhyEntities       = "quotes written as HTML entities"
)

// WhyZH gives the Chinese wording of a Coercion.Why or Edit.Why; a reason that
// it does not know comes back unchanged.
func WhyZH(why string) string {
	if zh, ok := whyZH[why]; ok {
		return zh
	}
	return why
}

var whyZH = map[string]string{
	WhyKeyCase:        "字段名大小写或写法不同",
	WhyDuplicate:      "字段名重复，以最后一个为准",
	WhyArrayOfOne:     "应为单个值，却写成只有一项的数组",
	WhyLoneSurrogate:  "孤立代理项的转义不代表任何字符，按原样保留",
	WhyToString:       "应为字符串，却写成其他标量",
	WhyNullArray:      "应为数组，却写成 null",
	WhyScalarArray:    "应为数组，却写成单个值",
	WhyNullItem:       "数组中的 null 已略去",
	WhyWholeNumber:    "整数的另一种写法",
	WhyStringID:       "整数写成了字符串",
	WhyStringJSON:     "JSON 被写进了字符串",
	WhyEnum:           "已知取值的另一种写法",
	WhyVersion:        "版本号的另一种写法",
	WhyNoVersion:      "缺少版本号，按字段推断",
	WhyKeyedByID:      "应为数组，却写成以编号为键的对象",
	WhyWrapped:        "已从外层结构中取出",
	WhyNoID:           "结论没有编号，按位置命名",
	WhyNestedArray:    "数组套数组，已展开",
	WhyBOM:            "字节序标记",
	WhyFence:          "代码围栏",
	WhyProse:          "对象之外的文字",
	WhyOtherObject:    "另一个对象",
	WhyReasoning:      "思考内容",
	WhyToken:          "对话模板标记",
	WhyBlank:          "JSON 不认的空白",
	WhyComment:        "注释",
	WhyQuoteMark:      "引用行的标记",
	WhyEllipsis:       "省略占位",
	WhyJunk:           "不属于任何值的文字",
	WhyLeadingComma:   "首项前多余的逗号",
	WhyTrailingComma:  "末项后多余的逗号",
	WhyDoubledComma:   "重复的逗号",
	WhyMissingComma:   "缺少逗号",
	WhyFullWidth:      "其他形式的分隔符",
	WhyBracket:        "其他形式的括号",
	WhyMissingBracket: "缺少括号",
	WhyExtraBracket:   "多余的括号",
	WhyMissingColon:   "缺少冒号",
	WhyMissingValue:   "缺少值",
	WhyCut:            "文本在此中断",
	WhyKeyQuotes:      "字段名的引号",
	WhyQuotes:         "其他形式的引号",
	WhyMissingQuote:   "缺少右引号",
	WhyInnerQuote:     "字符串内未转义的引号",
	WhyControl:        "字符串内未转义的控制字符",
	WhyEscape:         "JSON 不认的转义",
	WhyNoQuotes:       "没有引号的文本",
	WhyLiteral:        "其他写法的值",
	WhyConcatenation:  "用 + 连接的字符串",
	WhyEscapedQuotes:  "所有引号都被转义",
	WhyEntities:       "引号写成了 HTML 实体",
}
