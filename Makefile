# Everything a contributor needs. `make help` lists it.

GO       ?= go
BIN      := bin
PLANE    := $(BIN)/controlplane
BINARY   := $(BIN)/kubectl-finalizers
LABEL    := $(shell git describe --tags --always --dirty 2>/dev/null)
STATICCHECK := $(GO) tool -modfile=hack/tools/go.mod staticcheck

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build the plugin into bin/
	$(GO) build -trimpath -ldflags "-s -w" -o $(BINARY) ./cmd/kubectl-finalizers

.PHONY: controlplane
controlplane: ## Build etcd, kube-apiserver, kube-controller-manager, kubectl and kwok (minutes the first time)
	@hack/controlplane/binaries/build.sh $(PLANE)

.PHONY: test
test: controlplane ## Run every test, those on the real control plane included
	CONTROLPLANE_REQUIRED=1 $(GO) test -p 1 -timeout 20m ./...

.PHONY: test-pure
test-pure: ## Run the tests that need no control plane: seconds
	$(GO) test ./pkg/... ./plugins/...

.PHONY: bench
bench: controlplane build ## Measure scans beside raw fetches on a full control plane, growth, and large graphs (minutes)
	$(GO) run ./hack/bench -binary $(BINARY)
	$(GO) test ./pkg/cluster ./pkg/diagnosis -run xxx -bench .

.PHONY: mermaid
mermaid: ## Install Mermaid's own parser, with npm, for the test of what is drawn for it
	cd hack/tools/mermaid && npm ci --no-audit --no-fund --ignore-scripts

.PHONY: golden
golden: ## Write the golden files anew; read the diff
	$(GO) test ./pkg/diagnosis -run Golden -update

.PHONY: demo
demo: controlplane build ## Break a real control plane in three ways and ask why
	@$(GO) run ./hack/demo $(BINARY)

.PHONY: up down status
up: controlplane ## Boot a control plane to play with, and leave it running
	@$(GO) run ./hack/controlplane/cmd/controlplane up

down: ## Stop it and delete what it wrote
	@$(GO) run ./hack/controlplane/cmd/controlplane down

status: ## Say whether it runs, and where
	@$(GO) run ./hack/controlplane/cmd/controlplane status

.PHONY: lint
lint: ## gofmt, go vet, staticcheck, go mod tidy
	@unformatted=$$(gofmt -l cmd hack pkg plugins); if [ -n "$$unformatted" ]; then echo "not gofmt-clean: $$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(STATICCHECK) ./...
	$(GO) mod tidy -diff

.PHONY: clean
clean: ## Delete what was built
	rm -rf $(BIN)
