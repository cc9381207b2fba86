package text

import "strings"

// Lang is a language of the console's own labels.
type Lang uint8

// The languages there are.
const (
	EN Lang = iota
	ZH
)

// String returns the code of the language, "en" or "zh".
func (l Lang) String() string {
	switch l {
	case ZH:
		return "zh"
	case EN:
		return "en"
	}
	return "en"
}

// Other returns the other language, for a toggle.
func (l Lang) Other() Lang {
	if l == ZH {
		return EN
	}
	return ZH
}

// ParseLang reads "zh" or "en" (or a locale such as zh_CN.UTF-8); ok is false
// for anything else.
func ParseLang(s string) (lang Lang, ok bool) {
	code := strings.ToLower(s)
	if i := strings.IndexAny(code, "_-.@"); i >= 0 {
		code = code[:i]
	}
	switch code {
	case "zh":
		return ZH, true
	case "en":
		return EN, true
	}
	return EN, false
}

// LangFromEnv returns the language of the locale: the first of LC_ALL,
// LC_MESSAGES and LANG that is not empty decides (POSIX.1-2017, 8.2); zh* is
// Chinese, anything else English.
func LangFromEnv(getenv func(string) string) Lang {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := getenv(name); v != "" {
			if strings.HasPrefix(strings.ToLower(v), "zh") {
				return ZH
			}
			return EN
		}
	}
	return EN
}

// Label is a piece of the console's own text in both languages.
type Label struct{ ZH, EN string }

// In returns the label in a language.
func (l Label) In(lang Lang) string {
	if lang == ZH {
		return l.ZH
	}
	return l.EN
}

// Complete reports whether both languages are there; tests use it to find
// labels that nobody translated.
func (l Label) Complete() bool { return l.ZH != "" && l.EN != "" }
