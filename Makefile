PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint types bench clean

demo: $(VENV)/.installed
	$(BIN)/adjudge run robot examples/robot --store sqlite:///.adjudge/demo.db
	@echo
	@echo "Next: $(BIN)/adjudge simulate examples/robot/wash_mug.json"
	@echo "      $(BIN)/adjudge run --help"

test: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto

bench: $(VENV)/.installed-bench
	$(BIN)/python benchmarks/run_all.py

# The lock pins every version; the project itself is installed without asking for anything more.
$(VENV)/.installed: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps -e .
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.lock
	$(BIN)/python -m pip install --quiet -r requirements-dev.lock
	touch $@

$(VENV)/.installed-bench: $(VENV)/.installed-dev requirements-bench.lock
	$(BIN)/python -m pip install --quiet -r requirements-bench.lock
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .adjudge
