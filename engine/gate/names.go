package gate

import (
	"strings"

	"claimscope/engine/grounding"
)

// findName looks a name up as written, then in its other spellings: words of a camel
// name apart (ServiceAccount, service account), a camel name inside a longer one
// (ListenDrops in TcpExtListenDrops), a numbered thing in a column of its kind (osd.21 as
// 21 under osd), the parts of ns/pod and host:port.
func findName(f *grounding.Facts, name string, limit int) []grounding.Span {
	if s := f.Ident(name, limit); len(s) > 0 {
		return s
	}
	for _, v := range grounding.Spellings(name) {
		if s := f.Ident(v, limit); len(s) > 0 {
			return s
		}
	}
	if s := grounding.FindCamelPart(f.Text().Raw(), name, limit); len(s) > 0 {
		return s
	}
	if s := findNumbered(f, name, limit); len(s) > 0 {
		return s
	}
	if host := hostLabel(name); host != "" {
		if s := f.Ident(host, limit); len(s) > 0 {
			return s
		}
	}
	return findParts(f, name, limit)
}

// findParts finds names that are written together: ns/pod, host:port, table.column,
// node-1/2/3. Each part must stand somewhere; what only says the kind (deployment/web)
// need not.
func findParts(f *grounding.Facts, name string, limit int) []grounding.Span {
	if strings.Contains(name, "://") {
		return nil
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("/:@=*~+", r) })
	if len(parts) < 2 {
		if parts = strings.Split(name, "."); len(parts) < 2 || hasDigit(name) {
			return nil
		}
	}
	var first []grounding.Span
	for i, p := range parts {
		if p == "" || grounding.Ordinary(p) && len(parts) > 1 && (i > 0 || len(parts) == 2) {
			continue
		}
		s := f.Ident(p, limit)
		if stem, _, ok := numbered(parts[0]); ok && len(s) == 0 && i > 0 && digits(p) {
			s = f.Ident(stem+p, limit) // node-1/2
		}
		if len(s) == 0 {
			return nil
		}
		if first == nil {
			first = s
		}
	}
	if first == nil && len(parts) > 1 {
		// All parts are ordinary words: a path of keys such as redis.retry.
		for i, p := range parts {
			s := f.Ident(p, limit)
			if len(s) == 0 {
				return nil
			}
			if i == 0 {
				first = s
			}
		}
	}
	return first
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

var numberedName = grounding.NewPattern(`^(.*[A-Za-z][A-Za-z0-9]*[._#-]?)(\d{1,4})$`)

// numbered cuts a name into what it is one of, with the joint, and its number: osd. and
// 21, node- and 6.
func numbered(name string) (stem, number string, ok bool) {
	m := numberedName.FindStringSubmatch(name)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// findNumbered finds a numbered thing where its kind is a column or field and the number
// its value: osd.21 in the row 21 under osd, "partition": 3, osd 21.
func findNumbered(f *grounding.Facts, name string, limit int) []grounding.Span {
	stem, number, ok := numbered(name)
	kind := strings.ToLower(strings.TrimRight(stem, "._#-"))
	if !ok || len(kind) < 2 || strings.ContainsAny(kind, "/:@") {
		return nil
	}
	for _, j := range []string{" ", "=", ": ", ":", "#", "-", ".", "_", "/"} {
		if s := f.Ident(kind+j+number, limit); len(s) > 0 {
			return s
		}
	}
	raw := f.Text().Raw()
	var out []grounding.Span
	for _, s := range f.Ident(number, maxPlaces) {
		if s.Start > 0 && (raw[s.Start-1] == '.' || raw[s.Start-1] == '-') || s.End < len(raw) && (raw[s.End] == '.' || raw[s.End] == '-' || raw[s.End] == ':') {
			continue
		}
		for _, w := range grounding.NameWords(f.Shape().FieldAt(s.Start)) {
			if w == kind || w == kind+"s" {
				out = append(out, s)
				break
			}
		}
		if limit > 0 && len(out) >= limit {
			break
		}
	}
	return out
}

// domains end fully qualified host names.
var domains = grounding.NewPattern(`\.(internal|local|localdomain|com|net|org|cn|io|lan|corp|svc|compute)$`)

// hostLabel is the host of a fully qualified name, which outputs often leave bare; empty
// when the name is none, or its host tells too little.
func hostLabel(name string) string {
	host, _, _ := strings.Cut(name, ":")
	if !domains.MatchString(host) {
		return ""
	}
	label, _, _ := strings.Cut(host, ".")
	if len(label) < 5 || !hasDigit(label) && !strings.ContainsAny(label, "-_") {
		return ""
	}
	return label
}

// mustStand reports whether the absence of a name from the evidence can be held against
// a claim: a name that differs little from one that is there, or one that machines make
// (hosts, pods, hashes, versions, paths, exceptions, states). Words, products and terms of
// the trade are used without any output saying them.
func (w *claimWork) mustStand(f fact, g []ground) bool {
	if len(f.name) >= 5 || len(f.name) >= 3 && hasDigit(f.name) {
		if w.misspelt(f, g).ev != nil {
			return true
		}
	}
	if strings.Contains(strings.ToLower(w.query), strings.ToLower(f.name)) {
		return false // what was asked about
	}
	return f.id.MachineMade(w.claim.ClaimText) && !wordsCited(f, g)
}

// wordsCited reports that a cited line has all words of a camel name, apart and inflected:
// FailedMount, where it says that mounting failed.
func wordsCited(f fact, g []ground) bool {
	words := grounding.NameWords(f.name)
	if len(words) < 2 || f.id.Kind != grounding.IdentCamel {
		return false
	}
	for _, x := range g {
		for _, s := range x.cited {
			line := string(x.ev.facts.Lower()[s.Start:s.End])
			all := true
			for _, word := range words {
				all = all && strings.Contains(line, stem(word))
			}
			if all {
				return true
			}
		}
	}
	return false
}
