package contract

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Schema returns the JSON Schema (draft 2020-12) of a contract version as
// deterministic, indented text ending in a line break; nil for an unknown
// version.
//
// It is written for the strict structured output modes of model endpoints: every
// field is required and no other is allowed, and only widely supported keywords
// are used. A field that may be left out (tool_name, user_facing_answer) is
// nullable instead. The reader is more tolerant: it takes absent optional fields
// and keeps unknown ones. The bound of an excerpt stands in its description,
// because strict modes refuse maxLength.
func Schema(v Version) []byte {
	if v != V1 && v != V2 {
		return nil
	}
	var b bytes.Buffer
	b.WriteString(`{"$schema":"https://json-schema.org/draft/2020-12/schema","title":`)
	writeJSON(&b, string(v))
	b.WriteByte(',')
	schemaObject(&b, rootRole, v)
	b.WriteString(`,"$defs":{`)
	for i, r := range []*role{claimRole, bindingRole, hypothesisRole, actionRole} {
		if i > 0 {
			b.WriteByte(',')
		}
		writeJSON(&b, r.name)
		b.WriteString(`:{`)
		schemaObject(&b, r, v)
		b.WriteByte('}')
	}
	b.WriteString(`}}`)
	var out bytes.Buffer
	_ = json.Indent(&out, b.Bytes(), "", "  ") // cannot fail: the text above is JSON
	out.WriteByte('\n')
	return out.Bytes()
}

func writeJSON(b *bytes.Buffer, s string) { b.Write(appendString(nil, s)) }

// schemaObject writes the keywords of an object of a role, without braces.
func schemaObject(b *bytes.Buffer, r *role, v Version) {
	b.WriteString(`"type":"object","additionalProperties":false,"properties":{`)
	var names []string
	for i := range r.fields {
		f := &r.fields[i]
		if f.v1 && v != V1 {
			continue
		}
		if len(names) > 0 {
			b.WriteByte(',')
		}
		names = append(names, f.name)
		writeJSON(b, f.name)
		b.WriteString(`:{`)
		schemaField(b, f, v)
		if f.doc != "" {
			b.WriteString(`,"description":`)
			writeJSON(b, f.doc)
		}
		b.WriteByte('}')
	}
	b.WriteString(`},"required":[`)
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		writeJSON(b, name)
	}
	b.WriteByte(']')
}

func schemaField(b *bytes.Buffer, f *field, v Version) {
	switch f.kind {
	case versionField:
		b.WriteString(`"type":"string","enum":[`)
		writeJSON(b, string(v))
		b.WriteByte(']')
	case textField:
		if f.need == optional {
			b.WriteString(`"type":["string","null"]`)
		} else {
			b.WriteString(`"type":"string"`)
		}
	case supportField:
		b.WriteString(`"type":"string","enum":[`)
		for i, level := range SupportLevels() {
			if i > 0 {
				b.WriteByte(',')
			}
			writeJSON(b, string(level))
		}
		b.WriteByte(']')
	case textsField:
		b.WriteString(`"type":"array","items":{"type":"string"}`)
	case idsField:
		b.WriteString(`"type":"array","items":{"type":"integer"}`)
	case objectsField:
		b.WriteString(`"type":"array","items":{"$ref":` + strconv.Quote("#/$defs/"+f.role.name) + `}`)
	}
}
