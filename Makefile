# Every target makes its own .venv when it is missing. Needed: make, Python 3.11 or newer, pip.
PYTHON ?= python3
VENV := .venv
# two more than there are cores: many tests wait for sockets
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 2)
# where files of tests lie: in memory where programs may be started from it and 4 GB are free; a disk answers late
IN_MEMORY = d=$$(mktemp -d /dev/shm/gmXXXX 2>/dev/null) && chmod 755 $$d || exit 0; cp "$$(command -v cat)" $$d && $$d/cat </dev/null 2>/dev/null && \
	[ "$$(df -Pk $$d | awk 'NR == 2 {print $$4}')" -gt 4000000 ] && echo $$d || rm -rf $$d
BIN := $(VENV)/bin
# what is compiled once is there for every process of a test run (empty means: write it)
export PYTHONDONTWRITEBYTECODE :=
SERVER := deploy/postgres-tests-requirements.txt
NO_SERVER := echo "a PostgreSQL server cannot be installed here: the tests that need one say that they are skipped"
LOCKS := build-requirements.txt requirements.txt extras-requirements.txt dev-requirements.txt
FAULTS_ARGS = $(if $(FAMILY),--family $(FAMILY)) $(if $(CASE),--case $(CASE)) $(if $(JOBS),--jobs $(JOBS)) $(if $(MINUTES),--minutes $(MINUTES))

.PHONY: demo init run test test-model test-peers phoenix diagnose check check-types check-rules site bench faults faults-nightly faults-telegram faults-discord soak format clean deps-debian escapes lock audit release

demo: | $(VENV)/.run        ## the worked example, offline, no key needed
	@$(BIN)/python -m bot demo

init: | $(VENV)/.run        ## make a configuration: asks, checks it live, writes it down
	@$(BIN)/python -m bot init

run: | $(VENV)/.run         ## the bot, configured by config.toml
	@$(BIN)/python -m bot run

test: $(VENV)/.read         ## the whole test suite, on every core; the house rules are `make check`'s
	@there=$$($(IN_MEMORY)); trap 'rm -rf $$there' EXIT INT TERM; \
	TMPDIR=$${there:-$${TMPDIR:-/tmp}} $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --ignore tests/architecture

test-model: $(VENV)/.dev    ## the whole bot with a real model: MODEL_URL=http://127.0.0.1:8080/v1 MODEL_NAME=x; PLAY=dialog one play (see tests/model)
	@$(BIN)/python -m tests.model

test-peers: $(VENV)/.peers  ## against servers that other people wrote (see tests/peers/README.md)
	@$(BIN)/python -m pytest tests/peers -rs

check: $(VENV)/.dev         ## lint, types, import contracts, house rules, side by side
	@$(MAKE) --no-print-directory -j2 check-types check-rules

check-types:
	@$(BIN)/mypy

check-rules:
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports
	@$(BIN)/python -m pytest tests/architecture
	@$(BIN)/python -m pytest --collect-only -p no:syrupy >$(VENV)/.collected || { tail -40 $(VENV)/.collected; false; }
	@touch $(VENV)/.read

site: $(VENV)/.dev          ## the documentation, into site/: read it without a network
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet && echo site/index.html

bench: $(VENV)/.dev         ## the figures; JSON goes to bench.json
	@$(BIN)/python -m tests.bench --out bench.json

phoenix: | $(VENV)/.python   ## a viewer of traces for tests/peers, in an environment of its own (850 MB)
	@$(PYTHON) -m venv $(VENV)/peers/phoenix
	@$(VENV)/peers/phoenix/bin/python -m pip install --quiet --disable-pip-version-check arize-phoenix==20.26.1

diagnose: $(VENV)/.dev      ## how often the rules find the cause: every cause on every platform, in other words (minutes). SEEDS=5 more ways; ONLY=word
	@$(BIN)/python -m tests.diagnose

faults: $(VENV)/.faults      ## every family of faults at release size, and SCORECARD.md; goes on where it stopped. FAMILY=F2 one of them, CASE=... one case
	@$(BIN)/python -m tests.faults $(FAULTS_ARGS)

faults-nightly: $(VENV)/.faults  ## the same in about twenty minutes
	@$(BIN)/python -m tests.faults --size nightly $(FAULTS_ARGS)

faults-telegram: $(VENV)/.dev  ## 300 seeded troubles of a bot on Telegram; SEED=7 plays one again
	@$(BIN)/python -m tests.faults --size nightly --family F9 $(if $(SEED),--case seed$(SEED))

faults-discord: $(VENV)/.dev   ## 300 seeded troubles of a bot on Discord; SEED=7 plays one again
	@$(BIN)/python -m tests.faults --size nightly --family F8 $(if $(SEED),--case seed$(SEED))

soak: $(VENV)/.dev          ## what the suite plays a part of, whole: a group chat of 1,000 turns; a cut at every byte; all properties; ...
	@FAULTS=1 SOAK=$${SOAK:-1000} $(BIN)/python -m pytest -s --timeout 3600 tests/dialogs/test_long_chat.py tests/dialogs/test_first_owner.py \
		tests/dialogs/test_exactness.py tests/dialogs/test_odd_text.py tests/dialogs/test_discord_rights.py \
		tests/dialogs/test_discord_many.py tests/dialogs/test_discord_presses.py \
		tests/bot/agent/test_puppet.py tests/bot/cli/test_rehearse.py tests/bot/cortex/test_threats.py \
		tests/adapters/sqlite/turns/test_spread.py tests/adapters/sqlite/upkeep/test_integrity.py \
		tests/contracts/test_service.py tests/adapters/sqlite/governance/test_revisions.py \
		tests/bot/diagnostics/test_missing.py tests/adapters/sqlite/upkeep/test_restore.py \
		tests/bot/cli/test_memory_transfer.py tests/dialogs/test_streaming.py
	@FAULTS=1 $(BIN)/python -m pytest -n $(WORKERS) -m hypothesis --ignore tests/architecture tests

escapes: $(VENV)/.dev        ## every attempt to get out of a workspace or a sandbox, and every program that takes all it can
	@FAULTS=1 $(BIN)/python -m pytest -v -rs tests/adapters/workspaces tests/adapters/bubblewrap tests/contracts/test_sandbox.py \
		tests/dialogs/test_work_tools.py

deps-debian:                ## what some tests and the workers' programs need beside Python (as root)
	apt-get install -y --no-install-recommends bubblewrap pgbouncer strace util-linux

format: $(VENV)/.dev        ## let ruff arrange the code
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

lock: $(VENV)/.dev          ## write deploy/*requirements.txt again from constraints.txt: what is installed, by digest
	@$(BIN)/python deploy/lock.py

audit: $(VENV)/.python      ## look the locked packages up in the database of known vulnerabilities, where it can be reached
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[audit]' || \
		echo "audit: pip-audit cannot be installed here"
	@$(BIN)/python deploy/audit.py

release: $(VENV)/.release    ## build wheel, source archive, SBOM and digests into dist/, and try them as a stranger would (docs/release.md)
	@$(BIN)/python deploy/release.py $(if $(ONLY_BUILD),--only-build)

clean:                      ## forget the environment and every cache
	rm -rf $(VENV) site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11 ...")'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.run: | $(VENV)/.python
	@echo "installing into $(VENV) (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

# CI, which is a Linux as the lock files are for, takes no file but those whose digests they name; other systems have
# wheels of their own
$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/.python
	@echo "installing into $(VENV) ..."
ifeq ($(CI),true)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary=:all: $(LOCKS:%=-r deploy/%)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary=:all: -r $(SERVER) || $(NO_SERVER)
else
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[postgres-tests]' || $(NO_SERVER)
endif
	@touch $@ $(VENV)/.run

# in a new clone pytest compiles every test, and hypothesis looks for constants in all code: once for all workers,
# instead of in each of them at the same time
$(VENV)/.read: $(VENV)/.dev
	@for rooms in "tests/bot tests/adapters" "tests --ignore tests/bot --ignore tests/adapters --ignore tests/architecture"; do \
		$(BIN)/python -m pytest --collect-only -p no:syrupy $$rooms >/dev/null & \
	done; wait
	@touch $@

# what installs a wheel as newcomers do, and the schema of SBOMs; a release says which of them is missing
$(VENV)/.release: $(VENV)/.dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[release]' || \
		echo "pipx, uv or cyclonedx-python-lib cannot be installed here: what needs them is skipped"
	@touch $@

# a fuzzer that not every machine has a wheel of: without it those cases say that they are not played
$(VENV)/.faults: $(VENV)/.dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[faults]' || \
		echo "the fuzzer atheris cannot be installed here: its cases are not played"
	@touch $@

# npm is no prerequisite: without it the tests that need its package say that they are skipped
$(VENV)/.peers: pyproject.toml constraints.txt tests/peers/package.json $(VENV)/.dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[peers]'
	@command -v npm >/dev/null || echo "npm is missing: the peers for Telegram, Discord and Anthropic are skipped"
	@mkdir -p $(VENV)/peers && cp tests/peers/package.json $(VENV)/peers
	@! command -v npm >/dev/null || npm install --silent --no-audit --no-fund --prefix $(VENV)/peers
	@touch $@
