package event

import "fmt"

// Types lists every event type.
func Types() []Type {
	return []Type{
		TypeStageStarted, TypeModelRequest, TypeModelResponse, TypeToolCalled, TypeToolReturned,
		TypeExecutorOutput, TypeParsed, TypeGated, TypeVerifierPayload, TypeVerified, TypeRouted,
		TypeRetryStarted, TypeAnswered, TypePaused, TypeEdited, TypeStageFailed, TypeFinished,
		TypeFailed, TypeCancelled, TypeResumed, TypeReviewed,
	}
}

// Terminal reports whether an event of this type ends a session. After it only
// resumed or reviewed may come (spec E1).
func (t Type) Terminal() bool {
	return t == TypeFinished || t == TypeFailed || t == TypeCancelled
}

// Type gives the discriminator.
func (StageStarted) Type() Type { return TypeStageStarted }

// Type gives the discriminator.
func (ModelRequest) Type() Type { return TypeModelRequest }

// Type gives the discriminator.
func (ModelResponse) Type() Type { return TypeModelResponse }

// Type gives the discriminator.
func (ToolCalled) Type() Type { return TypeToolCalled }

// Type gives the discriminator.
func (ToolReturned) Type() Type { return TypeToolReturned }

// Type gives the discriminator.
func (ExecutorOutput) Type() Type { return TypeExecutorOutput }

// Type gives the discriminator.
func (Parsed) Type() Type { return TypeParsed }

// Type gives the discriminator.
func (Gated) Type() Type { return TypeGated }

// Type gives the discriminator.
func (VerifierPayload) Type() Type { return TypeVerifierPayload }

// Type gives the discriminator.
func (Verified) Type() Type { return TypeVerified }

// Type gives the discriminator.
func (Routed) Type() Type { return TypeRouted }

// Type gives the discriminator.
func (RetryStarted) Type() Type { return TypeRetryStarted }

// Type gives the discriminator.
func (Answered) Type() Type { return TypeAnswered }

// Type gives the discriminator.
func (Paused) Type() Type { return TypePaused }

// Type gives the discriminator.
func (Edited) Type() Type { return TypeEdited }

// Type gives the discriminator.
func (StageFailed) Type() Type { return TypeStageFailed }

// Type gives the discriminator.
func (Finished) Type() Type { return TypeFinished }

// Type gives the discriminator.
func (Failed) Type() Type { return TypeFailed }

// Type gives the discriminator.
func (Cancelled) Type() Type { return TypeCancelled }

// Type gives the discriminator.
func (Resumed) Type() Type { return TypeResumed }

// Type gives the discriminator.
func (Reviewed) Type() Type { return TypeReviewed }

// decodeBody reads the data of an event of type t.
func decodeBody(t Type, data []byte) (Body, error) {
	switch t {
	case TypeStageStarted:
		return decodeAs[StageStarted](data)
	case TypeModelRequest:
		return decodeAs[ModelRequest](data)
	case TypeModelResponse:
		return decodeAs[ModelResponse](data)
	case TypeToolCalled:
		return decodeAs[ToolCalled](data)
	case TypeToolReturned:
		return decodeToolReturned(data)
	case TypeExecutorOutput:
		return decodeAs[ExecutorOutput](data)
	case TypeParsed:
		return decodeAs[Parsed](data)
	case TypeGated:
		return decodeAs[Gated](data)
	case TypeVerifierPayload:
		return decodeAs[VerifierPayload](data)
	case TypeVerified:
		return decodeAs[Verified](data)
	case TypeRouted:
		return decodeAs[Routed](data)
	case TypeRetryStarted:
		return decodeAs[RetryStarted](data)
	case TypeAnswered:
		return decodeAs[Answered](data)
	case TypePaused:
		return decodeAs[Paused](data)
	case TypeEdited:
		return decodeAs[Edited](data)
	case TypeStageFailed:
		return decodeAs[StageFailed](data)
	case TypeFinished:
		return decodeAs[Finished](data)
	case TypeFailed:
		return decodeAs[Failed](data)
	case TypeCancelled:
		return decodeAs[Cancelled](data)
	case TypeResumed:
		return decodeAs[Resumed](data)
	case TypeReviewed:
		return decodeAs[Reviewed](data)
	}
	return nil, fmt.Errorf("%w %q", ErrUnknownType, t)
}

func decodeAs[B Body](data []byte) (Body, error) {
	var b B
	if err := unmarshal(data, &b); err != nil {
		return nil, fmt.Errorf("%s: %w", b.Type(), err)
	}
	return b, nil
}
