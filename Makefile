# Everything a contributor needs. `make help` lists it.

GO       ?= go
BIN      := bin
PLANE    := $(BIN)/controlplane
BINARY   := $(BIN)/kubectl-finalizers
LABEL    := $(shell git describe --tags --always --dirty 2>/dev/null)
LINKED   := -X github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli.linkedVersion=$(LABEL)
DIST     := dist
GORELEASER = TZ=UTC $(shell TZ=UTC git show -s --format='COMMIT=%H COMMIT_SHORT=%h COMMIT_TIMESTAMP=%ct COMMIT_DATE=%cd' --date=format-local:%Y-%m-%dT%H:%M:%SZ) GOFLAGS= $(GO) tool -modfile=hack/goreleaser/go.mod goreleaser
STATICCHECK := $(GO) tool -modfile=hack/tools/go.mod staticcheck

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build the plugin into bin/
	$(GO) build -trimpath -ldflags "-s -w $(LINKED)" -o $(BINARY) ./cmd/kubectl-finalizers

.PHONY: controlplane
controlplane: ## Build etcd, kube-apiserver, kube-controller-manager, kubectl and kwok (minutes the first time)
	@hack/controlplane/binaries/build.sh $(PLANE)

.PHONY: test
test: controlplane ## Run every test, those on the real control plane included
	CONTROLPLANE_REQUIRED=1 $(GO) test -p 1 -timeout 20m ./...

.PHONY: test-operator
test-operator: controlplane ## Build a real operator (minutes the first time) and ask why while it runs, may not write, and is gone
	hack/operator/binaries/build.sh $(BIN)/operator
	CONTROLPLANE_REQUIRED=1 OPERATOR_REQUIRED=1 $(GO) test ./hack/operator

.PHONY: test-pure
test-pure: ## Run the tests that need no control plane: seconds
	$(GO) test ./pkg/... ./plugins/... ./hack/reference ./hack/krew

.PHONY: bench
bench: controlplane build ## Measure scans beside raw fetches on a full control plane, growth, and large graphs (minutes)
	$(GO) run ./hack/bench -binary $(BINARY)
	$(GO) test ./pkg/cluster ./pkg/diagnosis -run xxx -bench .

.PHONY: mermaid
mermaid: ## Install Mermaid's own parser, with npm, for the test of what is drawn for it
	cd hack/tools/mermaid && npm ci --no-audit --no-fund --ignore-scripts

.PHONY: golden
golden: ## Write the golden files anew; read the diff
	$(GO) test ./pkg/diagnosis -update

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

.PHONY: docs
docs: ## Write the command reference and the man pages anew, from the commands
	$(GO) run ./hack/reference docs/reference

.PHONY: transcripts
transcripts: controlplane build ## Write the answers and pictures in README.md and docs/guide.md anew, from real runs
	$(GO) run ./hack/transcripts $(BINARY) README.md docs/guide.md

.PHONY: snapshot
snapshot: ## Build the archives of a release, their checksums and the krew manifest into dist/
	$(GORELEASER) release --snapshot --clean --skip=publish$(shell command -v syft >/dev/null || echo ,sbom)
	$(GO) run ./hack/krew $(DIST)

.PHONY: release
release: ## What the forge runs for a tag: the archives, a draft of a release, and the krew manifest
	$(GORELEASER) release --clean
	$(GO) run ./hack/krew $(DIST)

.PHONY: reproducible
reproducible: ## Build the archives twice, and see that they are the same to the last bit
	@$(MAKE) snapshot && cp $(DIST)/checksums.txt $(BIN)/checksums.first && $(MAKE) snapshot
	diff $(BIN)/checksums.first $(DIST)/checksums.txt

.PHONY: clean
clean: ## Delete what was built
	rm -rf $(BIN) $(DIST)
