package pipeline_test

import (
	"testing"

	"go.uber.org/goleak"

	"claimscope/engine/enginetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestScenarios(t *testing.T) { enginetest.Files(t, "testdata/scenarios") }
