# Spool's commands. `make` alone lists them.
SWIFT_FLAGS := -c release --explicit-target-dependency-import-check error
SPOOL := .build/release/spool
PREFIX ?= /usr/local
# The folder of the programs that are installed and packaged. Another one is taken as it is; nothing is built then.
PROGRAMS ?= .build/release
export PROGRAMS PREFIX DESTDIR
TEST := swift test $(SWIFT_FLAGS) --skip-build

# What `spool --version` says of the commit: its hash, with -dirty where files differ from it. Empty outside of git.
export BUILD_COMMIT := $(shell git describe --always --dirty --abbrev=12 --exclude '*' 2> /dev/null)

.DEFAULT_GOAL := help
.PHONY: help setup build programs install deb image test-deployment test-browser test-documentation site demo test fuzz fuzz-readers faults power-loss \
  test-groups planted-bugs simulate bench bench-films bench-compare bench-farm bench-scheduler memcheck lint format clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' Makefile

setup: ## install what is missing (Debian packages)
	@scripts/install-dependencies

build: setup ## build spool, and spool-render and spool-coordinator beside it
	swift build $(SWIFT_FLAGS)

ifeq ($(PROGRAMS),.build/release)
programs: build
endif

install: programs ## install programs, man pages, completions and units: make install PREFIX=/usr/local
	@scripts/install-files

deb: programs ## make a Debian package of the programs in dist/
	@scripts/install-deployment-tools package
	@scripts/build-package

image: deb ## build the container image from that package with buildah, without a daemon (as root)
	@scripts/install-deployment-tools
	@scripts/build-image

test-deployment: image ## install, upgrade and run package and image on machines made for it (as root, about 10 minutes)
	@scripts/install-test-tools
	@Tests/Deployment/run

# It builds neither spool-coordinator nor the HTTP server (docs/decisions/0025-coordinator-program.md).
demo: setup ## build what it needs, and render the example draft into out/first-light.mp4
	swift build $(SWIFT_FLAGS) --product spool-render
	swift build $(SWIFT_FLAGS) --product spool
	@mkdir -p examples/media out
	@$(SPOOL) sample-media examples/media > /dev/null
	$(SPOOL) export examples/first-light.json -o out/first-light.mp4
	@$(SPOOL) thumbnails examples/first-light.json -o out/first-light.png
	@echo "the film is $(CURDIR)/out/first-light.mp4, a contact sheet of it $(CURDIR)/out/first-light.png"

test: setup ## run every test
	scripts/install-test-tools
	swift build $(SWIFT_FLAGS) --build-tests
	scripts/run-tests $(SWIFT_FLAGS) --skip-build
	Tests/API/run

test-api: build ## test the described API: make test-api EXAMPLES=100 SEED=7
	scripts/install-test-tools
	@seed=$${SEED:-$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}; echo "seed $$seed"; \
	SPOOL_API_SEED=$$seed SPOOL_API_EXAMPLES=$${EXAMPLES:-100} Tests/API/run

test-browser: build ## play films and streams in headless Chromium, use the dashboard, and preview a draft
	@Tests/Browser/run
	@Tests/Browser/run-dashboard
	@Tests/Browser/run-preview
	@Tests/Browser/run-stream

test-documentation: build ## run the commands of docs/guide as they stand there, and compare what they print
	@Tests/Documentation/run

site: ## build the documentation as a site of files in .build/site
	@scripts/install-site-tools
	@NO_MKDOCS_2_WARNING=1 .build/site-tools/bin/mkdocs build -f config/site/mkdocs.yml

fuzz: setup ## draw random drafts beside the reference renderer: make fuzz DRAFTS=500 SEED=1
	swift build $(SWIFT_FLAGS) --build-tests
	@seed=$${SEED:-$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}; echo "seed $$seed"; \
	SPOOL_FUZZ_SEED=$$seed SPOOL_FUZZ_DRAFTS=$${DRAFTS:-500} $(TEST) --filter ReferenceTests

fuzz-readers: setup ## fuzz what reads strangers' text: make fuzz-readers SECONDS=1200 JOBS=2 TARGETS="draft path"
	@SECONDS_EACH=$${SECONDS:-1200} JOBS="$${JOBS:-1}" TARGETS="$${TARGETS:-}" Tests/Fuzz/run

faults: build ## break a running farm and check its promises: make faults FAULTS=1000 SEED=7 ONLY="the leader"
	@Tests/Faults/run --faults $${FAULTS:-1000} $${SEED:+--seed $$SEED} $${MINUTES:+--minutes $$MINUTES} \
	  $${ONLY:+--only "$$ONLY"} $${EARLIER:+--earlier "$$EARLIER"}

power-loss: build ## cut the power of disks and check what was acknowledged: make power-loss CUTS=60 SEED=7
	@Tests/PowerLoss/run --cuts $${CUTS:-60} $${SEED:+--seed $$SEED}

test-groups: setup ## test limits by control groups of version 2, in a Linux of its own where this one has none
	@scripts/install-dependencies user-mode-linux
	swift build $(SWIFT_FLAGS) --build-tests
	@Tests/ControlGroups/run

planted-bugs: setup ## plant bugs and see which tests find them: make planted-bugs ONLY="a lease"
	@Tests/PlantedBugs/run "$${ONLY:-}"

simulate: setup ## simulate farms: make simulate SEEDS=10000 WORKERS=1000 EXPORTS=10000 SEED=1 HISTORIES=3000
	swift build $(SWIFT_FLAGS) --build-tests
	@SPOOL_SIMULATE_WORKERS=$${WORKERS:-1000} SPOOL_SIMULATE_EXPORTS=$${EXPORTS:-10000} \
	SPOOL_SIMULATE_SEED=$${SEED:-1} SPOOL_FUZZ_HISTORIES=$${HISTORIES:-3000} SPOOL_FUZZ_SEED=$${SEED:-1} \
	$(TEST) --filter SchedulingTests
	@SPOOL_SIMULATE_SEEDS=$${SEEDS:-10000} $(TEST) --filter SimulationTests

bench: build ## measure exports beside ffmpeg, and the memory of costly ones (needs the real footage)
	benchmarks/yardstick.py
	benchmarks/export.sh
	benchmarks/pictures.sh
	benchmarks/bitrate.sh
	benchmarks/file-size.sh
	benchmarks/passthrough.sh
	benchmarks/memory.sh

bench-films: build ## measure seven films beside ffmpeg and melt: make bench-films RUNS=5 JSON=out.json
	@benchmarks/yardstick.py --runs $${RUNS:-5} $${JSON:+--json "$$JSON"}

bench-compare: ## compare two runs of it: make bench-compare A=old.json B=new.json
	@benchmarks/yardstick-compare.py "$$A" "$$B"

bench-farm: build ## measure the farm's cost over a local export, and its answers to operators
	benchmarks/farm.sh
	benchmarks/listings.sh
	benchmarks/dashboard.sh
	benchmarks/neighbours.sh
	benchmarks/batch.sh
	benchmarks/interruptions.sh
	benchmarks/tenants.sh

bench-scheduler: build ## measure what a job costs the farm, beside Celery
	benchmarks/scheduler.sh
	benchmarks/films.sh
	benchmarks/bloat.sh
	benchmarks/redis-memory.sh

memcheck: build ## run the rendering process under valgrind (slow)
	scripts/memcheck

lint: ## check formatting, import directions, words and the tree
	swift format lint --strict --recursive --parallel Package.swift Sources Tests migrations
	scripts/check-imports
	scripts/check-tree
	scripts/check-words
	scripts/list-messages --unprovoked
	scripts/check-deployment

format: ## format all Swift files
	swift format --in-place --recursive --parallel Package.swift Sources Tests migrations

clean: ## remove everything that was built or rendered
	rm -rf .build dist out examples/media
