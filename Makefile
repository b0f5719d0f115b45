# The build itself is Cargo's; these are the commands that a person or CI runs.
#   make demo     set up, build, and generate tests for specs/airflow.fpcore into magneto.out/
#   make test     set up, and run all tests; with TESTED=--workspace those of the Python package, too
#   make long     the long form of the tests, hours, with a summary in target/long/; PART=2/4 runs a part of it
#   make wheel    the Python package, into target/wheels/
#   make lint     formatting, clippy and documentation, warnings as errors
#   make bench    timings of the kernel and of whole runs
#   make book     the book of docs/ as a web site, into target/book/
#   make dist     an archive of the program, and a Debian package, into target/dist/ (packaging/)
#   make vscode   the extension for Visual Studio Code, into target/dist/ (npm)
#   make setup    only check for and install what a build needs
#   make clean    remove everything built or generated

# Where rustup puts cargo; a shell that was open during its installation does not know yet.
export PATH := $(PATH):$(HOME)/.cargo/bin

CARGO ?= cargo
SPEC ?= specs/airflow.fpcore
OUT ?= magneto.out

.DEFAULT_GOAL := demo
.PHONY: demo test long lint bench book dist setup clean wheel vscode

demo: setup
	$(CARGO) run --profile demo --locked -- gen $(SPEC) -o $(OUT)
	@echo 'The program is target/demo/magneto. To look at the result: target/demo/magneto report $(OUT)'

test: setup
	$(CARGO) test --locked $(TESTED)

long: setup
	.ci/long $(PART)

# In an environment of its own where maturin is not installed.
wheel:
	command -v maturin >/dev/null || python3 -m venv target/maturin
	command -v maturin >/dev/null || target/maturin/bin/pip install -q 'maturin>=1.9,<2'
	packaging/notices.py magneto-python >LICENSE-THIRD-PARTY.md
	PATH="$$PATH:$(CURDIR)/target/maturin/bin" maturin build --release --locked -o target/wheels

lint:
	.ci/setup lint
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --no-deps

bench: setup
	$(CARGO) bench --locked

book:
	@command -v mdbook >/dev/null || { echo 'mdBook is not installed; get it by: cargo install mdbook (minutes), or your package manager. The pages are plain Markdown in docs/src/ as well.' >&2; exit 1; }
	mdbook build -d "$(CURDIR)/target/book" docs

dist: setup
	packaging/build.sh $(TARGET)

vscode:
	mkdir -p target/dist
	cd packaging/vscode && npm install --no-audit --no-fund --no-package-lock && npm run package -- -o $(CURDIR)/target/dist/

setup:
	.ci/setup

clean:
	$(CARGO) clean
	rm -rf magneto.out .magneto-cache tests/fuzz/target tests/fuzz/corpus tests/fuzz/artifacts
