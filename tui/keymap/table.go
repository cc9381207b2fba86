package keymap

import "claimscope/tui/text"

// Binding is a row of the table.
type Binding struct {
	Action Action
	Scope  Scope
	// Keys, the first being the one that hints show.
	Keys []string
	// Short is for the bottom bar, one or two words; Long for the help.
	Short, Long text.Label
}

func bind(a Action, s Scope, shortZH, shortEN, longZH, longEN string, keys ...string) Binding {
	return Binding{Action: a, Scope: s, Keys: keys, Short: text.Label{ZH: shortZH, EN: shortEN}, Long: text.Label{ZH: longZH, EN: longEN}}
}

// table is sorted by the order of the help.
var table = []Binding{
	bind(Quit, Global, "退出", "quit", "退出程序；有运行时先询问", "leave the program; asks first while something runs", "q"),
	bind(Interrupt, Global, "中断", "interrupt", "取消正在进行的运行；再按一次退出", "cancel what is running; again to leave", "ctrl+c"),
	bind(Suspend, Global, "挂起", "suspend", "挂起程序，回到 shell（fg 恢复）", "suspend the program, back to the shell (fg resumes)", "ctrl+z"),
	bind(ShowHelp, Global, "帮助", "help", "显示全部按键；在问题上：解释该问题", "show all keys; on a finding: explain it", "?"),
	bind(ToggleLang, Global, "语言", "language", "切换界面语言（中文／英文）", "switch the language of the console", "L"),
	bind(ToggleTheme, Global, "主题", "theme", "切换配色（深色、浅色、无色）", "switch colours (dark, light, none)", "T"),
	bind(Back, Global, "返回", "back", "返回、关闭或取消选择", "go back, close, or clear the selection", "esc", "backspace"),
	bind(Confirm, Global, "打开", "open", "打开，或跳到光标所指之处", "open, or go to what is under the cursor", "enter"),

	bind(Up, Global, "上", "up", "上移一行", "up a line", "up", "k"),
	bind(Down, Global, "下", "down", "下移一行", "down a line", "down", "j"),
	bind(Left, Global, "左", "left", "左移、折叠，或上一条轨迹", "left, fold, or the trace before", "left", "h"),
	bind(Right, Global, "右", "right", "右移、展开，或下一条轨迹", "right, unfold, or the next trace", "right", "l"),
	bind(PageUp, Global, "上页", "page up", "上翻一页", "up a page", "pgup", "ctrl+b"),
	bind(PageDown, Global, "下页", "page down", "下翻一页", "down a page", "pgdown", "ctrl+f"),
	bind(HalfUp, Global, "上半页", "half up", "上翻半页", "up half a page", "ctrl+u"),
	bind(HalfDown, Global, "下半页", "half down", "下翻半页", "down half a page", "ctrl+d"),
	bind(Home, Global, "开头", "top", "到开头", "to the start", "g", "home"),
	bind(End, Global, "末尾", "bottom", "到末尾", "to the end", "G", "end"),
	bind(SearchNext, Global, "下个", "next hit", "下一个搜索结果", "next search hit", "n"),
	bind(SearchPrev, Global, "上个", "previous hit", "上一个搜索结果", "previous search hit", "N"),

	bind(SearchStart, Sessions, "筛选", "filter", "边输入边筛选：文字、verdict:low_confid、cause:missing_ref、tool:query_logs、-排除", "filter as you type: text, verdict:low_confid, cause:missing_ref, tool:query_logs, -without", "/"),
	bind(NextBlocking, Sessions, "下个待查", "to check", "下一个 LOW_CONFID 或失败的会话", "next session that is LOW_CONFID or failed", "e"),
	bind(PrevBlocking, Sessions, "上个待查", "previous to check", "上一个 LOW_CONFID 或失败的会话", "previous session that is LOW_CONFID or failed", "E"),
	bind(Continue, Sessions, "重放", "replay", "用录制的回复重放该会话", "replay the session on its recorded replies", "c"),
	bind(Step, Sessions, "单步重放", "step", "重放该会话，停在第一个阶段之前", "replay the session, paused before its first stage", "s"),
	bind(Rerun, Sessions, "新运行", "new run", "在该会话的故障上提问，新开一次运行（有端点时用实时模型）", "ask a question on the session's incident, in a new run (live where an endpoint is configured)", "r"),
	bind(Resume, Sessions, "接续", "resume", "接续在判定之前停下的会话：从停下的阶段继续，写在同一个文件里", "go on with a session that stopped before its verdict, from the stage that it stopped in and in its own file", "u"),
	bind(Fork, Sessions, "分叉", "fork", "从该会话分叉重跑", "fork the session and run it anew", "f"),
	bind(Compare, Sessions, "对比", "compare", "选中会话以便对比；选第二个时开始对比", "choose a session to compare; the second one starts it", "d"),
	bind(Copy, Sessions, "复制编号", "copy id", "显示并复制会话编号，供命令行使用", "show and copy the session's id, for the command line", "y"),
	bind(Export, Sessions, "导出", "export", "导出为 Markdown、HTML、JSON 或用例", "export as Markdown, HTML, JSON or a case", "x"),

	bind(FocusNext, Debugger, "下一窗格", "next pane", "到下一个窗格", "to the next pane", "tab"),
	bind(FocusPrev, Debugger, "上一窗格", "previous pane", "到上一个窗格", "to the previous pane", "shift+tab"),
	bind(FocusPipeline, Debugger, "流程", "pipeline", "到流程窗格", "to the pipeline", "1"),
	bind(FocusClaims, Debugger, "结论", "claims", "到结论窗格", "to the claims", "2"),
	bind(FocusJSON, Debugger, "JSON", "JSON", "到 Executor JSON 窗格", "to the Executor's JSON", "3"),
	bind(FocusAnswer, Debugger, "答复", "answer", "到答复窗格", "to the answer", "4"),
	bind(FocusTrace, Debugger, "轨迹", "trace", "到工具轨迹窗格", "to the trace", "5"),
	bind(FocusHypotheses, Debugger, "假设", "hypotheses", "到假设与缺失信息窗格", "to hypotheses and missing info", "6"),
	bind(Zoom, Debugger, "放大", "zoom", "放大窗格，或恢复布局", "enlarge the pane, or put it back", "z"),

	bind(SearchStart, Debugger, "搜索", "search", "搜索；n、N 到下一个、上一个结果", "search; n and N go to the next hit and the previous one", "/"),
	bind(NextBlocking, Debugger, "下个问题", "finding", "下一个阻断问题", "next blocking finding", "e"),
	bind(PrevBlocking, Debugger, "上个问题", "previous finding", "上一个阻断问题", "previous blocking finding", "E"),
	bind(NextWarning, Debugger, "下个警告", "warning", "下一个警告", "next warning", "w"),
	bind(PrevWarning, Debugger, "上个警告", "previous warning", "上一个警告", "previous warning", "W"),
	bind(NextOccurrence, Debugger, "下一处", "occurrence", "证据的下一处出现", "next occurrence of the evidence", "."),
	bind(PrevOccurrence, Debugger, "上一处", "previous occurrence", "证据的上一处出现", "previous occurrence of the evidence", ","),

	bind(Step, Debugger, "单步", "step", "运行到下一个阶段边界；已录制的会话：单步重放", "run to the next stage boundary; a recorded session: replay it stepwise", "s"),
	bind(Continue, Debugger, "继续", "continue", "运行到下一个断点或结束；已录制的会话：重放", "run to the next breakpoint or the end; a recorded session: replay it", "c"),
	bind(Pause, Debugger, "暂停", "pause", "在下一个阶段边界暂停", "pause at the next stage boundary", "p"),
	bind(Breakpoints, Debugger, "断点", "break", "设置断点", "set breakpoints", "b"),
	bind(Edit, Debugger, "查看/编辑", "look, edit", "暂停时查看并编辑将要使用的请求、提示词或 Executor 输出", "while paused: look at and edit the request, the prompt or the Executor's output about to be used", "i"),
	bind(Skip, Debugger, "跳过", "skip", "暂停时跳过接下来的一步", "while paused: leave out what comes next", "K"),
	bind(Resume, Debugger, "接续", "resume", "接续在判定之前停下的会话：从停下的阶段继续，写在同一个文件里", "go on with a session that stopped before its verdict, from the stage that it stopped in and in its own file", "u"),
	bind(Fork, Debugger, "分叉", "fork", "在所示位置分叉会话，停在第一个阶段之前", "fork the session at the place shown, paused before its first stage", "f"),
	bind(EventBack, Debugger, "退一步", "event back", "在事件中后退一步", "one event back in time", "["),
	bind(EventForward, Debugger, "进一步", "event forward", "在事件中前进一步", "one event forward in time", "]"),
	bind(Rerun, Debugger, "重跑", "re-run", "从所选阶段重跑，工具答复来自录制", "re-run from the chosen stage on recorded tool replies", "r"),
	bind(RerunMany, Debugger, "多次重跑", "re-run N", "从所选阶段重跑多次并统计结论", "re-run from the chosen stage several times and count the verdicts", "R"),
	bind(VerifierView, Debugger, "Verifier 视角", "verifier", "显示 Verifier 收到的内容与被隐去的内容", "what the Verifier is given, and what is withheld from it", "v"),
	bind(Compare, Debugger, "对比", "compare", "与父会话或另一会话对比", "compare with the parent or another session", "d"),

	bind(Accept, Debugger, "接受", "accept", "接受 LOW_CONFID 判定", "accept the LOW_CONFID verdict", "a"),
	bind(Override, Debugger, "推翻", "override", "推翻判定，须写明理由和姓名", "override the verdict, with a reason and a name", "o"),
	bind(Mark, Debugger, "标注", "mark", "标注结论正确或错误", "mark the claim right or wrong", "m"),
	bind(Copy, Debugger, "复制", "copy", "复制结论及证据、轨迹片段或答复", "copy the claim with its evidence, the excerpt or the answer", "y"),
	bind(Export, Debugger, "导出", "export", "导出为 Markdown、HTML、JSON 或用例", "export as Markdown, HTML, JSON or a case", "x"),

	bind(ToggleFold, Claims, "折叠", "fold", "折叠或展开", "fold or unfold", " "),

	bind(ToggleFold, JSON, "折叠", "fold", "折叠或展开节点", "fold or unfold the node", " "),
	bind(ExpandAll, JSON, "全部展开", "expand all", "展开全部节点", "unfold everything", "+", "*"),
	bind(CollapseAll, JSON, "全部折叠", "collapse all", "折叠全部节点", "fold everything", "-"),
	bind(ToggleRaw, JSON, "原文", "raw", "切换原文与解析结果", "raw text or parsed tree", "t"),
	bind(ToggleWrap, JSON, "换行", "wrap", "切换自动换行（原文）", "wrap lines or scroll sideways (raw)", "Z"),
	bind(GotoLine, JSON, "到行", "go to line", "到指定行（原文）", "go to a line (raw)", ":"),

	bind(TogglePretty, Trace, "美化", "pretty", "JSON 美化显示", "pretty-print JSON", "J"),
	bind(ToggleRaw, Trace, "原文", "raw", "切换输出、参数与元数据", "output, or arguments and details", "t"),
	bind(ToggleWrap, Trace, "换行", "wrap", "切换自动换行与横向滚动", "wrap lines or scroll sideways", "Z"),
	bind(GotoLine, Trace, "到行", "go to line", "到指定行，或 @字节位置", "go to a line, or @byte offset", ":"),
	bind(ToggleFollow, Trace, "跟随", "follow", "跟随正在到来的输出", "follow output as it arrives", "F"),
	bind(SaveRaw, Trace, "保存", "save", "把原始字节存为文件", "save the raw bytes to a file", "S"),

	bind(SearchStart, Comparing, "搜索", "search", "搜索；n、N 到下一个、上一个结果", "search; n and N go to the next hit and the previous one", "/"),
	bind(ToggleWrap, Comparing, "仅变化", "changes", "只看变化或看全部", "changes only, or everything", "Z"),
	bind(FocusNext, Comparing, "另一侧", "other side", "选择左侧或右侧会话", "choose the left or the right session", "tab"),

	bind(FocusNext, Dialog, "下一项", "next", "下一项", "next item", "tab"),
	bind(FocusPrev, Dialog, "上一项", "previous", "上一项", "previous item", "shift+tab"),
	bind(SearchStart, Dialog, "搜索", "search", "搜索；n、N 到下一个、上一个结果", "search; n and N go to the next hit and the previous one", "/"),
	bind(Edit, Dialog, "编辑", "edit", "在外部编辑器中编辑所示内容", "edit what is shown in the external editor", "i"),
	bind(Skip, Dialog, "跳过", "skip", "跳过接下来的一步", "leave out what comes next", "K"),
	bind(SaveRaw, Dialog, "保存", "save", "把提示词存入提示词文件夹", "save the prompt into the folder of prompts", "S"),
	bind(Copy, Dialog, "复制", "copy", "复制所示文字", "copy the text shown", "y"),

	bind(Confirm, Input, "确定", "confirm", "确定", "confirm", "enter"),
	bind(Back, Input, "取消", "cancel", "取消", "cancel", "esc"),
	bind(Interrupt, Input, "中断", "interrupt", "取消并中断", "cancel and interrupt", "ctrl+c"),
	bind(Up, Input, "上一条", "older", "上一条历史", "older entry", "up"),
	bind(Down, Input, "下一条", "newer", "下一条历史", "newer entry", "down"),
}
