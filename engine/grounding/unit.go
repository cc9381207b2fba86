package grounding

import (
	"math/big"
	"strings"
)

// Dimension is what a unit measures. Quantities of different dimensions never
// compare equal.
type Dimension uint8

// The dimensions. Count holds bare numbers and numbers with a counter word (次, 个, rows).
const (
	Count     Dimension = iota
	Ratio               // percentages and 成, as fractions of one
	Multiple            // 倍, times
	Time                // in seconds
	Bytes               // in bytes
	CPU                 // in cores
	Rate                // per second
	Frequency           // in hertz
	Money               // in the main unit of a currency
)

// Unit is a dimension with the factor to its base unit.
type Unit struct {
	Dim    Dimension
	Factor *big.Rat
	Name   string
	// Explicit is false for a bare number, whose unit is unknown, and for counter words.
	Explicit bool
}

func rat(num, den int64) *big.Rat { return big.NewRat(num, den) }

var (
	one     = rat(1, 1)
	bare    = Unit{Dim: Count, Factor: one}
	percent = Unit{Dim: Ratio, Factor: rat(1, 100), Name: "%", Explicit: true}

	bareUnits, percentUnits = []Unit{bare}, []Unit{percent}
)

func unit(d Dimension, num, den int64, name string) Unit {
	return Unit{Dim: d, Factor: rat(num, den), Name: name, Explicit: true}
}

const (
	kibi = 1 << 10
	mebi = 1 << 20
	gibi = 1 << 30
	tebi = 1 << 40
	pebi = 1 << 50
)

// counter is a unit that only counts: it compares with bare numbers.
func counter(name string) Unit { return Unit{Dim: Count, Factor: one, Name: name} }

var (
	second      = unit(Time, 1, 1, "s")
	millisecond = unit(Time, 1, 1000, "ms")
	microsecond = unit(Time, 1, 1_000_000, "µs")
	nanosecond  = unit(Time, 1, 1_000_000_000, "ns")
	minute      = unit(Time, 60, 1, "min")
	hour        = unit(Time, 3600, 1, "h")
	day         = unit(Time, 86400, 1, "d")
	oneByte     = unit(Bytes, 1, 1, "B")
	kiB         = unit(Bytes, kibi, 1, "KiB")
	miB         = unit(Bytes, mebi, 1, "MiB")
	giB         = unit(Bytes, gibi, 1, "GiB")
	tiB         = unit(Bytes, tebi, 1, "TiB")
	kB          = unit(Bytes, 1000, 1, "kB")
	mB          = unit(Bytes, 1_000_000, 1, "MB")
	gB          = unit(Bytes, 1_000_000_000, 1, "GB")
	tB          = unit(Bytes, 1_000_000_000_000, 1, "TB")
	core        = unit(CPU, 1, 1, "core")
	milliCore   = unit(CPU, 1, 1000, "m")
	perSecond   = unit(Rate, 1, 1, "/s")
	byteRate    = unit(Rate, 1, 1, "B/s")
	bitRate     = unit(Rate, 1, 8, "bit/s")
	yuan        = unit(Money, 1, 1, "元")
	cent        = unit(Money, 1, 100, "cent")
)

// unitTable maps a written unit to what it can mean, the likeliest first. Keys are
// matched as written first, then in lower case. Decimal and binary sizes stay apart;
// only spellings that tools use for both (a bare letter, kB, lower-case mb) have two
// readings.
var unitTable = map[string][]Unit{
	"%": {percent}, "‰": {unit(Ratio, 1, 1000, "‰")}, "个百分点": {percent}, "百分点": {percent}, "percent": {percent}, "pct": {percent}, "pp": {percent},
	"成": {unit(Ratio, 1, 10, "成")},
	"倍": {unit(Multiple, 1, 1, "x")}, "times": {unit(Multiple, 1, 1, "x"), counter("times")},
	"ns": {nanosecond}, "纳秒": {nanosecond}, "us": {microsecond}, "µs": {microsecond}, "μs": {microsecond}, "微秒": {microsecond},
	"usec": {microsecond}, "microseconds": {microsecond}, "ms": {millisecond}, "毫秒": {millisecond}, "msec": {millisecond}, "millis": {millisecond},
	"milliseconds": {millisecond}, "millisecond": {millisecond}, "s": {second}, "sec": {second}, "secs": {second}, "second": {second}, "seconds": {second},
	"秒": {second}, "秒钟": {second}, "min": {minute}, "mins": {minute}, "minute": {minute}, "minutes": {minute}, "分钟": {minute}, "分": {minute},
	"h": {hour}, "hr": {hour}, "hrs": {hour}, "hour": {hour}, "hours": {hour}, "小时": {hour}, "个小时": {hour}, "钟头": {hour}, "个钟头": {hour},
	"d": {day}, "day": {day}, "days": {day}, "天": {day}, "周": {unit(Time, 7*86400, 1, "w")}, "星期": {unit(Time, 7*86400, 1, "w")}, "weeks": {unit(Time, 7*86400, 1, "w")},
	"个月": {unit(Time, 30*86400, 1, "mo")}, "年": {unit(Time, 365*86400, 1, "y")},
	"b": {oneByte}, "B": {oneByte}, "bytes": {oneByte}, "byte": {oneByte}, "字节": {oneByte}, "个字节": {oneByte},
	"Ki": {kiB}, "KiB": {kiB}, "kib": {kiB}, "Mi": {miB}, "MiB": {miB}, "mib": {miB}, "Gi": {giB}, "GiB": {giB}, "gib": {giB}, "Ti": {tiB}, "TiB": {tiB}, "tib": {tiB},
	"Pi": {unit(Bytes, pebi, 1, "PiB")}, "PiB": {unit(Bytes, pebi, 1, "PiB")},
	"KB": {kB, kiB}, "kB": {kB, kiB}, "kb": {kiB, kB}, "MB": {mB}, "mb": {miB, mB}, "GB": {gB}, "gb": {giB, gB}, "TB": {tB}, "tb": {tiB, tB},
	"兆": {miB, mB}, "兆字节": {miB, mB}, "吉字节": {giB, gB},
	"k": {unit(Count, 1000, 1, "k"), kiB, kB}, "K": {unit(Count, 1000, 1, "K"), kiB, kB},
	"M": {miB, mB, unit(Count, 1_000_000, 1, "M")}, "G": {giB, gB, unit(Count, 1_000_000_000, 1, "G")}, "g": {giB, gB}, "T": {tiB, tB},
	"m": {minute, milliCore, miB, unit(Count, 1, 1000, "m")},
	"核": {core}, "个核": {core}, "个核心": {core}, "核心": {core}, "cores": {core}, "core": {core}, "vcpu": {core}, "vcpus": {core}, "毫核": {milliCore}, "millicores": {milliCore}, "millicore": {milliCore},
	"qps": {perSecond}, "tps": {perSecond}, "rps": {perSecond}, "ops": {perSecond}, "ops/s": {perSecond}, "req/s": {perSecond}, "次/秒": {perSecond}, "个/秒": {perSecond}, "条/秒": {perSecond}, "/s": {perSecond}, "/秒": {perSecond}, "每秒": {perSecond},
	"mb/s": {unit(Rate, 1_000_000, 1, "MB/s"), unit(Rate, mebi, 1, "MiB/s")}, "kb/s": {unit(Rate, 1000, 1, "kB/s"), unit(Rate, kibi, 1, "KiB/s")}, "gb/s": {unit(Rate, 1_000_000_000, 1, "GB/s")}, "b/s": {byteRate},
	"mib/s": {unit(Rate, mebi, 1, "MiB/s")}, "kib/s": {unit(Rate, kibi, 1, "KiB/s")}, "gib/s": {unit(Rate, gibi, 1, "GiB/s")},
	"bps": {bitRate}, "bit/s": {bitRate}, "bits/s": {bitRate}, "bits/sec": {bitRate}, "kbps": {unit(Rate, 1000, 8, "kbit/s")}, "kbit/s": {unit(Rate, 1000, 8, "kbit/s")},
	"mbps": {unit(Rate, 1_000_000, 8, "Mbit/s")}, "mbit/s": {unit(Rate, 1_000_000, 8, "Mbit/s")}, "mbits/sec": {unit(Rate, 1_000_000, 8, "Mbit/s")}, "兆比特/秒": {unit(Rate, 1_000_000, 8, "Mbit/s")},
	"gbps": {unit(Rate, 1_000_000_000, 8, "Gbit/s")}, "gbit/s": {unit(Rate, 1_000_000_000, 8, "Gbit/s")}, "gbits/sec": {unit(Rate, 1_000_000_000, 8, "Gbit/s")},
	"元": {yuan}, "块钱": {yuan}, "美元": {yuan}, "人民币": {yuan}, "cents": {cent}, "刻钟": {unit(Time, 15*60, 1, "quarter")},
	"hz": {unit(Frequency, 1, 1, "Hz")}, "khz": {unit(Frequency, 1000, 1, "kHz")}, "mhz": {unit(Frequency, 1_000_000, 1, "MHz")}, "ghz": {unit(Frequency, 1_000_000_000, 1, "GHz")},
}

// counterWords are Chinese and English words that only count what they stand before.
var counterWords = []string{
	"个", "次", "条", "台", "张", "行", "份", "人", "笔", "件", "批", "处", "项", "只", "块", "名", "家", "轮", "段", "组", "种", "类", "级", "层", "路", "枚", "套", "根", "位", "起", "封", "例", "副本", "节点", "实例", "连接", "线程", "请求", "记录", "键", "字段", "列", "页", "遍", "趟", "款", "句", "对", "片", "道", "支", "期", "列表",
}

var counterUnits = func() map[string][]Unit {
	m := make(map[string][]Unit, len(counterWords))
	for _, w := range counterWords {
		m[w] = []Unit{counter(w)}
	}
	return m
}()

// notUnits are words that begin like a unit or counter and are none: 20260608 分区.
var notUnits = []string{"分区", "分片", "分支", "分别", "分布", "分配", "分组", "分析", "成功", "成员", "成为", "成本", "位置", "级别", "行为", "条件", "类型", "层级", "段落", "路径", "节点的", "组件", "块级", "家族"}

var magnitudes = map[rune]int64{'十': 10, '百': 100, '千': 1000, '万': 10_000, '亿': 100_000_000}

// longestUnit finds the longest unit written at the start of s, which begins right
// after a number. It returns its readings and its length in bytes; none when s
// starts with no unit. A Latin unit must end at a word boundary.
func longestUnit(s string) ([]Unit, int) {
	best, size := []Unit(nil), 0
	if s == "" || s[0] < 0x80 && s[0] != '%' && s[0] != '/' && latinWord(s) == 0 {
		return nil, 0
	}
	if w := latinWord(s); w > 0 {
		// A word such as ops/s may continue after a slash.
		if end := w; end < len(s) && s[end] == '/' {
			if x := latinWord(s[end+1:]); x > 0 {
				if u := lookUnit(s[:end+1+x]); u != nil {
					return u, end + 1 + x
				}
			}
			if strings.HasPrefix(s[end+1:], "秒") {
				if u := lookUnit(s[:end] + "/s"); u != nil {
					return u, end + 1 + len("秒")
				}
			}
		}
		if u := lookUnit(s[:w]); u != nil {
			return u, w
		}
		return nil, 0
	}
	for _, w := range notUnits {
		if strings.HasPrefix(s, w) {
			return nil, 0
		}
	}
	for n := 1; n <= 12 && n <= len(s); n++ {
		if u, ok := unitTable[s[:n]]; ok && s[0] >= 0x80 || ok && (s[0] == '%' || s[0] == '/') {
			best, size = u, n
		}
	}
	if best != nil {
		return best, size
	}
	for _, w := range counterWords {
		if strings.HasPrefix(s, w) && len(w) > size && !(w == "对" && digitRun(s, skipSpaces(s, len(w))) > 0) { // 170 对 171 compares
			best, size = counterUnits[w], len(w)
		}
	}
	return best, size
}

func lookUnit(w string) []Unit {
	if u, ok := unitTable[w]; ok {
		return u
	}
	return unitTable[strings.ToLower(w)]
}

// latinWord is the length of the run of letters (and µ) that s starts with.
func latinWord(s string) int {
	n := 0
	for n < len(s) {
		switch c := s[n]; {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			n++
		case strings.HasPrefix(s[n:], "µ"), strings.HasPrefix(s[n:], "μ"):
			n += 2
		default:
			return n
		}
	}
	return n
}

// fieldUnits maps the last word of a field or metric name to its unit, as the
// Prometheus naming conventions and common logs have it.
var fieldUnits = map[string][]Unit{
	"seconds": {second}, "secs": {second}, "sec": {second}, "s": {second}, "ms": {millisecond}, "millis": {millisecond}, "milliseconds": {millisecond},
	"msec": {millisecond}, "us": {microsecond}, "usec": {microsecond}, "micros": {microsecond}, "microseconds": {microsecond}, "ns": {nanosecond}, "nanos": {nanosecond}, "nanoseconds": {nanosecond},
	"minutes": {minute}, "mins": {minute}, "hours": {hour}, "days": {day},
	"bytes": {oneByte}, "kb": {kB, kiB}, "mb": {mB, miB}, "gb": {gB, giB}, "kib": {kiB}, "mib": {miB}, "gib": {giB}, "ki": {kiB}, "mi": {miB}, "gi": {giB},
	"percent": {percent}, "pct": {percent}, "percentage": {percent}, "ratio": {unit(Ratio, 1, 1, "ratio"), percent}, // many a hit_ratio is 29.87
	"bps": {bitRate}, "kbps": {unit(Rate, 1000, 8, "kbit/s")}, "mbps": {unit(Rate, 1_000_000, 8, "Mbit/s")}, "gbps": {unit(Rate, 1_000_000_000, 8, "Gbit/s")},
	"perc": {percent}, "cores": {core}, "millicores": {milliCore}, "cents": {cent}, "cent": {cent}, "fen": {cent},
}

// sizeRates are the sizes that a column of a rate names: kB_wr/s, rMB/s.
var sizeRates = []string{"kib", "mib", "gib", "kb", "mb", "gb"}

// FieldUnit reads the unit off a field, column or metric name such as
// request_latency_seconds, durationMs, Time(ms), CPU% or mem_bytes_total; nil when
// the name tells none.
func FieldUnit(name string) []Unit {
	name = strings.TrimSpace(name)
	if strings.HasSuffix(name, "%") || strings.HasSuffix(name, "(%)") || strings.HasPrefix(name, "%") {
		return percentUnits
	}
	if name == "1K-blocks" {
		return []Unit{kiB} // as df prints it
	}
	if lower := strings.ToLower(name); strings.HasSuffix(lower, "/s") {
		for _, size := range sizeRates {
			if strings.Contains(lower, size) {
				return unitTable[size+"/s"]
			}
		}
	}
	words := splitName(name)
	if n := len(words); n >= 2 && (words[n-1] == "s" || words[n-1] == "sec") {
		switch words[n-2] {
		case "mb", "kb", "gb", "b":
			return unitTable[words[n-2]+"/s"]
		case "ops", "req", "requests", "qps":
			return []Unit{perSecond}
		}
	}
	for len(words) > 0 {
		switch w := words[len(words)-1]; w {
		case "total", "sum", "avg", "max", "min", "mean", "p50", "p90", "p95", "p99", "bucket", "count":
			if w == "count" || w == "bucket" {
				return nil // how many, whatever the metric measures
			}
			words = words[:len(words)-1]
			continue
		}
		break
	}
	for i := len(words) - 1; i >= 0; i-- {
		if u, ok := fieldUnits[words[i]]; ok && (i == len(words)-1 || len(words[i]) > 2) {
			if len(words) == 1 && len(words[0]) <= 2 {
				return nil // a column called S or MS says nothing
			}
			if i > 0 && words[i-1] == "per" || i+1 < len(words) && words[i+1] == "per" {
				return nil
			}
			return u
		}
	}
	return nil
}

// splitName splits snake_case, kebab-case, dotted and camelCase names into
// lower-case words.
func splitName(name string) []string {
	var out []string
	start, n := 0, len(name)
	flush := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(name[start:end]))
		}
	}
	for i := 0; i < n; i++ {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
		switch {
		case !letter:
			flush(i)
			start = i + 1
		case c >= 'A' && c <= 'Z' && i > start && (name[i-1] >= 'a' && name[i-1] <= 'z'):
			flush(i)
			start = i
		}
	}
	flush(n)
	return out
}
