package contract

import (
	"errors"
	"fmt"
)

// Limits of the reader (spec C7). MaxValues and MaxEdits are our own: they bound
// memory to about twenty times the largest text, whatever it holds.
const (
	MaxBytes    = 5 << 20 // bytes of text
	MaxDepth    = 200     // nested arrays and objects
	MaxClaims   = 1000    // claims in a contract
	MaxBindings = 100     // bindings of one claim or action
	MaxValues   = 300_000 // JSON values in one text
	MaxEdits    = 100_000 // repairs of one text
)

// Errors of the reader. A LimitError wraps the one that names its limit.
var (
	ErrTooLarge        = errors.New("text too large")
	ErrTooDeep         = errors.New("nesting too deep")
	ErrTooManyClaims   = errors.New("too many claims")
	ErrTooManyBindings = errors.New("too many bindings")
	ErrTooManyValues   = errors.New("too many values")
	ErrTooManyEdits    = errors.New("too many repairs")
	ErrEncoding        = errors.New("not UTF-8")
	ErrSyntax          = errors.New("not JSON")
	ErrEmpty           = errors.New("empty text")
	ErrNotObject       = errors.New("not a JSON object")
)

// ReadError says at which byte of the text the reader stopped, and why. It wraps
// one of the sentinel errors of this package.
type ReadError struct {
	Err    error
	Offset int // bytes into the text
}

// Error implements error.
func (e *ReadError) Error() string { return fmt.Sprintf("%v at byte %d", e.Err, e.Offset) }

// Unwrap returns the sentinel.
func (e *ReadError) Unwrap() error { return e.Err }

// isLimit reports whether err is one of the limits, beyond which nothing is
// read, rather than a defect that repair may cure.
func isLimit(err error) bool {
	for _, l := range []error{ErrTooLarge, ErrTooDeep, ErrTooManyClaims, ErrTooManyBindings, ErrTooManyValues, ErrTooManyEdits} {
		if errors.Is(err, l) {
			return true
		}
	}
	return false
}

// explain gives the reason of an error in English and Chinese, for a person.
func explain(err error) (en, zh string) {
	at := ""
	zhAt := ""
	var re *ReadError
	if errors.As(err, &re) {
		at = fmt.Sprintf(" (byte %d)", re.Offset)
		zhAt = fmt.Sprintf("（第 %d 字节）", re.Offset)
	}
	switch {
	case errors.Is(err, ErrTooLarge):
		return fmt.Sprintf("the text is larger than %d MiB", MaxBytes>>20), fmt.Sprintf("文本超过 %d MiB 上限", MaxBytes>>20)
	case errors.Is(err, ErrTooDeep):
		return fmt.Sprintf("nested deeper than %d levels%s", MaxDepth, at), fmt.Sprintf("嵌套超过 %d 层%s", MaxDepth, zhAt)
	case errors.Is(err, ErrTooManyClaims):
		return fmt.Sprintf("more than %d claims%s", MaxClaims, at), fmt.Sprintf("结论超过 %d 条%s", MaxClaims, zhAt)
	case errors.Is(err, ErrTooManyBindings):
		return fmt.Sprintf("more than %d bindings in one place%s", MaxBindings, at), fmt.Sprintf("单处证据绑定超过 %d 条%s", MaxBindings, zhAt)
	case errors.Is(err, ErrTooManyValues):
		return fmt.Sprintf("more than %d JSON values%s", MaxValues, at), fmt.Sprintf("JSON 值超过 %d 个%s", MaxValues, zhAt)
	case errors.Is(err, ErrTooManyEdits):
		return fmt.Sprintf("more than %d repairs would be needed%s", MaxEdits, at), fmt.Sprintf("需要的修复超过 %d 处%s", MaxEdits, zhAt)
	case errors.Is(err, ErrEncoding):
		return "the text is not UTF-8" + at, "文本不是 UTF-8 编码" + zhAt
	case errors.Is(err, ErrEmpty):
		return "the message holds no answer", "消息中没有任何答案"
	case errors.Is(err, ErrNotObject):
		return "the text is JSON but not an object", "文本是 JSON，但不是对象"
	}
	return "no JSON object could be read" + at, "读不出 JSON 对象" + zhAt
}
