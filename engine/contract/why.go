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

// WhyZH gives the Chinese wording of a Coercion.Why or Edit.Why; a reason that
// it does not know comes back unchanged.
func WhyZH(why string) string {
	if zh, ok := whyZH[why]; ok {
		return zh
	}
	return why
}

var whyZH = map[string]string{
	WhyKeyCase:       "字段名大小写或写法不同",
	WhyDuplicate:     "字段名重复，以最后一个为准",
	WhyArrayOfOne:    "应为单个值，却写成只有一项的数组",
	WhyLoneSurrogate: "孤立代理项的转义不代表任何字符，按原样保留",
	WhyToString:      "应为字符串，却写成其他标量",
	WhyNullArray:     "应为数组，却写成 null",
	WhyScalarArray:   "应为数组，却写成单个值",
	WhyNullItem:      "数组中的 null 已略去",
	WhyWholeNumber:   "整数的另一种写法",
	WhyStringID:      "整数写成了字符串",
	WhyStringJSON:    "JSON 被写进了字符串",
	WhyEnum:          "已知取值的另一种写法",
	WhyVersion:       "版本号的另一种写法",
	WhyNoVersion:     "缺少版本号，按字段推断",
	WhyKeyedByID:     "应为数组，却写成以编号为键的对象",
	WhyWrapped:       "已从外层结构中取出",
	WhyNoID:          "结论没有编号，按位置命名",
	WhyNestedArray:   "数组套数组，已展开",
}
