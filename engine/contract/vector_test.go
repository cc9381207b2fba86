package contract

import "testing"

type vector struct{ message string }

func loadVectors(testing.TB) []vector { return nil }
