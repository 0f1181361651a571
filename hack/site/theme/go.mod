// The theme of the site. It has no Go code: nothing but this line names it, and go mod tidy would remove it.
module github.com/kubectl-finalizers/kubectl-finalizers/hack/site/theme

go 1.26.0

require github.com/imfing/hextra v0.12.3
