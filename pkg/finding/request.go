package finding

import "fmt"

// Request is a request to the API server that a deletion depends on.
type Request struct {
	Operation   string `json:"operation"` // as admission has it: UPDATE, DELETE
	Resource    string `json:"resource,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	Object      *Ref   `json:"object,omitempty"`
	// Namespace stands in for the object, where the request is about objects of which the names aren't known.
	Namespace *Ref `json:"namespace,omitempty"`
}

// String names a request as people would: UPDATE of Database shop/orders.
func (r Request) String() string { return Voice{}.Request(r) }

// Every names requests of this sort, whatever the object: UPDATE of databases.shop.example.com.
func (r Request) Every() string {
	if r.Subresource != "" {
		return fmt.Sprintf("%s of %s/%s", r.Operation, r.Resource, r.Subresource)
	}
	return fmt.Sprintf("%s of %s", r.Operation, r.Resource)
}

// Request names a request in a clause.
func (v Voice) Request(r Request) string {
	switch {
	case r.Object != nil && r.Subresource != "":
		return fmt.Sprintf("%s (%s) of %s", r.Operation, r.Subresource, v.Name(*r.Object))
	case r.Object != nil:
		return fmt.Sprintf("%s of %s", r.Operation, v.Name(*r.Object))
	case r.Namespace != nil && r.Resource == "":
		return fmt.Sprintf("%s of content of %s", r.Operation, v.Name(*r.Namespace))
	case r.Namespace != nil:
		return fmt.Sprintf("%s of %s in %s", r.Operation, r.Resource, v.Name(*r.Namespace))
	}
	return r.Every()
}
