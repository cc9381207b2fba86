package verdict

import (
	"claimscope/engine/contract"
	"claimscope/engine/gate"
)

// CauseOf maps a gate finding to the cause that it gives a non-PASS (spec P10).
// An unknown code falls back on its family.
func CauseOf(code gate.Code) Cause {
	switch code {
	case "B001", "B002":
		return MissingRef
	case "B003", "B004":
		return ToolMismatch
	case "B007":
		return UnsupportedClaim
	case "C005", "C008", "C009":
		return UnsupportedClaim
	case "C006":
		return CauseContradicted
	case "C007":
		return KnowledgeAsFact
	case "F004":
		return SchemaViolation // the contract wants Chinese in every text field
	}
	if code == "" {
		return UnsupportedClaim
	}
	switch code[0] {
	case 'S':
		return SchemaViolation
	case 'B':
		return ExcerptAbsent
	case 'C':
		return FactNotInEvidence
	case 'F':
		return CauseExtraFact
	}
	return UnsupportedClaim
}

// causeOfFinding is CauseOf, told apart by the claim where the code alone does
// not decide: C005 stands for none and for contradicted.
func causeOfFinding(f gate.Finding, claim *contract.Claim) Cause {
	if f.Code == "C005" && claim != nil && claim.SupportLevel == contract.Contradicted {
		return CauseContradicted
	}
	return CauseOf(f.Code)
}
