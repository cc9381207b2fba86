package contract_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
)

// TestUnmarshalSaysWhatIsWrong: each part of a contract refuses what is no object, and
// what is beyond a limit, and then stays as it was.
func TestUnmarshalSaysWhatIsWrong(t *testing.T) {
	var unknown strings.Builder
	for i := range 20_001 {
		fmt.Fprintf(&unknown, `,"x%d":0`, i)
	}
	many := "{" + unknown.String()[1:] + "}"
	claims := `{"claims":[{}` + strings.Repeat(`,{}`, contract.MaxClaims) + `]}`
	bindings := `{"evidence_bindings":[{}` + strings.Repeat(`,{}`, contract.MaxBindings) + `]}`
	for _, tt := range []struct {
		into any
		text string
		want error
	}{
		{&contract.Contract{}, `[]`, contract.ErrNotObject},
		{&contract.Contract{}, claims, contract.ErrTooManyClaims},
		{&contract.Claim{}, `3`, contract.ErrNotObject},
		{&contract.Claim{}, bindings, contract.ErrTooManyBindings},
		{&contract.Action{}, bindings, contract.ErrTooManyBindings},
		{&contract.Binding{}, `"x"`, contract.ErrNotObject},
		{&contract.Binding{}, many, contract.ErrTooManyValues},
		{&contract.Hypothesis{}, `true`, contract.ErrNotObject},
		{&contract.Hypothesis{}, many, contract.ErrTooManyValues},
	} {
		require.ErrorIs(t, json.Unmarshal([]byte(tt.text), tt.into), tt.want, "%T", tt.into)
		require.Zero(t, reflect.ValueOf(tt.into).Elem().Interface(), "%T", tt.into)
	}
}
