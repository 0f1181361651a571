package finding

// ConversionDetails are those of ConversionWebhookUnavailable.
type ConversionDetails struct {
	Kind    string  `json:"kind"`
	Backend *Phrase `json:"backend,omitempty"` // how what should convert fares
	// Words are what kube-apiserver says of the conversion, where the backend isn't known to be down.
	Words string `json:"words,omitempty"`
}

// UndecodableObjectDetails are those of UndecodableObject.
type UndecodableObjectDetails struct {
	Undecodable
	Likewise []Undecodable `json:"likewise,omitempty"` // further objects of the kind
}

// Undecodable is an object that storage can't hand out.
type Undecodable struct {
	Object     Ref    `json:"object,omitzero"`
	StorageKey string `json:"storageKey"`
	Words      string `json:"words"`              // why, as kube-apiserver says it
	Resource   string `json:"resource,omitempty"` // of the object
}
