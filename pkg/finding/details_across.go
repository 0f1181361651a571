package finding

// OtherCluster is a cluster as an object of another cluster names it.
type OtherCluster struct {
	Server string `json:"server,omitempty"` // the address of its API server
	Name   string `json:"name,omitempty"`   // by which it is known there
	By     *Ref   `json:"by,omitempty"`     // the object that names it, if that isn't the held one
	// Credentials is the name of the Secret or ConfigMap that leads there, where nothing else is known. It is not read.
	Credentials string `json:"credentials,omitempty"`
}

// ElsewhereDetails are those of what an object waits for in another cluster.
type ElsewhereDetails struct {
	Other OtherCluster `json:"other,omitzero"`
	// Context leads to the cluster. It was asked by that, or can be.
	Context  string   `json:"context,omitempty"`
	ByName   bool     `json:"byName,omitempty"`   // the context has the cluster's name, and no more is known of it
	Contexts []string `json:"contexts,omitempty"` // which all fit, and lead to different clusters
	Objects  []Ref    `json:"objects,omitempty"`  // that it waits for there, as far as it names them
	More     int      `json:"more,omitempty"`     // objects that are not among these
	WaitsFor string   `json:"waitsFor,omitempty"` // by the catalogue
	Live     []Ref    `json:"live,omitempty"`     // that are still there, and are not being deleted
	Unread   []Unread `json:"unread,omitempty"`   // what could not be read, here or there
	Failure  string   `json:"failure,omitempty"`  // why the other cluster gave no answer
}
