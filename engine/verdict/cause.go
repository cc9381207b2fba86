package verdict

import "claimscope/engine/gate"

// CauseOf is the cause that a gate finding gives a non-PASS (spec P10). The table is
// the gate's, whose own report names causes too.
func CauseOf(code gate.Code) Cause { return Cause(gate.CauseOf(code)) }
