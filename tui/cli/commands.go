package cli

import (
	"slices"

	"claimscope/tui/text"
)

// Flags that several commands share.
var (
	sessionsFlag = flag{name: "sessions", kind: word, value: "DIR", setting: true, usage: text.Label{ZH: "会话文件所在目录", EN: "folder of the session files"}}
	jsonFlag     = flag{name: "json", kind: onOff, usage: text.Label{ZH: "打印 JSON", EN: "print JSON"}}
	quietFlag    = flag{name: "quiet", short: "q", kind: onOff, usage: text.Label{ZH: "stderr 上不显示进度", EN: "no progress on stderr"}}
	verboseFlag  = flag{name: "verbose", short: "v", kind: onOff, usage: text.Label{ZH: "stderr 上显示每一步，不是终端时也显示", EN: "each step on stderr, also where that is no terminal"}}
)

// setFlag takes any setting by its name.
const setFlag = "set"

// jsonOf is the JSON flag with what it prints.
func jsonOf(zh, en string) flag {
	f := jsonFlag
	f.usage = text.Label{ZH: zh, EN: en}
	return f
}

// runSettings are the settings of a run.
func runSettings() []flag {
	set := func(name, value, zh, en string) flag {
		return flag{name: name, kind: word, value: value, setting: true, usage: text.Label{ZH: zh, EN: en}}
	}
	return []flag{
		set("contract", "v1|v2", "契约版本（默认 v2）", "contract version (default v2)"),
		set("gate", "MODE", "代码核验：off、warn 或 enforce（默认）", "what the code check may do: off, warn or enforce (default)"),
		set("malformed-policy", "MODE", "输出残缺时：cap（默认，最高 LOW_CONFID）或 verifier", "on malformed output: cap (default, LOW_CONFID at best) or verifier"),
		set("retries", "N", "首次之后最多重试几次（默认 1）", "retries after the first attempt (default 1)"),
		set("prompts", "DIR", "用该目录里的提示词代替内置的", "folder of prompts that override the embedded ones"),
		set("base-url", "URL", "OpenAI 兼容端点，写到 /v1 为止", "OpenAI-compatible endpoint, up to and including /v1"),
		set("model", "NAME", "各阶段使用的模型", "model of every stage"),
		{name: "composer", kind: onOff, setting: true, usage: text.Label{ZH: "由模型润色回答（会审计）", EN: "let a model word the answer, audited"}},
		{name: setFlag, kind: words, value: "NAME=VALUE", usage: text.Label{ZH: "config.yaml 里的任意设置，如 executor.temperature=0.2，可重复", EN: "any setting of config.yaml, such as executor.temperature=0.2; may be repeated"}},
		sessionsFlag,
	}
}

// oneSession says that a session is missing.
var oneSession = text.Label{ZH: "缺少会话：写它的 id、id 的开头或文件名；claimscope list 列出全部", EN: "no session given: write its id, the beginning of it, or a file; claimscope list shows them"}

// consoleEntry is what runs without a command's name.
func consoleEntry() command {
	return command{
		args:    "[SESSION[#CLAIM]]",
		summary: text.Label{ZH: "打开控制台：会话列表、某个会话、某条结论", EN: "opens the console: on the session list, on a session, on a claim"},
		flags:   runSettings(), max: 1, run: (*App).consoleCommand,
	}
}

// commands lists the commands in the order of the help text.
func commands() []command {
	return slices.Concat(runCommands(), sessionCommands(), otherCommands())
}

func runCommands() []command {
	return []command{
		{
			name: "run", args: "[--incident NAME|DIR] [--query TEXT] [--replay ID | --resume ID] [--json]",
			summary: text.Label{ZH: "运行整条流水线，打印中文回答", EN: "run the pipeline and print the answer"},
			detail: text.Label{
				ZH: "回答打印到 stdout，进度与原因打印到 stderr。指定 --replay 时由录制的模型回复作答；否则用配置的端点；都没有时用该故障的内置录制，并会说明。",
				EN: "The answer goes to stdout, progress and causes to stderr. With --replay the recorded replies answer; otherwise the configured endpoint; otherwise the bundled recording of the incident, said aloud.",
			},
			flags: append([]flag{
				{name: "incident", kind: word, value: "NAME|DIR", usage: text.Label{ZH: "内置故障的名称，或故障目录", EN: "a bundled incident by name, or an incident folder"}},
				{name: "query", kind: word, value: "TEXT", usage: text.Label{ZH: "要问的问题（默认用故障自带的）", EN: "what to ask (by default the incident's question)"}},
				{name: "replay", kind: word, value: "ID", usage: text.Label{ZH: "由该会话录制的模型回复作答", EN: "session whose recorded model replies answer"}},
				{name: "resume", kind: word, value: "ID", usage: text.Label{ZH: "从中断处继续该会话（写在同一个文件里）", EN: "interrupted session to go on with, in its own file"}},
				jsonOf("打印评估记录（verifier_evaluation）", "print the evaluation record (verifier_evaluation)"), quietFlag, verboseFlag,
			}, runSettings()...),
			examples: []string{"claimscope run --incident payment-pool", "claimscope run --replay bundled-payment-pool-lowconfid --json"},
			run:      (*App).runCommand,
		},
		{
			name: "fork", args: "ID --mode verifier|executor|live [--repeat N] [--json]",
			summary: text.Label{ZH: "从一个会话分叉重跑", EN: "re-run from a recorded session"},
			detail: text.Label{
				ZH: "verifier：同样的输出再核验一次。executor：Executor 重跑，工具由录制作答。live：工具也是真的。原会话不会改变。",
				EN: "verifier: the same output is judged again. executor: the Executor runs anew, its tools answer from the recording. live: the tools are real too. The parent is never changed.",
			},
			flags: append([]flag{
				{name: "mode", kind: word, value: "MODE", standard: "verifier", usage: text.Label{ZH: "verifier（默认）、executor 或 live", EN: "verifier (default), executor or live"}},
				{name: "repeat", kind: number, value: "N", standard: "1", usage: text.Label{ZH: "重复几次，并统计各种判定", EN: "how often; then the verdicts are counted"}},
				jsonOf("打印评估记录，重复时打印统计", "print the evaluation record, or the counts of repeats"), quietFlag, verboseFlag,
			}, runSettings()...),
			min: 1, max: 1, missing: oneSession,
			examples: []string{"claimscope fork bundled-payment-pool-pass --mode verifier", "claimscope fork 20261130-154501-x7k2 --mode executor --repeat 10"},
			run:      (*App).forkCommand,
		},
		{
			name: "verify", args: "FILE… [--raw-output FILE] [--json]",
			summary: text.Label{ZH: "不用模型，解析并核验案例、快照或会话", EN: "parse and gate a case, a snapshot or a session, without any model"},
			detail: text.Label{
				ZH: "文件可以是案例（claimscope_case_v1）、快照（Verifier 看到的六个字段）或会话；- 表示标准输入。多个文件并行核验，按给出的顺序打印。退出码 0：全部核实；3：有文件未通过或无法核对；2：有文件读不了。",
				EN: "A file is a case (claimscope_case_v1), a snapshot (the six fields that a Verifier sees) or a session; - is standard input. Several are checked on all cores and printed in the order given. Exit code 0: all is proven; 3: something is blocked or could not be checked; 2: a file could not be read.",
			},
			flags: []flag{
				jsonOf("每个文件打印一行 JSON", "one JSON object a file, one a line"),
				{name: "raw-output", kind: words, value: "FILE", usage: text.Label{ZH: "把文件内容当作 Executor 的最终输出（没有 trace）", EN: "take the file's bytes as the Executor's final output, without traces"}},
				sessionsFlag,
			},
			max:      -1,
			examples: []string{"claimscope verify *.case.json", "claimscope verify --json - < snapshot.json"},
			run:      (*App).verifyCommand,
		},
	}
}

func sessionCommands() []command {
	limit := flag{name: "limit", kind: number, value: "N", usage: text.Label{ZH: "只列出最新的 N 个", EN: "the newest N only"}}
	return []command{
		{
			name: "list", args: "[--limit N] [--json]",
			summary: text.Label{ZH: "列出会话，最新的在前", EN: "list sessions, newest first"},
			flags:   []flag{jsonOf("每个会话打印一行 JSON", "one JSON object a session, one a line"), limit, sessionsFlag},
			run:     (*App).listCommand,
		},
		{
			name: "show", args: "ID [--why] [--json]",
			summary: text.Label{ZH: "显示一个会话；--why 只显示从判定到原因的路径", EN: "show a session; --why prints only the path from verdict to cause"},
			flags: []flag{
				{name: "why", kind: onOff, usage: text.Label{ZH: "只显示：判定 ← 原因 ← 结论 ← 证据绑定 ← trace 的那一行", EN: "only: verdict ← cause ← claim ← binding ← line of the trace"}},
				jsonOf("打印评估记录（verifier_evaluation）", "print the evaluation record (verifier_evaluation)"), sessionsFlag,
			},
			min: 1, max: 1, missing: oneSession,
			examples: []string{"claimscope show bundled-payment-pool-lowconfid --why"},
			run:      (*App).showCommand,
		},
		{
			name: "diff", args: "A B [--json]",
			summary: text.Label{ZH: "比较两个会话：结论增减与改写、证据变化、判定翻转", EN: "compare two sessions: claims gained, lost, reworded; bindings changed; verdicts flipped"},
			detail: text.Label{
				ZH: "退出码 0：结论、证据、判定与原因都相同；3：有差异。提示词与参数的差异会列出，但不算结果的差异。",
				EN: "Exit code 0: the same claims, evidence, verdicts and causes; 3: they differ. Other prompts or parameters are told, but are no difference in the outcome.",
			},
			flags: []flag{jsonOf("打印一个 JSON 对象", "print one JSON object"), sessionsFlag},
			min:   2, max: 2, missing: text.Label{ZH: "需要两个会话：id、id 的开头或文件名", EN: "want two sessions: an id, the beginning of one, or a file"},
			examples: []string{"claimscope diff 20261130-154501-x7k2 20261130-160210-m3pd"},
			run:      (*App).diffCommand,
		},
		{
			name: "export", args: "ID [--format md|html|json|case]",
			summary: text.Label{ZH: "导出会话到 stdout", EN: "write a session to stdout in another form"},
			flags: []flag{
				{name: "format", kind: word, value: "FORMAT", standard: "md", usage: text.Label{ZH: "md（默认）、html、json 或 case", EN: "md (default), html, json or case"}}, sessionsFlag,
			},
			min: 1, max: 1, missing: oneSession,
			examples: []string{"claimscope export bundled-payment-pool-pass --format html > report.html"},
			run:      (*App).exportCommand,
		},
		{
			name: "import", args: "FILE|- [--format FORMAT] [--traces DIR]",
			summary: text.Label{ZH: "从别处导入会话，打印它的 id", EN: "bring a session in from elsewhere and print its id"},
			flags: []flag{
				{name: "format", kind: word, value: "FORMAT", usage: text.Label{ZH: importFormats() + "；省略时自动识别", EN: importFormats() + "; found out when left out"}},
				{name: "traces", kind: word, value: "DIR", usage: text.Label{ZH: "原始输出所在目录，文件以 trace ref 命名，如 trace-1.txt", EN: "folder of raw outputs named by trace ref, such as trace-1.txt"}}, sessionsFlag,
			},
			min: 1, max: 1, missing: text.Label{ZH: "缺少文件；- 表示标准输入", EN: "no file given; - is standard input"},
			examples: []string{"claimscope import snapshot.json --traces ./raw"},
			run:      (*App).importCommand,
		},
		{
			name: "rm", args: "ID…",
			summary: text.Label{ZH: "删除会话", EN: "remove sessions"},
			flags:   []flag{sessionsFlag},
			min:     1, max: -1, missing: oneSession,
			run: (*App).rmCommand,
		},
		{
			name: "prune", args: "[--keep N] [--older-than AGE] [--yes]",
			summary: text.Label{ZH: "清理旧会话；不加 --yes 只列出", EN: "remove old sessions; without --yes only tell which"},
			detail:  text.Label{ZH: "已复核的、正在写入的和内置的会话会保留。", EN: "Reviewed sessions, those being written and bundled ones stay."},
			flags: []flag{
				{name: "keep", kind: number, value: "N", usage: text.Label{ZH: "保留最新的 N 个", EN: "keep the newest N"}},
				{name: "older-than", kind: word, value: "AGE", usage: text.Label{ZH: "删除早于此的，如 30d、12h", EN: "remove those older than this, such as 30d or 12h"}},
				{name: "yes", kind: onOff, usage: text.Label{ZH: "真的删除", EN: "do it"}}, sessionsFlag,
			},
			examples: []string{"claimscope prune --older-than 30d --keep 100 --yes"},
			run:      (*App).pruneCommand,
		},
	}
}

func otherCommands() []command {
	return []command{
		{
			name:    "demo",
			summary: text.Label{ZH: "用内置故障讲解证据契约", EN: "a guided tour of the contract on the bundled incidents"},
			run:     (*App).demoCommand,
		},
		{
			name: "incident", args: "check DIR", verbs: []string{"check"},
			summary: text.Label{ZH: "检查故障目录", EN: "validate an incident folder"},
			min:     1, max: 1, missing: text.Label{ZH: "缺少目录", EN: "no folder given"},
			examples: []string{"claimscope incident check ./my-incident"},
			run:      (*App).incidentCommand,
		},
		{
			name: "prompts", args: "export DIR", verbs: []string{"export"},
			summary: text.Label{ZH: "导出提示词以便编辑；用 --prompts DIR 使用它们", EN: "write the prompts out for editing; --prompts DIR uses them"},
			min:     1, max: 1, missing: text.Label{ZH: "缺少目录", EN: "no folder given"},
			examples: []string{"claimscope prompts export ./prompts"},
			run:      (*App).promptsCommand,
		},
		{
			name: "schema", args: "v1|v2", verbs: []string{"v1", "v2"},
			summary: text.Label{ZH: "打印证据契约的 JSON Schema", EN: "print the JSON Schema of the contract"},
			run:     (*App).schemaCommand,
		},
		{
			name:    "doctor",
			summary: text.Label{ZH: "检查配置、端点与目录", EN: "show what is configured, what answers, what is missing"},
			flags:   runSettings(),
			run:     (*App).doctorCommand,
		},
		{
			name:    "version",
			summary: text.Label{ZH: "版本信息", EN: "build data"},
			run:     (*App).versionCommand,
		},
		{
			name: "help", args: "[COMMAND]",
			summary: text.Label{ZH: "本帮助，或某个命令的帮助", EN: "this help, or that of a command"},
			max:     1,
			run:     (*App).helpCommand,
		},
	}
}
