# `make demo` and `make test` each work as the first command ever run: they set up .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test thorough lint docs bench format clean

demo: $(VENV)/.ready
	$(BIN)/snellen demo --out demo

# Three workers on two cores, for some wait for a command; threads of a linear-algebra library on top
# of them only get in the way.
test: $(VENV)/.ready-test
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 3 --dist loadfile

# All of it, with what only shows more of the same. More random examples yet:
# .venv/bin/python -m pytest -m "" --hypothesis-profile thorough
thorough: $(VENV)/.ready-test
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 3 --dist loadfile -m ""

lint: $(VENV)/.ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The site in site/, from docs/; a warning or a broken link is an error.
docs: $(VENV)/.ready-docs
	$(BIN)/python -m documentation.site

bench: $(VENV)/.ready-test
	$(BIN)/python -m benchmarks

format: $(VENV)/.ready-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) build demo runs site

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Snellen needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: pyproject.toml | $(BIN)/python
	$(PIP) install -e .
	@touch $@

$(VENV)/.ready-docs: pyproject.toml | $(BIN)/python
	$(PIP) install -e '.[docs]'
	@touch $@

# The version of torch is pinned because any other brings several gigabytes for a GPU along.
# supervision goes in without its dependencies: it would bring a second OpenCV over the first.
# mlflow, wandb and fiftyone stay out: they take longer to install than their tests are worth here.
# Those tests are skipped; CI logs a run to either of the first two with its extra alone.
# The example plug-in goes in so that tests show it beside the built-in methods.
$(VENV)/.ready-test: pyproject.toml examples/plugin/pyproject.toml | $(BIN)/python
	$(PIP) install torch==2.13.0
	$(PIP) install -e '.[test,lint,docs,tflite,torch,transformers,maite,fusion,study]'
	$(PIP) install --no-deps 'supervision>=0.25' 'imagecorruptions-imaug==1.1.5'
	$(PIP) install --no-deps -e examples/plugin
	@touch $@ $(VENV)/.ready $(VENV)/.ready-docs
