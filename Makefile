PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
SCENES := scenes
GALLERY := build/gallery
MINUTES := 10
QUICK := scene draw evaluate explain gallery geometry/test_answers.py geometry/test_traits.py geometry/test_arrays.py \
	geometry/test_meanings.py geometry/test_shape_checks.py
export PYTHON VENV BIN

# In the 600 processes of the tests, the threads that OpenBLAS starts turn idly for half the time of NumPy's import, and
# Mesa takes longer to optimise shaders, and to share pictures among threads, than to draw them.
TESTS := OPENBLAS_NUM_THREADS=1 LP_NUM_THREADS=0 GALLIVM_PERF=nopt $(BIN)/python -m pytest -n auto --dist loadgroup

# pyglet opens X11 windows on Linux; macOS and Windows always have a display.
DISPLAY_HERE := $(DISPLAY)$(filter Darwin,$(shell uname -s))$(filter Windows_NT,$(OS))

.DEFAULT_GOAL := help
.PHONY: help run test every_test quick lint check fuzz bench engines render errors media clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-8s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

run: $(VENV)/.opengl ## open the viewer on the gallery; without a display, check and render it
ifeq ($(DISPLAY_HERE),)
	@echo "There is no display here: the gallery is checked and rendered instead of opened."
	@$(MAKE) --no-print-directory check render
else
	$(BIN)/hitscope open
endif

test: ## lint, and run every test beside it
	@$(MAKE) --no-print-directory -j 2 lint every_test

every_test: $(VENV)/.installed $(VENV)/.compilers # packages of Python and, meanwhile, of the system
	@$(MAKE) --no-print-directory $(VENV)/.opengl
	@echo "Running every test: of windows and OpenGL, of compiled code, C, C++ and C#, and of the wheel in each Python."
	$(BIN)/python -m compileall -q app # once, not in every process that the tests start
	MAKEFLAGS= MFLAGS= $(TESTS)

quick: $(VENV)/.installed ## run the tests of a minute: scenes, verdicts and explanations, without OpenGL and compilers
	@echo "Running the tests of $(QUICK) that need no OpenGL and no compiler; make test runs every test."
	$(TESTS) -m "not thorough" $(addprefix tests/,$(QUICK))

lint: $(VENV)/.installed ## check style, formatting, types and the direction of imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

check: $(VENV)/.program ## evaluate the gallery against its expectations
	$(BIN)/hitscope check $(SCENES)

fuzz: $(VENV)/.installed ## attack for MINUTES=10, then compare exact with independent oracles (an hour)
	$(BIN)/python -m tests.fuzz.run --minutes $(MINUTES)
	$(BIN)/python -m tests.geometry.fuzz

bench: $(VENV)/.installed ## measure the core on this machine, and draw build/bench.png
	@mkdir -p build
	$(BIN)/hitscope bench --plot build/bench.png

engines: $(VENV)/.installed ## judge functions of the engines in ENGINES=folder, and write docs/engines.md
	$(BIN)/python -m benchmarks.engines $(ENGINES) $(OPTIONS)

render: $(VENV)/.opengl ## render the gallery to build/gallery
	@$(BIN)/python .ci/gallery.py $(SCENES) $(GALLERY)

errors: $(VENV)/.installed ## count anew what each method gets wrong, for the page of methods
	$(BIN)/python .ci/method_errors.py app/hitscope/cli/method_errors.json

media: $(VENV)/.installed $(VENV)/.opengl ## make the pictures of the README anew, and its page of methods
	$(BIN)/hitscope methods --markdown > assets/methods.md
	$(BIN)/hitscope map scenes/robustness/classroom.scene.json --handle cut.start --scale 1.1102230246251565e-16 \
		--size 112 --method slab_halfspaces --method kay_kajiya --method sat_segment -o assets/map.png
	$(BIN)/hitscope open --play assets/screenshot.recording -o assets/screenshot.png
	$(BIN)/python .ci/animation.py assets/drag.recording assets/drag.gif

clean: ## remove the virtual environment and everything that was built
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Prerequisites of the targets above; the stamps lie in the virtual environment and are removed with it.
$(BIN)/python:
	@.ci/setup venv

$(VENV)/.program: pyproject.toml | $(BIN)/python
	@echo "Installing hitscope and what it needs into $(VENV)"
	@$(BIN)/python -m pip install -qq --no-compile --editable '.[all]'
	@touch $@

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@echo "Installing hitscope and what its tests need into $(VENV)"
	@$(BIN)/python -m pip install -qq --no-compile --editable '.[dev]'
	-@$(BIN)/python -m compileall -q -j 0 -x '[/\\](tests?|mypyc?|pip|setuptools|pkg_resources|fontTools)[/\\]' $(VENV) # on all cores, no tests and nothing that is seldom imported: pip compiles all on one
	@touch $@ $(VENV)/.program

$(VENV)/.opengl: | $(VENV)/.program
	@.ci/setup opengl
	@touch $@

$(VENV)/.display: | $(BIN)/python
	@.ci/setup display
	@touch $@

$(VENV)/.compilers: | $(VENV)/.display
	@.ci/setup compilers
	@touch $@
