package gate

// Explain says what a finding's code means and what to do about it; ok is false for a
// code that does not exist.
func Explain(c Code) (Message, bool) {
	m, ok := explanations[c]
	return m, ok
}

// explanations is the text behind each code, for people who look it up.
var explanations = map[Code]Message{
	CodeNotObject:    {"Executor 的输出不是一个 JSON 对象，没有可核验的契约。检查提示词或 JSON 模式。", "The Executor's output is no JSON object, so there is no contract to check. Look at the prompt or the JSON mode."},
	CodeVersion:      {"answer_version 不是已知的契约版本（executor_evidence_v1 或 executor_evidence_v2）。", "answer_version is no known contract version (executor_evidence_v1 or executor_evidence_v2)."},
	CodeMissingField: {"契约要求的字段没有出现。", "A field that the contract requires is not there."},
	CodeWrongType:    {"字段的类型不对，例如该是数组的地方写成了文字。", "A field has the wrong type, such as text where an array belongs."},
	CodeBadEnum:      {"取值不在允许的范围内，例如 support_level 只能是 direct、indirect、none、contradicted。", "A value outside the allowed set: support_level is direct, indirect, none or contradicted."},
	CodeDuplicateID:  {"两条结论用了同一个 claim_id，无法区分它们的判定。", "Two claims share a claim_id, so their verdicts cannot be told apart."},
	CodeRemovedField: {"这个字段在该契约版本里已经取消；内容仍会被审计。", "This contract version no longer has the field; its text is audited all the same."},
	CodeUnknownField: {"契约里没有这个字段；已原样保留。", "The contract has no such field; it is kept as it is."},
	CodeAbsentArray:  {"应当出现的数组没有出现；没有内容时请写空数组。", "An array that should be there is absent; write an empty one when there is nothing."},
	CodeLongExcerpt:  {"摘录超过 500 个字符。只引用承载事实的那几行。", "The excerpt is longer than 500 characters. Quote only the lines that carry the fact."},
	CodeNoBinding:    {"结论没有绑定任何证据。没有证据的内容应放进假设。", "The claim is bound to no evidence. What has none belongs to the hypotheses."},
	CodeMissingRef:   {"引用的 trace 或证据块在本次会话里不存在，等于没有证据。", "The cited trace or block does not exist in this session: a missing reference is no evidence."},
	CodeWrongTool:    {"绑定里写的工具不是该 trace 的工具，说明引用对不上。", "The binding names another tool than that of the trace, so the reference does not fit."},
	CodeWrongCall:    {"绑定里的调用编号不属于该 trace。", "An invocation id in the binding is not of that trace."},
	CodeAbsent:       {"摘录不在所引 trace 的输出里：可能是编造的，也可能引错了 trace。", "The excerpt does not stand in the output of the cited trace: it is made up, or the wrong trace is cited."},
	CodeNear:         {"摘录与原文有出入（改写或概括），但其中的数字和名称都能找到。", "The excerpt differs from the source (edited or summarised), but its numbers and names are there."},
	CodeFailedCall:   {"证据来自失败、超时或没有返回内容的调用，不能证明正面的事实。", "The evidence comes from a call that failed, timed out or returned nothing: it proves no positive fact."},
	CodeTooCommon:    {"摘录太短或太常见，出现在很多地方，不足以作证。", "The excerpt is too short or too common: it stands in very many places and proves little."},
	CodeArgumentEcho: {"摘录只出现在调用参数里，那是提问的内容，不是工具的回答。", "The excerpt stands in the call's arguments only: it echoes the question and is no answer."},
	CodeAmbiguous:    {"摘录在几个地方同样接近，无法确定是哪一处。", "The excerpt is equally near to several places, so it is unclear which one is meant."},
	CodeNoSourceID:   {"绑定没有写来源，只凭摘录找到了唯一的出处。", "The binding names no source; its excerpt stands in exactly one trace."},
	CodeNumber:       {"结论里的数字（连同单位）不在证据里，也不能由证据一步算出。不超过两位数的计数由人数出，代码看不到数的是什么：只作警告。", "A number of the claim, with its unit, is in none of its evidence, nor one step from it. A count of at most two digits is made by reading, and code cannot see of what: it only warns."},
	CodeIdentifier:   {"结论里的名称（主机、服务、Pod、版本、路径等）不在证据里。", "A name in the claim (host, service, pod, version, path …) is in none of its evidence."},
	CodeTime:         {"结论里的时间不在证据里（已考虑时区）。", "A time in the claim lies outside its evidence (zones considered)."},
	CodeOtherEntity:  {"数字本身在证据里，但属于另一个对象、另一行或另一个序列。", "The number is in the evidence, but there it belongs to another entity, row or series."},
	CodeNotConfirmed: {"support_level 是 none 或 contradicted：Executor 自己也没有确认这条结论。", "support_level is none or contradicted: the Executor itself does not confirm the claim."},
	CodePolarity:     {"结论说发生了，证据说没有（或相反）。", "The claim says that it happened and the evidence that it did not, or the reverse."},
	CodeKnowledge:    {"只有知识库、技能或历史案例支持这条结论；一般规律不能当作本次的事实。", "Only knowledge, skill or history text supports the claim; a general pattern is no fact of the present."},
	CodeGuess:        {"确认的结论用了猜测的说法（可能、疑似……），应放进假设。", "A confirmed claim is worded as a guess (maybe, possibly …); it belongs to the hypotheses."},
	CodeSymptomOnly:  {"因果结论标成 direct，但证据只显示现象。", "A causal claim is marked direct, but its evidence shows only the symptom."},
	CodeExtraFact:    {"回答陈述了没有任何结论支持的内容。", "The answer states as confirmed what no claim states."},
	CodeExtraValue:   {"回答里的数字、时间或名称在任何结论里都没有。", "The answer has a number, time or name that no claim has."},
	CodeUpgraded:     {"回答把一条假设说成了事实。", "The answer states a hypothesis as a fact."},
	CodeNotChinese:   {"回答不是中文；会改用由结构渲染的中文回答。", "The answer is not Chinese; the rendering of the structure is used instead."},
	CodeHiddenGap:    {"有缺失的信息，回答里没有提到。", "Information is missing and the answer does not say so."},
}
