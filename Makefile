PYTHON ?= python3
VENV := .venv
PEERS := .venv-peers
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
STORE := .adjudge/demo.db
DATA ?= ../shared/data/robot

STORE_TESTS := $(addprefix tests/runs/test_,run_store.py stored_replies.py postgresql.py shards.py \
  killed_runs.py killed_asking.py batch_questions.py) tests/agreement/test_labels.py tests/cli/test_stores_alike.py \
  tests/cli/test_shard_commands.py

.PHONY: demo test test-postgres test-integration lint types bench docs clean

demo: $(VENV)/.installed
	@$(BIN)/adjudge run robot examples/robot --store $(STORE) || test $$? -eq 3
	@echo
	@$(BIN)/adjudge show last --store $(STORE)
	@echo
	@echo "Try next:"
	@echo "  $(BIN)/adjudge simulate examples/robot/plans.jsonl --case door-shut"
	@echo "  $(BIN)/adjudge show last --case no-water --store $(STORE)"
	@echo "  $(BIN)/adjudge run --help"

test: lint types $(VENV)/.installed-docs
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

# The tests of stores, on a PostgreSQL server that is started for them and stopped again.
test-postgres: $(VENV)/.installed-postgres
	$(BIN)/python tests/postgres_server.py $(BIN)/python -m pytest -n auto $(STORE_TESTS)

# Also trainers and data sets for real: TRL, datasets, torch. Slow to install.
test-integration: $(VENV)/.installed-integration test-postgres
	ADJUDGE_INTEGRATION=1 $(BIN)/python -m pytest tests/integration

bench: $(VENV)/.installed-bench $(PEERS)/.installed
	$(BIN)/python benchmarks/robot_simulator.py
	$(BIN)/python benchmarks/robot_verdicts.py
	if test -d $(DATA); then $(BIN)/python benchmarks/robot_scene.py \
	  $(DATA)/virtualhome_full/file27_2.json $(DATA)/virtualhome_tasks.jsonl; fi
	$(BIN)/python benchmarks/browser_checks.py
	$(BIN)/python benchmarks/social_discounting.py
	$(BIN)/python benchmarks/peers.py
	$(BIN)/python benchmarks/agreement_coverage.py
	$(BIN)/python benchmarks/report_page.py

# The documents as a site in site/, built without a network; any warning ends it.
docs: $(VENV)/.installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# Every version is pinned; the project itself is installed without asking for anything more.
$(VENV)/.installed: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --no-deps -r requirements.lock
	$(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.lock
	$(PIP) install --quiet --no-deps -r requirements-dev.lock
	@touch $@

$(VENV)/.installed-docs: $(VENV)/.installed requirements-docs.lock
	$(PIP) install --quiet --no-deps -r requirements-docs.lock
	@touch $@

$(VENV)/.installed-bench: $(VENV)/.installed-dev requirements-bench.lock
	$(PIP) install --quiet --no-deps -r requirements-bench.lock
	@touch $@

$(VENV)/.installed-postgres: $(VENV)/.installed-dev requirements-postgres.lock
	$(PIP) install --quiet --no-deps -r requirements-postgres.lock
	@touch $@

# Other judging tools, which benchmarks measure beside this one: what they pin is theirs.
$(PEERS)/.installed: requirements-peers.lock
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip --disable-pip-version-check install --quiet --no-deps -r requirements-peers.lock
	@touch $@

$(VENV)/.installed-integration: $(VENV)/.installed-dev requirements-integration.lock
	$(PIP) install --quiet --no-deps -r requirements-integration.lock
	@touch $@

clean:
	rm -rf $(VENV) $(PEERS) site .mypy_cache .ruff_cache .pytest_cache .hypothesis .adjudge
