package gate

import "encoding/json"

// findingWire is the JSON form of a finding (spec I5).
type findingWire struct {
	Code      Code     `json:"code"`
	Severity  Severity `json:"severity"`
	Pointer   string   `json:"pointer"`
	Message   string   `json:"message"`
	MessageZH string   `json:"message_zh"`
	Quote     string   `json:"quote,omitempty"`
	Places    []Place  `json:"places,omitempty"`
}

// MarshalJSON writes the English message as "message", the Chinese as "message_zh".
func (f Finding) MarshalJSON() ([]byte, error) {
	return json.Marshal(findingWire{f.Code, f.Severity, f.Pointer, f.Message.EN, f.Message.ZH, f.Quote, f.Places})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Finding) UnmarshalJSON(data []byte) error {
	var w findingWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*f = Finding{w.Code, w.Severity, w.Pointer, Message{ZH: w.MessageZH, EN: w.Message}, w.Quote, w.Places}
	return nil
}
