# Everything a contributor needs. `make help` lists it.

GO       ?= go
BIN      := bin
PLANE    := $(BIN)/controlplane
# What needs no control plane, whose test library doesn't compile on Windows.
PURE     := ./pkg/... ./plugins/... ./hack/reference ./hack/krew ./hack/k9s ./hack/site ./hack/reads ./hack/words ./hack/recording ./hack/schema/...
# The older versions of Kubernetes: one that is built as it was, and one as which today's binaries behave.
VERSION  ?= 1.30
EMULATED ?= 1.34
# How long the tests of one package may take: a bound for what hangs, and for slow machines.
PATIENCE := 3h
BINARY   := $(BIN)/kubectl-finalizers
LABEL    := $(shell git describe --tags --always --dirty 2>/dev/null)
LINKED   := -X github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli.linkedVersion=$(LABEL)
DIST     := dist
# What a release is built from, and nothing of the machine that builds it.
RELEASED = TZ=UTC PATH="$(CURDIR)/$(BIN)/release:$$PATH" $(shell TZ=UTC git show -s --format='COMMIT=%H COMMIT_SHORT=%h COMMIT_TIMESTAMP=%ct COMMIT_DATE=%cd' --date=format-local:%Y-%m-%dT%H:%M:%SZ) GOFLAGS=
GORELEASER = $(RELEASED) $(GO) tool -modfile=hack/goreleaser/go.mod goreleaser
KREW      = $(GO) build -modfile=hack/krew/tools/go.mod -o $(BIN)/krew
STATICCHECK := $(GO) tool -modfile=hack/tools/go.mod staticcheck

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build the plugin into bin/
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w $(LINKED)" -o $(BINARY) ./cmd/kubectl-finalizers

.PHONY: controlplane
controlplane: ## Build etcd, kube-apiserver, kube-controller-manager, kubectl and kwok (minutes the first time)
	@hack/controlplane/binaries/build.sh $(PLANE)

# Garbage is collected more seldom by the tests, the compiler and the linker: a fifth less work, for some memory.
test test-pure: export GOGC ?= 300

.PHONY: test
test: controlplane ## Run every test, those on the real control plane included, the quick ones first
	$(GO) build ./...
	@hack/test.sh $(GO) test -timeout $(PATIENCE) $(PURE)
	@# Two packages at a time, which mostly wait for their control planes, and then the zoo, which boots five of them.
	@# What has just passed is remembered.
	@CONTROLPLANE_REQUIRED=1 hack/test.sh $(GO) test -p 2 -timeout $(PATIENCE) $$($(GO) list ./... | grep -v '/hack/zoo$$')
	@CONTROLPLANE_REQUIRED=1 hack/test.sh $(GO) test -p 1 -timeout $(PATIENCE) ./...

.PHONY: test-scenario
test-scenario: controlplane ## Play one scenario of the zoo on the real control plane: ID=S24
	@test -n "$(ID)" || { echo "which scenario? make test-scenario ID=S24 (hack/zoo/scenarios has them)" >&2; exit 1; }
	CONTROLPLANE_REQUIRED=1 $(GO) test ./hack/zoo -v -count=1 -run 'TestZoo$$/./plane/^$(ID)$$'

.PHONY: test-rough
test-rough: controlplane ## Run every test from clean clones: on a busy machine, with half a core, with 6 GB, in odd places (hours; root)
	@hack/rough/rough.sh $(CONDITIONS)

.PHONY: test-operators
test-operators: controlplane operators ## Get real operators into trouble (building them takes minutes the first time) and ask why
	CONTROLPLANE_REQUIRED=1 OPERATOR_REQUIRED=1 $(GO) test -timeout $(PATIENCE) ./hack/operator

.PHONY: test-prometheus
test-prometheus: controlplane prometheus ## Have a real Prometheus scrape the exporter, and kube-state-metrics, and alerts fire (minutes the first time)
	CONTROLPLANE_REQUIRED=1 PROMETHEUS_REQUIRED=1 $(GO) test -timeout $(PATIENCE) ./hack/prometheus

.PHONY: prometheus
prometheus: # Prometheus, promtool and kube-state-metrics, from their Go modules
	hack/prometheus/binaries/build.sh $(BIN)/prometheus

.PHONY: test-chart
test-chart: controlplane chart ## Render chart and kustomizations with the real Helm, and have a real control plane take them
	CHART_REQUIRED=1 CONTROLPLANE_REQUIRED=1 $(GO) test -timeout $(PATIENCE) ./hack/chart

.PHONY: chart
chart: # Helm, and the Prometheus operator's definitions, from their Go modules
	hack/chart/build.sh $(BIN)/chart

.PHONY: record-operators
record-operators: controlplane operators ## The same, and record each situation anew (minutes)
	CONTROLPLANE_REQUIRED=1 OPERATOR_REQUIRED=1 $(GO) test -timeout $(PATIENCE) ./hack/operator -run 'TestOperators$$' -record
	$(GO) test ./hack/operator -run TestDocs -update
	$(GO) run ./hack/recording/share

.PHONY: operators
operators: # Real operators, and their manifests, from their Go modules
	hack/operator/binaries/build.sh $(BIN)/operator

.PHONY: test-versions
test-versions: controlplane ## Build an older release (VERSION=1.30; minutes the first time) and play the zoo on it; RECORD=-record keeps recordings
	hack/controlplane/binaries/build.sh $(PLANE)-$(VERSION) $(VERSION) $(PLANE)
	CONTROLPLANE_BINARIES=$(CURDIR)/$(PLANE)-$(VERSION) CONTROLPLANE_REQUIRED=1 $(GO) test ./hack/zoo -run 'TestZoo$$' -timeout $(PATIENCE) $(RECORD)

.PHONY: test-emulated
test-emulated: controlplane ## Play the whole zoo on a control plane that behaves as an older version (EMULATED=1.34)
	CONTROLPLANE_VERSION=$(EMULATED) CONTROLPLANE_REQUIRED=1 $(GO) test ./hack/zoo -run 'TestZoo$$' -timeout $(PATIENCE) $(RECORD)

.PHONY: test-pure
test-pure: ## Run the tests that need no control plane, with a sample of the reads that are denied: two minutes, or what has changed
	$(GO) test -short $(PURE)

# How long each target is fuzzed.
FUZZTIME := 1m

.PHONY: verify-catalogue
verify-catalogue: ## Check each entry of the catalogue against the source that it names, from the module proxy (minutes)
	$(GO) run ./hack/verify -table docs/catalogue.md $(if $(SOURCES),-sources $(SOURCES))

.PHONY: fuzz
fuzz: ## Fuzz every target there is for a minute each, or for FUZZTIME; a failure's input is kept in testdata
	@grep -r --include='*_test.go' '^func Fuzz' cmd hack pkg plugins | sed -E 's#/[^/]*:func (Fuzz[A-Za-z0-9]*).*# \1#' | sort | \
	while read folder name; do \
		echo "$$name of $$folder" && $(GO) test ./$$folder -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) || exit 1; \
	done

.PHONY: bench
bench: controlplane build ## Measure scans beside raw fetches on a full control plane, growth, and large graphs (minutes)
	$(GO) run ./hack/bench -binary $(BINARY)
	$(GO) test ./pkg/cluster ./pkg/diagnosis -run xxx -bench .

.PHONY: test-browser
test-browser: ## Look at pages of -o html in a real browser (apt install chromium), and take their pictures anew
	BROWSER=$${BROWSER:-chromium} $(GO) test -count=1 ./hack/browser -update

.PHONY: mermaid
mermaid: ## Install Mermaid's own parser, with npm, for the test of what is drawn for it
	cd hack/tools/mermaid && npm ci --no-audit --no-fund --ignore-scripts

.PHONY: golden
golden: ## Write the golden files anew; read the diff
	$(GO) test ./pkg/diagnosis ./pkg/print ./pkg/rescue ./pkg/uninstall ./pkg/snapshot -update

.PHONY: demo
demo: build ## Ask about a cluster that is really broken, in a recording: at once
	@hack/demo/recorded.sh $(BINARY)

.PHONY: demo-live
demo-live: controlplane build ## Break a real control plane in three ways and ask why
	@$(GO) run ./hack/demo $(BINARY)

.PHONY: record-demo
record-demo: controlplane build ## Record the demo's broken control plane anew, for make demo
	@$(GO) run ./hack/demo -record hack/demo/demo.snapshot $(BINARY)

.PHONY: record-zoo
record-zoo: controlplane ## Break the real control plane in every way of the zoo, and record each anew (minutes)
	CONTROLPLANE_REQUIRED=1 $(GO) test ./hack/zoo -run 'TestZoo$$' -timeout $(PATIENCE) -record
	$(GO) run ./hack/recording/share

.PHONY: up down status
up: controlplane ## Boot a control plane to play with, and leave it running
	@$(GO) run ./hack/controlplane/cmd/controlplane up

down: ## Stop it and delete what it wrote
	@$(GO) run ./hack/controlplane/cmd/controlplane down

status: ## Say whether it runs, and where
	@$(GO) run ./hack/controlplane/cmd/controlplane status

.PHONY: lint
lint: ## gofmt, lines of at most 120 columns, go vet, staticcheck, go mod tidy
	@unformatted=$$(gofmt -l cmd hack pkg plugins); if [ -n "$$unformatted" ]; then echo "not gofmt-clean: $$unformatted"; exit 1; fi
	@git ls-files '*.go' | xargs awk 'length > 120 {print FILENAME ":" FNR ": over 120 columns"; long = 1} END {exit long}'
	$(GO) vet ./...
	$(STATICCHECK) -checks inherit,ST1020,ST1021,ST1022 ./...
	$(GO) mod tidy -diff

.PHONY: cross
cross: ## Compile for macOS and Windows, with the tests that run there (minutes the first time)
	GOOS=darwin $(GO) vet ./...
	GOOS=windows $(GO) vet $(PURE)
	GOOS=windows $(GO) build -o $(BIN)/ ./cmd/kubectl-finalizers

.PHONY: words
words: ## Find banned words in pages, sentences, help and comments, with what to say instead
	@$(GO) run ./hack/words

.PHONY: docs
docs: ## Write the command reference, the man pages and the schemas anew, from the commands and types
	$(GO) run ./hack/reference docs/reference
	$(GO) run ./hack/schema docs/schema

.PHONY: argocd
argocd: ## Write the health checks for Argo CD into bin/argocd, from the catalogue
	@$(GO) run ./hack/argocd $(BIN)/argocd

.PHONY: site
site: ## Build the documentation site into dist/site (building Hugo takes minutes the first time; needs npm)
	CGO_ENABLED=0 $(GO) build -modfile=hack/site/tools/go.mod -o $(BIN)/site/hugo github.com/gohugoio/hugo
	cd hack/site/search && npm ci --no-audit --no-fund --ignore-scripts
	rm -rf $(DIST)/site $(DIST)/site-source
	$(GO) run ./hack/site . $(DIST)/site-source
	cp -r hack/site/hugo/. $(DIST)/site-source
	mkdir -p $(DIST)/site-source/assets/js/search $(DIST)/site-source/themes
	cp hack/site/search/node_modules/flexsearch/dist/flexsearch.bundle.min.js $(DIST)/site-source/assets/js/search/flexsearch.js
	cd hack/site/theme && $(GO) mod download && \
		cp -r "$$($(GO) list -m -f '{{.Dir}}' github.com/imfing/hextra)" $(CURDIR)/$(DIST)/site-source/themes/hextra
	chmod -R u+w $(DIST)/site-source
	$(BIN)/site/hugo --source $(DIST)/site-source --destination $(CURDIR)/$(DIST)/site --panicOnWarning

.PHONY: site-test
site-test: site ## Follow every link of the site, and look at its pages in a real browser (apt install chromium)
	SITE=$(CURDIR)/$(DIST)/site $(GO) test -count=1 ./hack/site -run TestBuilt
	SITE=$(CURDIR)/$(DIST)/site BROWSER=$${BROWSER:-chromium} $(GO) test -count=1 ./hack/browser -run TestSite

.PHONY: transcripts
transcripts: controlplane build ## Write the answers in docs/guide.md and the pictures again, from real runs
	$(GO) run ./hack/transcripts $(BINARY) docs/guide.md

INDEX     = $(GO) run ./hack/krew $(DIST) && for manifest in $(DIST)/krew-*/plugins/*.yaml; do \
	$(BIN)/krew/validate-krew-manifest -skip-install -manifest $$manifest || exit 1; done

# The name of each blob in the image is its checksum: all of it follows from its index.
IMAGE     = cd hack/image && $(RELEASED) $(GO) run . ../../$(DIST) ../../$(DIST)/image

.PHONY: krew
krew: # Krew, and the validator of its index
	@mkdir -p $(BIN)/krew
	@$(KREW)/kubectl-krew sigs.k8s.io/krew/cmd/krew
	@$(KREW)/validate-krew-manifest sigs.k8s.io/krew/cmd/validate-krew-manifest

.PHONY: completions
completions: # The scripts that the shells load, for archives and packages
	@mkdir -p $(BIN)/completions
	@$(GO) run ./cmd/kubectl-finalizers completion bash >$(BIN)/completions/kubectl-finalizers.bash
	@$(GO) run ./cmd/kubectl-finalizers completion zsh >$(BIN)/completions/_kubectl-finalizers
	@$(GO) run ./cmd/kubectl-finalizers completion fish >$(BIN)/completions/kubectl-finalizers.fish

.PHONY: sbom
sbom: # The program that lists what a binary was built from
	@$(GO) build -modfile=hack/sbom/go.mod -o $(BIN)/release/ github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod

# Empty, it builds the release of the tag that is checked out, to the same bits.
SNAPSHOT := --snapshot

.PHONY: snapshot
snapshot: krew completions argocd sbom ## Build the archives, packages and image of a release, and their manifests, into dist/
	$(GORELEASER) release $(SNAPSHOT) --clean --skip=publish,sign
	$(INDEX)
	$(IMAGE)

.PHONY: packages-test
packages-test: snapshot packages-look ## Install the packages, and run the image's root file system (root; apt install rpm)

.PHONY: packages-look
packages-look: # The same, of what is in dist/ already
	RELEASE=$(CURDIR)/$(DIST) $(GO) test -count=1 -v ./hack/packages

.PHONY: crane
crane: # The program that pushes images
	@cd hack/image && $(GO) build -o ../../$(BIN)/release/ github.com/google/go-containerregistry/cmd/crane

.PHONY: chart-package
chart-package: chart # The chart of the release in dist/, with its version
	version=$$(sed -n 's/.*"version":"\([^"]*\)".*/\1/p' $(DIST)/metadata.json) && \
	$(BIN)/chart/helm package charts/finalizers-metrics --version "$$version" --app-version "v$$version" -d $(DIST)

.PHONY: krew-test
krew-test: snapshot controlplane ## Install that with krew, in the ways that README.md and krew/README.md tell
	KREW_RELEASE=$(CURDIR)/$(DIST) KREW_BIN=$(CURDIR)/$(BIN)/krew $(GO) test -count=1 -v -run TestKrew ./hack/krew

.PHONY: release
release: krew completions argocd sbom ## What the forge runs for a tag: all of a release, signed, as a draft (needs cosign)
	$(GORELEASER) release --clean
	$(INDEX)
	$(IMAGE)

.PHONY: reproducible
reproducible: ## Build archives, packages and image twice, and see that they are the same to the last bit
	@$(MAKE) snapshot && cp $(DIST)/checksums.txt $(DIST)/image/index.json $(BIN)/release/ && $(MAKE) snapshot
	diff $(BIN)/release/checksums.txt $(DIST)/checksums.txt
	diff $(BIN)/release/index.json $(DIST)/image/index.json

.PHONY: clean
clean: ## Delete what was built
	rm -rf $(BIN) $(DIST)
