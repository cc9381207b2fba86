package contract

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// update rewrites what the vectors expect from what is read.
var update = os.Getenv("UPDATE_GOLDEN") != ""

// expect is the closed class of what a vector may demand; an unknown key is an
// error.
type expect struct {
	Note      string        `json:"note"`
	Hex       string        `json:"hex,omitempty"` // the message, when it is no plain text
	Status    ParseStatus   `json:"status"`
	Step      Step          `json:"step"`
	Version   Version       `json:"version,omitempty"`
	Claims    []expectClaim `json:"claims"`
	Missing   []string      `json:"missing,omitempty"`
	Edits     []string      `json:"edits,omitempty"`     // what was repaired, each reason once, in order
	Coercions []string      `json:"coercions,omitempty"` // pointer and new value
	Issues    []string      `json:"issues,omitempty"`    // code and pointer
	Reasoning int           `json:"reasoning,omitempty"` // blocks
}

// expectClaim is a claim as a vector demands it.
type expectClaim struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Text     string   `json:"text"`
	Level    string   `json:"level"`
	Repaired bool     `json:"repaired,omitempty"`
	Bindings []string `json:"bindings,omitempty"` // source, ids and excerpt; * when repaired
}

// vector is a message and what must come out of it.
type vector struct {
	name    string
	message []byte
	expect  expect
}

// loadVectors reads all vectors. None at all is an error.
func loadVectors(tb testing.TB) []vector {
	tb.Helper()
	files, err := filepath.Glob("testdata/vectors/*.txtar")
	require.NoError(tb, err)
	var all []vector
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		require.NoError(tb, err)
		require.Empty(tb, len(archive.Files)%2, "%s: a message without what is expected", file)
		for i := 0; i < len(archive.Files); i += 2 {
			name, ok := strings.CutSuffix(archive.Files[i].Name, "/message")
			require.True(tb, ok, "%s: %s", file, archive.Files[i].Name)
			require.Equal(tb, name+"/expect", archive.Files[i+1].Name, file)
			v := vector{name: strings.TrimSuffix(filepath.Base(file), ".txtar") + "/" + name}
			d := json.NewDecoder(bytes.NewReader(archive.Files[i+1].Data))
			d.DisallowUnknownFields()
			require.NoError(tb, d.Decode(&v.expect), v.name)
			require.NotEmpty(tb, v.expect.Note, v.name)
			v.message = bytes.TrimSuffix(archive.Files[i].Data, []byte("\n"))
			if v.expect.Hex != "" {
				v.message, err = hex.DecodeString(v.expect.Hex)
				require.NoError(tb, err, v.name)
			}
			all = append(all, v)
		}
	}
	require.NotEmpty(tb, all, "no vectors were found")
	return all
}

// observed is what came out of a message, in the terms of a vector.
func observed(p Parsed) expect {
	e := expect{Status: p.Status, Step: p.Step, Claims: []expectClaim{}, Reasoning: len(p.Reasoning)}
	for _, edit := range p.Edits {
		if !slices.Contains(e.Edits, edit.Why) {
			e.Edits = append(e.Edits, edit.Why)
		}
	}
	for _, c := range p.Coercions {
		e.Coercions = append(e.Coercions, strings.TrimSpace(c.Pointer+" "+c.To))
	}
	for _, i := range p.Issues {
		e.Issues = append(e.Issues, strings.TrimSpace(i.Code+" "+i.Pointer))
	}
	if p.Contract == nil {
		return e
	}
	e.Version, e.Missing = p.Contract.AnswerVersion, p.Contract.MissingInfo
	for _, c := range p.Contract.Claims {
		x := expectClaim{ID: c.ClaimID, Type: c.ClaimType, Text: c.ClaimText, Level: string(c.SupportLevel), Repaired: c.Repaired}
		for _, b := range c.EvidenceBindings {
			ids, _ := json.Marshal(b.SourceInvocationIDs)
			mark := ""
			if b.Repaired {
				mark = "*"
			}
			x.Bindings = append(x.Bindings, b.SourceID+" "+string(ids)+" "+mark+b.EvidenceExcerpt)
		}
		e.Claims = append(e.Claims, x)
	}
	if len(e.Missing) == 0 {
		e.Missing = nil
	}
	return e
}

// TestVectors reads every vector's message as a careful reader would.
func TestVectors(t *testing.T) {
	vectors := loadVectors(t)
	for _, v := range vectors {
		p := Parse(v.message)
		assert.Empty(t, broken(v.message, p), v.name)
		got := observed(p)
		got.Note, got.Hex = v.expect.Note, v.expect.Hex
		if !update {
			assert.Equal(t, v.expect, got, v.name)
		}
	}
	if update {
		rewriteVectors(t)
	}
}

func rewriteVectors(t *testing.T) {
	t.Helper()
	byName := map[string]expect{}
	for _, v := range loadVectors(t) {
		got := observed(Parse(v.message))
		got.Note, got.Hex = v.expect.Note, v.expect.Hex
		byName[v.name] = got
	}
	files, err := filepath.Glob("testdata/vectors/*.txtar")
	require.NoError(t, err)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		require.NoError(t, err)
		for i := range archive.Files {
			name, ok := strings.CutSuffix(archive.Files[i].Name, "/expect")
			if !ok {
				continue
			}
			var b bytes.Buffer
			enc := json.NewEncoder(&b)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			require.NoError(t, enc.Encode(byName[strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+name]))
			archive.Files[i].Data = b.Bytes()
		}
		require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o600))
	}
}
