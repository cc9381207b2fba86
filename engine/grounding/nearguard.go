package grounding

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is one word, number or identifier of a view, or one Chinese character or
// word that carries a fact.
type token struct {
	text string // folded
	hard bool   // changing it changes what is said
}

// hardWords are the words whose change, loss or gain turns a statement around, folded:
// negations, outcomes, limits, and pairs of opposites that look alike. Other opposites
// (open, closed) are told apart by [sameWord].
var hardWords = wordSet(`not no nor never none neither without cannot cant isnt wasnt arent werent dont didnt doesnt wont hasnt couldnt nothing
	only except unless always almost hardly partially partly
	fail fails failed failing failure failures success successful successfully succeed succeeds succeeded
	true false yes null nil unable able ready missing
	enable enabled enables disable disabled disables increase increased increases increasing decrease decreased decreases decreasing
	internal external inbound outbound ingress egress import export imported exported include included includes exclude excluded excludes
	encode encoded decode decoded minimum maximum upload download http https primary secondary`)

// units are the words that say what a number before them counts.
var units = wordSet(`ns us µs μs ms s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days
	week weeks month months year years b byte bytes bit bits k kb mb gb tb pb kib mib gib tib pib ki mi gi ti pi g t
	kbps mbps gbps bps qps tps rps hz khz mhz ghz core cores cpu cpus thread threads connection connections
	percent times requests request errors retries pods nodes`)

// smallWords are the words that a quote may swap.
var smallWords = wordSet(`a an the is are was were be been has have had do does did to of at by for from with and or as it its this that which`)

// hardHan are the Chinese characters, and hardHanWords the words, whose change turns
// a statement around or changes a number.
const hardHan = "未没沒無无不非否勿别毋莫真假零〇一二两三四五六七八九十百千万亿半"

var hardHanWords = []string{
	"成功", "失败", "失效", "有效", "正常", "异常", "上升", "下降", "升高", "降低", "上涨", "下跌", "增加", "减少", "增长", "缩减",
	"开启", "关闭", "启动", "停止", "启用", "禁用", "打开", "恢复", "中断", "存在", "缺失", "超过", "低于", "高于", "达到", "不足",
	"之前", "之后", "以上", "以下", "大于", "小于", "等于", "最大", "最小", "最高", "最低", "允许", "拒绝", "断开", "可用",
	"内部", "外部", "上游", "下游", "主库", "从库", "写入", "读取", "发送", "接收", "新增", "删除", "就绪", "健康", "扩容", "缩容",
	"部分", "全部", "首次", "末次", "提前", "延后", "同步", "异步",
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// tokens gives the tokens of a view, in order.
func (v view) tokens() []token {
	var all []token
	han := 0
	for _, r := range v.runes {
		if isCJK(r) {
			han += 3 // it says as much as a few letters
		} else if isWord(r) && !isDigit(r) {
			han--
		}
	}
	number := false // the last token was a number
	for i := 0; i < len(v.runes); {
		r := v.runes[i]
		switch {
		case isWord(r):
			end := v.wordEnd(i)
			word := string(v.runes[i:end])
			t := token{text: word, hard: hardWord(word, v.text(i, end)) || number && units[word] || han > 0}
			all = append(all, t)
			number = strings.ContainsFunc(word, isDigit)
			i = end
		case isCJK(r):
			n := hanFact(v.runes[i:])
			if n == 0 && number && special(r) == 0 {
				n = 1 // what is counted
			}
			if n > 0 {
				all = append(all, token{text: string(v.runes[i : i+n]), hard: true})
			}
			number = number && n == 0
			i += max(n, 1)
		default:
			if v.hardSign(i) {
				all = append(all, token{text: string(r), hard: true})
			}
			number = number && r == ' '
			i++
		}
	}
	return all
}

// hardSign reports whether the mark at rune i says something: a comparison, a sign of a
// number, a percentage, a currency. The head of an arrow (->, =>) does not.
func (v view) hardSign(i int) bool {
	var before, after rune
	if i > 0 {
		before = v.runes[i-1]
	}
	if i+1 < len(v.runes) {
		after = v.runes[i+1]
	}
	switch v.runes[i] {
	case '%', '‰', '<', '≤', '≥', '≠', '±', '$', '€', '£', '¥':
		return true
	case '>':
		return before != '-' && before != '='
	case '!':
		return after == '='
	case '-', '+':
		return isDigit(after) && !isWord(before)
	}
	return false
}

// wordEnd gives the end of the word that starts at rune i, with the parts that
// joints add to it.
func (v view) wordEnd(i int) int {
	for i++; i < len(v.runes) && !v.parted[i]; i++ {
		r := v.runes[i]
		if isWord(r) {
			continue
		}
		joins := isJoint(r) || separates(r) && isDigit(v.runes[i-1])
		if !joins || i+1 == len(v.runes) || !isWord(v.runes[i+1]) || v.parted[i+1] {
			break
		}
		if r == ',' && !isDigit(v.runes[i+1]) {
			break
		}
	}
	return i
}

// hardWord reports whether a word must not differ: numbers and what contains them,
// identifiers by their shape, and words that turn a statement around.
func hardWord(folded, raw string) bool {
	if hardWords[folded] || strings.ContainsFunc(folded, func(r rune) bool { return isDigit(r) || isJoint(r) || r == '_' || r == ':' }) {
		return true
	}
	upper := strings.IndexFunc(raw, unicode.IsUpper)
	if upper < 0 {
		return false
	}
	// CamelCase and CAPITALS have a capital behind the first letter.
	_, first := utf8.DecodeRuneInString(raw[upper:])
	return upper > 0 || strings.ContainsFunc(raw[upper+first:], unicode.IsUpper)
}

// hanFact gives the length of the fact word that Chinese text starts with, or 0.
func hanFact(runes []rune) int {
	if strings.ContainsRune(hardHan, runes[0]) {
		return 1
	}
	if len(runes) > 1 && slices.Contains(hardHanWords, string(runes[:2])) {
		return 2
	}
	return 0
}

// hardTexts gives the folded texts of the hard tokens of a view.
func (v view) hardTexts() [][]byte {
	var all [][]byte
	for _, t := range v.tokens() {
		if t.hard {
			all = append(all, []byte(t.text))
		}
	}
	return all
}

// faithful reports whether the excerpt and the source have the same hard tokens in
// the same order, and no word of one stands for a different word of the other. A
// token that is hard on one side is hard on both.
func faithful(excerpt, source view) bool {
	a, b := excerpt.tokens(), source.tokens()
	hard := map[string]bool{}
	for _, t := range slices.Concat(a, b) {
		if t.hard {
			hard[t.text] = true
		}
	}
	only := func(all []token) []string {
		var texts []string
		for _, t := range all {
			if hard[t.text] {
				texts = append(texts, t.text)
			}
		}
		return texts
	}
	return slices.Equal(only(a), only(b)) && sameWords(a, b)
}

// sameWords reports whether, where two rows of words differ, the words that stand
// for each other are forms of one word or small words.
func sameWords(a, b []token) bool {
	ids := map[string]rune{}
	path := align(wordIDs(a, ids), wordIDs(b, ids))
	var gone, come []string
	i, j := 0, 0
	for k := 0; k <= len(path); k++ {
		equal := k < len(path) && path[k] == stepBoth && a[i].text == b[j].text
		if equal || k == len(path) {
			for n := range min(len(gone), len(come)) {
				if !sameWord(gone[n], come[n]) {
					return false
				}
			}
			gone, come = nil, nil
			i, j = i+1, j+1
			continue
		}
		if path[k] != stepSource {
			gone = append(gone, a[i].text)
			i++
		}
		if path[k] != stepExcerpt {
			come = append(come, b[j].text)
			j++
		}
	}
	return true
}

// wordIDs numbers the words so that they can be aligned like runes.
func wordIDs(all []token, ids map[string]rune) []rune {
	row := make([]rune, len(all))
	for i, t := range all {
		if ids[t.text] == 0 {
			ids[t.text] = rune(len(ids) + 1)
		}
		row[i] = ids[t.text]
	}
	return row
}

// sameWord reports whether two words are forms of one word (restart, restarting), or
// one is a slip of the other, or both are small words. A prefix that negates makes
// another word.
func sameWord(a, b string) bool {
	if smallWords[a] && smallWords[b] {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if prefix, ok := strings.CutSuffix(b, a); ok && len(prefix) <= 4 {
		return len(prefix) == 1
	}
	prefix := 0
	for prefix < len(a) && a[prefix] == b[prefix] {
		prefix++
	}
	if prefix >= 4 && prefix*3 >= len(b)*2 {
		return true
	}
	slips := 0
	switch {
	case len(a) >= 6:
		slips = len(a) / 3
	case len(a) == 5:
		slips = 1
	}
	return distance([]rune(a), []rune(b)) <= slips
}
