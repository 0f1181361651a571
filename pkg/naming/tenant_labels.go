package naming

// NamesTenant reports whether a label's key says that its value is whose something is: tenant, acme.io/customer.
func NamesTenant(key string) bool {
	return Mentions(key, "tenant", "customer", "client", "team", "shard", "organization")
}
