package grounding_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"claimscope/engine/grounding"

	"github.com/stretchr/testify/require"
)

// Patterns are compiled when they are first used: here all that are written in the sources
// are, so that a malformed one is known before.
func TestAllPatternsCompile(t *testing.T) {
	n := 0
	for _, dir := range []string{".", "../gate"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			src, err := os.ReadFile(name)
			require.NoError(t, err)
			file, err := parser.ParseFile(token.NewFileSet(), name, src, 0)
			require.NoError(t, err)
			ast.Inspect(file, func(node ast.Node) bool {
				if call, ok := node.(*ast.CallExpr); ok && len(call.Args) == 1 && strings.HasSuffix(text(src, call.Fun), "NewPattern") {
					if lit, ok := call.Args[0].(*ast.BasicLit); ok {
						expr, err := strconv.Unquote(lit.Value)
						require.NoError(t, err)
						_, err = regexp.Compile(expr)
						require.NoError(t, err, name)
						n++
					}
				}
				return true
			})
		}
	}
	require.Greater(t, n, 80)
	for _, a := range slices.Concat(grounding.Acts(), grounding.Antonyms) {
		for _, p := range []*grounding.Pattern{a.Pos, a.Neg, a.EvPos, a.EvNeg} {
			require.False(t, p.MatchString(""), a.Name)
		}
	}
}

func text(src []byte, n ast.Node) string { return string(src[n.Pos()-1 : n.End()-1]) }
