# Two commands for a newcomer: `make ask Q="…"` and `make test`. Each does all of its own set-up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
Q ?= What are the warning signs of a stroke?
export Q
# Options of `make bench`, for example BENCH="--only lexical".
BENCH ?=
# Options of `make eutils`, which serves a corpus as PubMed would (see tests/emulators/eutils).
EUTILS ?= --data ../shared/data
# Options of `make chat`, which plays Slack and Telegram (see tests/emulators/chat).
CHAT ?= --slack-port 8086 --telegram-port 8087
# A CPU wheel of torch is a tenth of the default one; sites behind a mirror may name an index that has it.
TORCH_INDEX ?=
INDEX := $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX),)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: ask test lint bench eutils chat trial screenshots serve clean

ask: $(VENV)/.ready
	@$(BIN)/carecite ask "$$Q"

test: $(VENV)/.ready-dev
	$(BIN)/python -m pytest

lint: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.ready-dev
	$(BIN)/python -m tests.bench $(BENCH)

eutils: $(VENV)/.ready-dev
	$(BIN)/python -m tests.emulators.eutils $(EUTILS)

chat: $(VENV)/.ready-dev
	$(BIN)/python -m tests.emulators.chat $(CHAT)

trial: $(VENV)/.ready-dev
	@$(BIN)/python -m tests.trial

screenshots: $(VENV)/.ready-dev
	$(BIN)/python -m tests.screenshots

serve: $(VENV)/.ready
	@$(BIN)/carecite serve

# torch comes first: the other packages then find it and fetch no larger one.
$(VENV)/.ready: pyproject.toml constraints.txt
	@echo "Setting up $(VENV); the first time takes some minutes." >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) $(INDEX) torch
	@$(PIP) -e .
	@touch $@

$(VENV)/.ready-dev: $(VENV)/.ready
	@$(PIP) -e ".[dev,documents,graphs,hpo,plot,bench]"
	@touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
