package pipeline_test

import (
	"testing"

	"go.uber.org/goleak"

	"claimscope/engine/enginetest"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// The knowledge index starts its workers for the whole process.
		goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"))
}

func TestScenarios(t *testing.T) { enginetest.Files(t, "testdata/scenarios") }
