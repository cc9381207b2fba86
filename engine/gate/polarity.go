package gate

// polarity raises C006.
func (w *claimWork) polarity() {}
