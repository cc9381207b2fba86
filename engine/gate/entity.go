package gate

// entities raises C004.
func (w *claimWork) entities() {}
