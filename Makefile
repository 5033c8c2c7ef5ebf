# The verbs of this project; each installs what it needs first. `make` alone lists them.
.PHONY: help setup build prove book test gates tsan asan soak fuzz bench format

help:
	@echo 'make setup   install missing Debian packages'
	@echo 'make build   build the command at build/wakeproof, the tests and the benchmarks'
	@echo 'make prove   search the whole catalogue: what is proved, and how each mutant is caught'
	@echo 'make book    every scenario as a page of a static site, in build/book'
	@echo 'make test    every test, plain and under the sanitizers'
	@echo 'make gates   every gate of ci/, one after the other, with a table at the end'
	@echo 'make tsan    the tests on real threads under ThreadSanitizer'
	@echo 'make asan    the tests on real threads under AddressSanitizer and UBSan'
	@echo 'make soak    sink, loop and server under load, 5 minutes in each of three builds; SECONDS=60 for less'
	@echo 'make fuzz    a minute of anything for the reader of trace documents'
	@echo 'make bench   how fast the search is, and the sink on real threads'
	@echo 'make format  lay out the sources'

setup:
	@ci/setup.sh

build: setup
	@ci/build.sh dev

prove: build
	@build/wakeproof run -j $$(nproc)

book: build
	@build/wakeproof book build/book

test: build
	@ctest --preset dev
	@$(MAKE) --no-print-directory tsan asan fuzz

gates: setup
	@ci/all.sh

tsan: setup
	@ci/tsan.sh

asan: setup
	@ci/asan.sh

SECONDS = 300
soak: setup
	@ci/soak.sh $(SECONDS)

fuzz: setup
	@ci/fuzz.sh

bench: build
	@build/search_bench
	@build/sink_bench --benchmark_min_time=0.3

format: setup
	@git ls-files '*.hpp' '*.cpp' | xargs clang-format-19 -i
