package gate

// wording raises C008 and C009.
func (w *claimWork) wording() {}
