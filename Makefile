# pbm: two commands on a fresh machine are `make run` and `make test`.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

# pbm refuses to run as root unless it is told to; here whoever types make has decided.
ifeq ($(shell id -u),0)
export PBM_AS_ROOT = 1
endif

# Where this is set, as in many containers, each start of pbm compiles all of it again.
export PYTHONDONTWRITEBYTECODE =

# As many processes as cores. Two more would wait less for servers, and take a fifth more CPU, since
# each finds the memory of the others in its core. One that has done its tests takes some of another's.
SUITE  := -n $(shell getconf _NPROCESSORS_ONLN) --dist worksteal
QUICK  := -m 'not slow and not host and not hosts and not wheel'

.PHONY: run demo test slow host hosts wheel bare lowest newest lint types check torture bench gallery gallery-check dist clean
.DEFAULT_GOAL := help

help:
	@echo "make run    install, migrate ./var/pbm.db, serve on 127.0.0.1:8025, pages on PBM_SITE_URL or :8080"
	@echo "make demo   a whole match by real mail, printed as the players see it"
	@echo "make test   the tests, in two minutes"
	@echo "make slow   the long stories, and every conversation on PostgreSQL"
	@echo "make host   follows deploy/README.md on a Debian host of its own; needs root"
	@echo "make hosts  several hosts on one PostgreSQL, one cut off and one killed; needs root"
	@echo "make wheel  makes a release and installs it; needs the index of packages"
	@echo "make bare   sets up without Debian's python3-venv, and then with it; needs root"
	@echo "make lowest, make newest  some tests with the oldest packages allowed, and on Python 3.13"
	@echo "make torture  kills servers at every turn while people play; make torture KILLS=20; POWER=20 cuts the power"
	@echo "make bench  measures how fast it is, in an hour; python -m bench --help"
	@echo "make gallery  every kind of mail in pictures, var/gallery/index.html"
	@echo "make gallery-check  the same, looked at by axe-core and html-validate"
	@echo "make dist     the files of a release, in dist/"
	@echo "make lint   ruff and mypy --strict"

# pip comes last, so an environment that has it is whole. Debian's python3 alone cannot make one.
$(BIN)/pip:
	@$(PYTHON) -c 'import venv, ensurepip.__main__' 2>/dev/null || { \
	  echo "$(PYTHON) has no venv. On Debian and Ubuntu: apt install python3-venv. Then type make again." >&2; \
	  exit 1; }
	$(PYTHON) -m venv --clear $(VENV)

# A stamp per extra: set up once, and again when pyproject.toml changes.
$(VENV)/.run: pyproject.toml | $(BIN)/pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@ $(VENV)/.run

$(VENV)/.dev: pyproject.toml | $(BIN)/pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ $(VENV)/.test $(VENV)/.run

# The web pages beside it: built into ./var/site, for this machine alone.
run: export PBM_SITE_URL ?= http://127.0.0.1:8080/
# On a new server a small league waits for its first person, with three robots.
run: $(VENV)/.run
	$(BIN)/pbm db upgrade
	$(BIN)/pbm league list | grep -q gonnect-league || { $(BIN)/pbm robot add --standard \
	  && $(BIN)/pbm league new gonnect-league --game gonnect --option size=9 --notice 0 \
	  && $(BIN)/pbm league add gonnect-league robot-1 robot-2 robot-3; }
	$(BIN)/pbm site serve --every 10 & trap "kill $$!" EXIT INT TERM; $(BIN)/pbm serve

demo: $(VENV)/.run
	$(BIN)/python -m tests.demo

test: $(VENV)/.test
	$(BIN)/python -m pytest $(SUITE) $(QUICK)

# Tests of more than a second or two, and conversations that are played on SQLite by `make test`.
slow: $(VENV)/.test
	$(BIN)/python -m pytest $(SUITE) -m slow

# deploy/README.md is followed on a Debian host of its own, in a minute and a half; needs root.
host: $(VENV)/.test
	$(BIN)/python -m pytest -m host tests/host

# Three hosts on one PostgreSQL, one cut off and one killed, in a minute; needs root.
hosts: $(VENV)/.test
	$(BIN)/python -m pytest -s -m hosts tests/hosts

# The files of a release are made and installed as deploy/ says; needs the index of packages.
wheel: $(VENV)/.test
	$(BIN)/python -m pytest -m wheel tests/test_wheel.py

# The set-up as on a Debian without python3-venv, and after that is installed; needs root.
bare:
	.ci/bare $(PYTHON)

# The tests that depend most on what others have written.
PARTS  := tests/store tests/smtp tests/cli

# With the lowest versions that pyproject.toml allows.
lowest: $(VENV)/.test
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python var/lowest
	$(BIN)/uv pip install --quiet --python var/lowest --resolution lowest-direct --editable '.[test]'
	var/lowest/bin/python -m pytest $(QUICK) $(PARTS)

# On the newest Python that pyproject.toml names, where the machine has one. A shim of pyenv's may
# be there without it.
NEWEST = 3.13
PYTHONS = python$(NEWEST) $(HOME)/.pyenv/versions/$(NEWEST)*/bin/python

newest: $(VENV)/.test
	@for each in $(PYTHONS); do \
	  $$each -c '' 2>/dev/null || continue; \
	  set -ex; \
	  $(BIN)/uv venv --quiet --clear --python $$each var/newest; \
	  $(BIN)/uv pip install --quiet --python var/newest --editable '.[test]'; \
	  exec var/newest/bin/python -m pytest $(QUICK) $(PARTS); \
	done; echo "not tested on Python $(NEWEST): there is none on this machine"

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

check: lint types test

# So many kills of each layout of processes. With 300 it takes about half an hour.
KILLS  ?= 300

# With POWER so many power cuts of one server instead, on a disk that forgets what was not synced.
torture: $(VENV)/.test
	$(if $(POWER),-$(BIN)/uv pip install --quiet --python $(BIN)/python --editable '.[power]')
	$(BIN)/python -m tests.torture $(if $(POWER),--power $(POWER),--kills $(KILLS))

# Figures as JSON on standard output, tables on standard error.
bench: $(VENV)/.dev
	$(BIN)/python -m bench

# With a Chromium in pictures, which takes two minutes; without one in frames.
gallery: $(VENV)/.test
	$(BIN)/python -m gallery.mails var/gallery

# The same, looked at by axe-core and html-validate: needs a Chromium and npm.
gallery-check: gallery
	npm install --silent --no-save --prefix var/gallery/tools axe-core@4.14 html-validate@10.17
	$(BIN)/python -m gallery.check var/gallery

# Wheel, source, pinned requirements and checksums; the same octets for the same commit.
dist: $(VENV)/.test
	.ci/dist $(BIN)/python dist

clean:
	rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache
