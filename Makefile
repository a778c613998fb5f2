# demo, test, check, bench: all that is needed. `make setup` alone makes .venv.

PORT ?= 8000
PYTHON ?= $(firstword $(shell for p in python3 python3.13 python3.12 python3.11; do \
  command -v $$p >/dev/null && $$p 2>/dev/null -c 'import sys; sys.exit(sys.version_info < (3, 11))' && echo $$p; done))
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all:

.PHONY: demo start setup test check bench containers messages lock neural clean

demo: setup
	@$(BIN)/python manage.py migrate --verbosity 0
	@$(BIN)/python manage.py load_demo --links http://localhost:$(PORT)
	@$(BIN)/python manage.py start --port $(PORT)

# What demo does, without the demo study.
start: setup
	@$(BIN)/python manage.py migrate --verbosity 0
	@$(BIN)/python manage.py start --port $(PORT)

setup: .venv/base

test: .venv/dev
	@$(BIN)/python tests/run.py

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/python manage.py makemigrations --check --dry-run
	POLARLAB_ENV=production PUBLIC_URL=https://polarlab.example BEHIND_PROXY=1 \
	  SECRET_KEY=$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(64))') \
	  $(BIN)/python manage.py check --deploy --fail-level WARNING
	$(BIN)/python manage.py spectacular --validate --fail-on-warn >/dev/null
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml

# The folder of real files that benchmarks and tests read.
DATA ?= ../shared/data

bench: .venv/dev
	$(BIN)/python -m bench.polarity $(DATA)/pmb_sentences.txt
	$(BIN)/python -m bench.endings
	$(BIN)/python -m bench.labelling $(DATA)
	$(BIN)/python -m bench.confidence $(DATA)
	$(BIN)/python -m bench.words
	$(BIN)/python -m bench.testbeds $(DATA) --only agreement,speed
	$(BIN)/python -m bench.logic $(DATA)/reference
	$(BIN)/python -m bench.releases
	$(BIN)/python -m bench.downloads
	$(BIN)/python -m bench.importing
	$(BIN)/python -m bench.load --pairs $(DATA)/MED_dev.tsv

# Build the image and try the whole Compose file: needs a container engine, and takes some minutes.
containers:
	@$(PYTHON) tests/containers.py

# Collect the interface's strings into each language's file, and compile what is translated (needs gettext).
messages: .venv/base
	@$(BIN)/python manage.py makemessages --all --add-location file --ignore 'tests/*' --ignore 'bench/*' --verbosity 0
	@for file in locale/*/LC_MESSAGES/django.po; do \
	  sed '/^"POT-Creation-Date/d' $$file > $$file.new && mv $$file.new $$file; done
	@$(BIN)/python manage.py compilemessages --ignore .venv --ignore var

# Optional and outside the hashed lock: networks and Hugging Face models need torch. It says what it downloads
# first. On Linux without a card, TORCH_INDEX=https://download.pytorch.org/whl/cpu saves gigabytes of CUDA.
TORCH_INDEX ?=

neural: .venv/base
	@$(BIN)/python requirements/neural.py --torch-index '$(TORCH_INDEX)'

# Resolve the lock again, against the public index only.
lock:
	cd requirements && for set in base dev; do uv pip compile --no-config --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-header \
	  $$([ $$set = dev ] && echo "-c base.txt") $$set.in -o $$set.txt; done

clean:
	rm -rf .venv

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Polarlab needs Python 3.11 or newer; none was found. Set PYTHON=/path/to/python3."; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "Python's venv module is missing. On Debian or Ubuntu: sudo apt install python3-venv"; exit 1; }
	@echo "Making .venv with $$($(PYTHON) --version) …"
	@$(PYTHON) -m venv .venv

.venv/base: requirements/base.txt | .venv/bin/python
	@echo "Installing pinned dependencies …"
	@$(PIP) -r requirements/base.txt
	@touch $@

.venv/dev: requirements/dev.txt .venv/base
	@echo "Installing what tests and checks need …"
	@$(PIP) -r requirements/dev.txt
	@touch $@
