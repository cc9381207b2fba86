package grounding

import (
	"bytes"
	"strings"
)

// AssumeUnit sets the likely unit of bare numbers from metric names, such as those that a
// query asked for (http_request_duration_seconds). Names that disagree set none. It must
// be called before look-ups.
func (f *Facts) AssumeUnit(metrics []string) {
	f.unit = nil
	for _, m := range metrics {
		u := FieldUnit(strings.TrimSuffix(m, "_bucket")) // a quantile of the buckets measures what they do
		if u == nil || !strings.Contains(m, "_") {
			continue
		}
		if f.unit != nil && f.unit[0].Name != u[0].Name {
			f.unit = nil
			return
		}
		f.unit = u
	}
}

// labelUnit reads the unit that opens the label of a line, as top prints it:
// "MiB Mem : 128514.3 total", "%Cpu(s): 10.2 us"; nil when there is none.
func (f *Facts) labelUnit(offset int) []Unit {
	raw := f.text.Raw()
	_, line := f.text.Line(offset)
	label := raw[line.Start:min(line.Start+24, offset)]
	if len(label) < 4 || label[0] != '%' && (label[0] < 'A' || label[0] > 'z') {
		return nil
	}
	end := bytes.IndexByte(label, ':')
	if end < 0 {
		return nil
	}
	if label[0] == '%' {
		return percentUnits
	}
	if word, _, ok := bytes.Cut(label[:end], []byte{' '}); ok && len(word) > 1 {
		if u := unitTable[string(word)]; u != nil && u[0].Dim == Bytes {
			return u
		}
	}
	return nil
}
