# The commands of a day. `make help` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
export PATH := $(PATH):/opt/swift/usr/bin

# An import of a target that is not declared as a dependency ends the build with status 1.
STRICT := --explicit-target-dependency-import-check error
SOURCES := Sources Tests Package.swift

LOAD ?= list
ARGS ?=
TARGET ?= all
SECONDS ?= 60
# Without an end that anybody waits for: interrupt it.
SEEDS ?= 1..1000000000
STEPS ?= 2000
ROUNDS ?= 200
SEED ?= 1

.DEFAULT_GOAL := help
.PHONY: help demo test build bench conformance fuzz kill simulate mutations lint certs

help: ## say what can be made
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 14

demo: ## build, start a daemon and watch two machines and two people use it
	@scripts/setup.sh
	@echo "Building tarn and tarnd in release; the first time takes some minutes."
	@swift build -c release $(STRICT)
	@$(MAKE) --no-print-directory certs
	@scripts/demo.sh

test: ## check the style, build everything, run every test
	@scripts/setup.sh --tests
	@$(MAKE) --no-print-directory lint
	@swift build --build-tests $(STRICT)
	@scripts/run-tests.sh
	@scripts/conformance.sh --if-installed .build/debug

build: ## build everything for debugging
	@scripts/setup.sh
	@swift build $(STRICT)

bench: ## measure: make bench LOAD=name ARGS="--json" (LOAD=list names the loads)
	@scripts/setup.sh
	@swift build -c release $(STRICT) --product tarnd
	@swift build -c release $(STRICT) --product tarn-echo-floor
	@swift build -c release $(STRICT) --product tarn-bench
	@.build/release/tarn-bench $(LOAD) $(ARGS)

conformance: ## hold our WebSocket against the Autobahn suite, which is installed (630 MB, root)
	@scripts/setup.sh --tests
	@swift build -c release $(STRICT) --product tarn-bench
	@scripts/conformance.sh

fuzz: ## feed the readers with noise: make fuzz TARGET=frames SECONDS=60 (all in turn by default)
	@scripts/setup.sh
	@scripts/fuzz.sh $(TARGET) $(SECONDS)

kill: ## kill tarnd and tarn again and again, and check the files: make kill ROUNDS=200 SEED=1
	@scripts/setup.sh --tests
	@swift build --build-tests $(STRICT)
	@TARN_KILL_ROUNDS=$(ROUNDS) TARN_KILL_SEED=$(SEED) \
		scripts/run-tests.sh --filter ProcessKillTests

simulate: ## play worlds on and on, and hold the laws to them: make simulate SEEDS=1..500 STEPS=5000
	@scripts/setup.sh
	@swift build -c release $(STRICT) --product tarn-simulate
	@.build/release/tarn-simulate --seeds $(SEEDS) --steps $(STEPS)

mutations: ## plant sixteen faults in a copy of the sources, and see the simulator find each
	@scripts/setup.sh
	@scripts/mutations.sh

lint: ## check the layout of the sources (swift format)
	@scripts/setup.sh
	@swift format lint --strict --parallel --recursive $(SOURCES)

certs: ## make a development authority and a server certificate
	@scripts/setup.sh
	@certs/make-certificates.sh
