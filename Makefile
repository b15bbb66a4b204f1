# Python 3.11 and make are all that a machine needs: everything else comes from requirements.lock.
# PYTHON=… chooses the interpreter that makes .venv.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

export PIP_DISABLE_PIP_VERSION_CHECK = 1

.DEFAULT_GOAL := help
.PHONY: help setup run test check lint bench lock clean

help:  ## what each target does
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP)  ## the virtual environment .venv with the locked dependencies

run: setup  ## a demo property on http://127.0.0.1:8000 with its own servers; Ctrl-C stops all of it
	@exec $(BIN)/python manage.py run

test: setup  ## every test, a file at a time on each processor
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile

check: lint test  ## lint, types and import contracts, then every test

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup  ## every benchmark beside its peer; writes benchmarks/results.json
	$(BIN)/python -m benchmarks

lock: setup  ## requirements.lock anew from pyproject.toml, for Linux and macOS, x86-64 and ARM
	$(BIN)/python -m venv var/uv && var/uv/bin/pip install --quiet uv
	var/uv/bin/uv pip compile pyproject.toml --extra dev --output-file requirements.lock --generate-hashes \
	  --universal --fork-strategy fewest --python-version 3.11 --upgrade --quiet \
	  --custom-compile-command "make lock"

clean:  ## removes .venv and caches; the data in var/ stays
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache staticfiles
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamp is the lock that was installed, so that a checkout of an older lock installs again too.
$(STAMP): requirements.lock
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11")'
	@cmp -s requirements.lock $(STAMP) || { \
	  echo "Installing the locked dependencies into $(VENV) …" && \
	  "$(PYTHON)" -m venv --clear $(VENV) && \
	  $(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock; }
	@cp requirements.lock $(STAMP)
