// Prometheus and promtool, for the tests of hack/prometheus. They are a module of their own so that their dependencies
// stay out of the plugin. v0.315.0 is Prometheus 3.15; a module that v0.316.0 needs (github.com/pb33f/go-yaml) is not
// to be had everywhere.
module github.com/kubectl-finalizers/kubectl-finalizers/hack/prometheus/binaries

go 1.26.0

require github.com/prometheus/prometheus v0.315.0
