package state

// reading is the message of an attempt as parsed anew. Positions are not stored in
// the file, since they follow from the message.
type reading struct{ message string }

func newReading(message string) *reading { return &reading{message: message} }
