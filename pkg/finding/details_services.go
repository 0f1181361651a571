package finding

import "time"

// LoadBalancerDetails are those of the load balancer behind a Service.
type LoadBalancerDetails struct {
	Address string `json:"address,omitempty"` // an IP or a host name
	Words   string `json:"words,omitempty"`   // by which the cloud-controller-manager reports why it can't delete it
	// RequestedAt is when the Service's deletion was requested, if it should be over by now.
	RequestedAt *time.Time `json:"requestedAt,omitempty"`
}

// AddressDetails are those of the addresses of a ServiceCIDR.
type AddressDetails struct {
	// Owner is what the address was given to, and Served says that such objects are served.
	Owner        string `json:"owner,omitempty"`
	Served       bool   `json:"served,omitempty"`
	Overdue      bool   `json:"overdue,omitempty"`      // the API server should have freed it by now
	DelaySeconds int64  `json:"delaySeconds,omitempty"` // how long a range without addresses stays
}
