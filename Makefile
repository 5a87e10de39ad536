# Two commands matter to a newcomer: `make demo` and `make test`. Each does all its own set-up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEMO_STAMP := $(VENV)/.installed-for-demo

.PHONY: demo test fuzz chaos results lint format lock install clean help

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

# The demo needs half of what the tests need; where the tests' are installed, they serve both.
$(STAMP): requirements/dev.lock pyproject.toml
	@$(call install,dev)

$(DEMO_STAMP): requirements/demo.lock pyproject.toml
	@$(call install,demo)

define install
  $(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
    { echo "Lawful needs Python 3.11, 3.12 or 3.13; '$(PYTHON)' is $$($(PYTHON) --version). Try: make PYTHON=python3.12 demo" >&2; exit 1; }; \
  $(PYTHON) -m venv $(VENV) || \
    { echo "Creating a virtual environment failed. On Debian: apt-get install python3-venv" >&2; exit 1; }; \
  echo "installing into $(VENV) (exact versions, hashes checked) ..." && \
  $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/$(1).lock && \
  $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . && \
  touch $@
endef

install: $(STAMP)  ## create the virtual environment

demo: $(if $(wildcard $(STAMP)),$(STAMP),$(DEMO_STAMP))  ## a fleet of agents, verdicts, audit and SQL, on embedded engines
	@$(BIN)/lawful demo

# Tests start hundreds of processes, which need not compile the same modules each time.
test: export PYTHONDONTWRITEBYTECODE :=
test: $(STAMP)  ## all tests whose engines are here, three at a time: most wait for engines
	@$(BIN)/python -m pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder

fuzz: $(STAMP)  ## laws with examples never tried before (SEED=1); make test tries the same ones in every run
	@$(BIN)/python -m pytest --numprocesses 2 -m hypothesis --hypothesis-profile=new $(if $(SEED),--hypothesis-seed=$(SEED))

chaos: $(STAMP)  ## faults under load, 100,000 events in all (SEED=1); half an hour
	@LAWFUL_TEST_KILLS=20 $(BIN)/python -m pytest --quiet tests/services/test_kill.py
	@$(BIN)/lawful chaos --seed $(or $(SEED),1)

# A run that ends with status 1 has missed a bound: that stands in its document, and on the page.
RUNS := attacks agentleak tau2-retail tau2-airline maris converse converse-1 converse-2 auditors bench

results: $(STAMP) $(RUNS:%=build/results/%.json)  ## run what is not in build/results yet, and write docs/results.md
	@$(BIN)/lawful evaluate results $(RUNS:%=build/results/%.json) --out docs/results.md

DATA := $(or $(LAWFUL_SHARED_DATA),../shared/data)
ARGS_agentleak := evaluate --set agentleak $(DATA)/agentleak/scenarios_base_100.jsonl
ARGS_tau2-retail := evaluate --set tau2 $(DATA)/tau2/retail/tasks.json
ARGS_tau2-airline := evaluate --set tau2 $(DATA)/tau2/airline/tasks.json
ARGS_attacks := evaluate
ARGS_maris := evaluate --suite maris
ARGS_converse := evaluate --suite converse
ARGS_converse-1 := evaluate --suite converse --seed 1
ARGS_converse-2 := evaluate --suite converse --seed 2
ARGS_auditors := evaluate --suite auditors
ARGS_bench := bench all

build/results/%.json:
	@mkdir -p build/results
	@$(BIN)/lawful $(ARGS_$*) --json >$@.part || test $$? -eq 1
	@test -s $@.part && mv $@.part $@

lint: $(STAMP)  ## ruff, mypy, pyright, import contracts
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/pyright --warnings
	@$(BIN)/lint-imports --no-cache >/dev/null || $(BIN)/lint-imports --no-cache
	@$(BIN)/python -m lawful.schemas.compatibility check

format: $(STAMP)  ## let ruff mend what it can
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

lock:  ## resolve requirements/*.lock anew, for all supported Pythons at once
	@$(PYTHON) -m venv $(VENV)-lock && $(VENV)-lock/bin/pip install --quiet uv
	@$(VENV)-lock/bin/uv $(COMPILE) --extra dev --output-file requirements/dev.lock
	@$(VENV)-lock/bin/uv $(COMPILE) --extra pipeline --extra embedded --extra build --constraint requirements/dev.lock \
	  --output-file requirements/demo.lock
	@rm -rf $(VENV)-lock

COMPILE := pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url pyproject.toml

clean:  ## remove what make made
	rm -rf $(VENV) .mypy_cache .ruff_cache .import_linter_cache build dist
