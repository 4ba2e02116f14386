# warpstep's build. `make help` lists the targets; every MODE has its own tree under build/.

MODE ?= release
EDITLINE ?= libedit
PREFIX ?= /usr/local
DESTDIR ?=
T ?= 30

MODES := release dev asan ubsan cov fuzz
ifeq ($(filter $(MODE),$(MODES)),)
$(error MODE=$(MODE) is not one of: $(MODES))
endif
ifeq ($(filter $(EDITLINE),libedit readline),)
$(error EDITLINE=$(EDITLINE) is not one of: libedit readline)
endif

# a helper tree of one's own: make O=build/mine
O := build/$(MODE)

# as many jobs as processors, unless -j says otherwise
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 1)
endif

# ---- tools and flags ------------------------------------------------------------------------------------------------

# (a compiler that differs from gcc in a warning must not keep the fuzzers from running; `make lint` shows clang's warnings)
HAVE_FUZZER := $(if $(filter fuzz,$(MODE)),$(shell printf 'int LLVMFuzzerTestOneInput(const char*d,unsigned long n){return d[0]+(int)n;}' \
	| clang -x c - -fsanitize=fuzzer,address -o /dev/null 2>/dev/null && echo yes))
ifeq ($(HAVE_FUZZER),yes)
CC := clang
else ifeq ($(origin CC),default)
CC := gcc
endif

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wwrite-strings -Wformat=2 \
	-Wimplicit-fallthrough -Werror
WARN_CONV := -Wconversion

comma := ,

CPPFLAGS_ALL := -D_GNU_SOURCE -Isrc -I. $(CPPFLAGS)
# release: lines and functions only, which is a fifth cheaper to compile, with the same instructions
DEBUG_INFO := $(if $(filter release,$(MODE)),-g1,-g)
CFLAGS_BASE := -std=gnu17 $(DEBUG_INFO) -ffp-contract=off -fno-omit-frame-pointer
LDFLAGS_MODE :=
FUZZ_DRIVER := tests/fuzz/standalone.c
OPT := -O2
OPT_EXEC := -O3 -fomit-frame-pointer
OPT_LANES := -O3
# the tests' own files: built in little time, except what computes much itself; debug a unit test in MODE=dev
OPT_TESTS = $(if $(filter test_alu_% test_mpfr_%,$(*F)),$(OPT),-O0)
LDFLAGS_TESTS := $(if $(filter release,$(MODE)),-Wl$(comma)--strip-debug)
VERIFY := -DWS_VERIFY_MARKS -DWS_VERIFY_LANES # each launch looks for stores that bypassed arena_touch; gdb's lanes keep their invariants
ifeq ($(MODE),dev)
OPT := -O0
OPT_EXEC := -O0
OPT_LANES := -O1
CPPFLAGS_ALL += $(VERIFY)
else ifeq ($(MODE),asan)
OPT := -O1
OPT_EXEC := -O1
OPT_LANES := -O1
CFLAGS_BASE += -fsanitize=address
LDFLAGS_MODE += -fsanitize=address
CPPFLAGS_ALL += $(VERIFY)
else ifeq ($(MODE),ubsan)
OPT := -O1
OPT_EXEC := -O1
OPT_LANES := -O1
CFLAGS_BASE += -fsanitize=undefined -fno-sanitize-recover=all
CPPFLAGS_ALL += $(VERIFY)
LDFLAGS_MODE += -fsanitize=undefined
else ifeq ($(MODE),cov)
OPT := -O0
OPT_EXEC := -O0
OPT_LANES := -O0
CFLAGS_BASE += --coverage -fprofile-update=atomic
LDFLAGS_MODE += --coverage
else ifeq ($(MODE),fuzz)
OPT := -O1
OPT_EXEC := -O1
OPT_LANES := -O1
ifeq ($(HAVE_FUZZER),yes)
CFLAGS_BASE += -fsanitize=fuzzer-no-link,address
LDFLAGS_MODE += -fsanitize=address
LDFLAGS_FUZZ := -fsanitize=fuzzer
FUZZ_DRIVER :=
WARN += -Wno-unknown-pragmas -Wno-error
else
CFLAGS_BASE += -fsanitize=address
LDFLAGS_MODE += -fsanitize=address
endif
endif

ifeq ($(EDITLINE),readline)
EDIT_CPPFLAGS := -DWS_EDITLINE_READLINE
EDIT_LIB := -lreadline
EDIT_TAG := -readline
else
EDIT_CPPFLAGS := -DWS_EDITLINE_LIBEDIT
EDIT_LIB := -ledit
EDIT_TAG :=
endif

# stacks and lines of programs' host code: without it these are addresses
LIBDW := $(if $(wildcard /usr/include/elfutils/libdwfl.h /usr/local/include/elfutils/libdwfl.h),-ldw)
LIBDW_CPPFLAGS := $(if $(LIBDW),-DWS_LIBDW)
LIBS := $(EDIT_LIB) -ljansson -lpng -liberty -lz -llz4 -lzstd $(LIBDW) -lm -lpthread

V ?= 0
ifeq ($(V),0)
say = @echo "  $1	$2";
else
say =
endif
COMPILE = $(call say,CC,$@)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_BASE) $(CFLAGS) $(WARN) -MMD -MP -c -o $@ $<

# ---- layers: one static library per folder, any of which may be empty -----------------------------------------------

# left to right as in the design: each may only include what stands before it (tests/layers checks)
LAYERS := base report isa ptx ptxplus frontend exec timing gpu check debug history session checkpoint server command gdbstub repl
DIR_base := src/base
DIR_report := src/report
DIR_isa := src/isa
DIR_ptx := ptx
DIR_ptxplus := src/ptxplus
DIR_frontend := src/frontend
DIR_exec := src/exec
DIR_timing := src/timing
DIR_gpu := src/gpu
DIR_check := src/check
DIR_debug := src/debug
DIR_history := src/history
DIR_session := src/session
DIR_command := src/command
DIR_gdbstub := gdbstub
DIR_checkpoint := src/checkpoint
DIR_server := src/server
DIR_repl := repl

# linker order: users before what they use
LINK_ORDER := repl gdbstub command server checkpoint session history debug check gpu timing exec frontend ptxplus ptx isa report base

layer_sources = $(filter-out repl/main.c,$(wildcard $(DIR_$1)/*.c $(DIR_$1)/*/*.c))
layer_tag = $(if $(filter repl,$1),$(EDIT_TAG))
# the only file that the line editor's library makes a difference to
EDIT_SOURCES := repl/edit.c
layer_lib = $(O)/libws_$1$(call layer_tag,$1).a

# the lane files are built once per instruction-set level; the program chooses when it starts
ifneq ($(filter x86_64%,$(shell $(CC) -dumpmachine)),)
LANES_LEVELS := v2 v3 v4
else
LANES_LEVELS := generic
endif
lanes_objects = $(foreach v,$(LANES_LEVELS),$(patsubst %.c,$(O)/obj/%.$v.o,$(filter src/exec/lanes_%,$1)))
edit_objects = $(patsubst %.c,$(O)/obj$(EDIT_TAG)/%.o,$(filter $(EDIT_SOURCES),$1))
layer_objects = $(patsubst %.c,$(O)/obj/%.o,$(filter-out src/exec/lanes_% $(EDIT_SOURCES),$(call layer_sources,$1))) \
	$(call lanes_objects,$(call layer_sources,$1)) $(call edit_objects,$(call layer_sources,$1))

PRESENT := $(foreach l,$(LAYERS),$(if $(strip $(call layer_sources,$l)),$l))
LAYER_LIBS := $(foreach l,$(LINK_ORDER),$(if $(filter $l,$(PRESENT)),$(call layer_lib,$l)))
PROGRAM := $(if $(wildcard repl/main.c),$(O)/warpstep$(EDIT_TAG))
MAIN_OBJ := $(O)/obj/repl/main.o
UNIT_TESTS := $(patsubst tests/unit/%.c,$(O)/unit/%,$(wildcard tests/unit/test_*.c))
FUZZERS := $(patsubst tests/fuzz/%.c,$(O)/%,$(wildcard tests/fuzz/fuzz_*.c))

.PHONY: all libs host sweep program units fuzzers check check-quick demo bench fuzz random lint install clean deps deps-check cov help manual FORCE
.DELETE_ON_ERROR:
.SUFFIXES:

all: program host sweep
ifeq ($(O),build/release)
ifneq ($(PROGRAM),)
	@[ "$$(readlink warpstep)" = $(PROGRAM) ] || ln -sfn $(PROGRAM) warpstep
	@[ "$$(readlink warpstep-sweep)" = $(SWEEP) ] || ln -sfn $(SWEEP) warpstep-sweep
endif
endif

libs: $(LAYER_LIBS)
program: libs $(PROGRAM)
units: $(UNIT_TESTS)
fuzzers: $(FUZZERS)

define LAYER_RULES
.PHONY: lib-$1
lib-$1: $$(if $$(filter $1,$$(PRESENT)),$$(call layer_lib,$1))
$$(call layer_lib,$1): $$(call layer_objects,$1) $(O)/obj/$1$(call layer_tag,$1).list
	@rm -f $$@
	$$(call say,AR,$$@)ar qcs $$@ $$(filter %.o,$$^)
# changes only when the set of objects does, so that a removed source leaves the library too
$(O)/obj/$1$(call layer_tag,$1).list: FORCE
	@mkdir -p $$(@D)
	@echo '$$(call layer_objects,$1)' | cmp -s - $$@ || echo '$$(call layer_objects,$1)' > $$@
endef
$(foreach l,$(LAYERS),$(eval $(call LAYER_RULES,$l)))
FORCE:

# what every host that runs the lane files has
LEAST_LEVEL := $(if $(filter generic,$(LANES_LEVELS)),,-march=x86-64-v2)

# ---- compiling ------------------------------------------------------------------------------------------------------

HEADERS_OK := build/.headers-ok
$(HEADERS_OK):
	@mkdir -p build
	@tests/tools/headers "$(CC)" build && touch $@

$(O)/obj/src/exec/round_%.o: src/exec/round_%.c | $(HEADERS_OK)
	@mkdir -p $(@D)
	$(COMPILE) $(WARN_CONV) -O2 -frounding-math

# gcc writes down which loops it vectorised: script/test_vectorised reads it
REPORT_LOOPS := $(if $(filter release,$(MODE)),$(findstring gcc,$(CC)))
define LANES_RULE
$(O)/obj/src/exec/lanes_%.$1.o: src/exec/lanes_%.c | $(HEADERS_OK)
	@mkdir -p $$(@D); rm -f $$(@:.o=.vec)
	$$(COMPILE) $(OPT_LANES) $(if $(REPORT_LOOPS),-fopt-info-vec-optimized=$$(@:.o=.vec)) -fno-math-errno -fno-trapping-math -DLANES_LEVEL=$1 $(if $(filter generic,$1),,-march=x86-64-$1)
endef
$(foreach v,$(LANES_LEVELS),$(eval $(call LANES_RULE,$v)))

$(O)/obj/src/exec/%.o: src/exec/%.c | $(HEADERS_OK)
	@mkdir -p $(@D)
	$(COMPILE) $(WARN_CONV) $(OPT_EXEC) $(LEAST_LEVEL)

$(O)/obj/src/check/%.o: src/check/%.c | $(HEADERS_OK)
	@mkdir -p $(@D)
	$(COMPILE) $(WARN_CONV) $(OPT_EXEC) $(LEAST_LEVEL)

$(O)/obj/src/timing/%.o: src/timing/%.c | $(HEADERS_OK)
	@mkdir -p $(@D)
	$(COMPILE) $(WARN_CONV) $(OPT_EXEC) $(LEAST_LEVEL)

$(call edit_objects,$(EDIT_SOURCES)): $(O)/obj$(EDIT_TAG)/%.o: %.c | $(HEADERS_OK)
	@mkdir -p $(@D)
	$(COMPILE) $(WARN_CONV) $(OPT) $(EDIT_CPPFLAGS)

$(O)/obj/tests/%.o: tests/%.c | $(HEADERS_OK)
	@mkdir -p $(@D)
	$(COMPILE) $(WARN_CONV) $(OPT_TESTS)

$(O)/obj/src/server/program/symbols.o: src/server/program/symbols.c | $(HEADERS_OK)
	@mkdir -p $(@D)
	$(COMPILE) $(WARN_CONV) $(OPT) $(LIBDW_CPPFLAGS)

# gdb asks for the mailbox in there by the names of its members (macros/process.gdb)
$(O)/obj/repl/process_requests.o: CFLAGS_BASE += -g

$(O)/obj/%.o: %.c | $(HEADERS_OK)
	@mkdir -p $(@D)
	$(COMPILE) $(WARN_CONV) $(OPT)

ifneq ($(PROGRAM),)
$(PROGRAM): $(MAIN_OBJ) $(LAYER_LIBS)
	$(call say,LD,$@)$(CC) $(LDFLAGS_MODE) $(LDFLAGS) -o $@ $^ -Wl,--as-needed $(LIBS)
endif

# ---- sweeps: a program that starts many of ours (src/sweep), and uses no layer but base -----------------------------------

SWEEP := $(O)/warpstep-sweep
sweep: $(SWEEP)
$(SWEEP): $(patsubst %.c,$(O)/obj/%.o,$(wildcard src/sweep/*.c)) $(call layer_lib,base)
	$(call say,LD,$@)$(CC) $(LDFLAGS_MODE) $(LDFLAGS) -o $@ $^ -Wl,--as-needed -lsqlite3 -ljansson -liberty -lz -llz4 -lzstd -lm

# headings of the manual, for `apropos`
$(O)/generated/headings.h: src/command/help/headings.awk $(wildcard docs/manual/*.md)
	@mkdir -p $(@D)
	@awk -f src/command/help/headings.awk $(sort $(wildcard docs/manual/*.md)) > $@
$(O)/obj/src/command/help/help.o: $(O)/generated/headings.h
$(O)/obj/src/command/help/help.o: CPPFLAGS_ALL += -I$(O)/generated

# the page of `report`
PAGE_PARTS := $(patsubst src/command/picture/%,$(O)/generated/%.inc,$(wildcard src/command/picture/page.html src/command/picture/page.css src/command/picture/page.js))
$(O)/generated/%.inc: src/command/picture/% src/command/picture/page.awk
	@mkdir -p $(@D)
	@awk -f src/command/picture/page.awk $< > $@
$(O)/obj/src/command/picture/report.o: $(PAGE_PARTS)
$(O)/obj/src/command/picture/report.o: CPPFLAGS_ALL += -I$(O)/generated

# ---- what CUDA programs load (host/): one library that does the work, and one of each name that they link --------------------------------

HOST_DIR := $(O)/lib/warpstep
HOST_SOURCES := $(filter-out host/facade%.c,$(wildcard host/*.c host/*/*.c))
HOST_OBJECTS := $(patsubst %.c,$(O)/obj/%.o,$(HOST_SOURCES))
HOST_RUNTIMES := 11.0 12 13
HOST_LIBS := $(HOST_DIR)/libwarpstep.so $(HOST_RUNTIMES:%=$(HOST_DIR)/libcudart.so.%) $(HOST_DIR)/libcuda.so.1
# programs aren't built as this tree's MODE is: no sanitizers, no coverage
HOST_COMPILE = $(call say,CC,$@)$(CC) -D_GNU_SOURCE -Isrc -I. -I$(O)/obj/host/generated $(CPPFLAGS) -std=gnu17 $(DEBUG_INFO) -O2 -fPIC -fvisibility=hidden -fno-omit-frame-pointer \
	$(CFLAGS) $(WARN) -MMD -MP -c -o $@ $<
HOST_LINK = $(call say,LD,$@)$(CC) -shared -Wl,-z,now -Wl,--no-undefined

# what every program that nvcc made loads: one of that name in our folder brings ours along, and the real one
GCC_S := $(firstword $(wildcard $(shell $(CC) -print-file-name=libgcc_s.so.1)))
ifneq ($(GCC_S),)
HOST_LIBS += $(HOST_DIR)/libgcc_s.so.1
endif

host: $(HOST_LIBS)

$(O)/obj/host/shim.map:
	@mkdir -p $(@D)
	@readelf -V $(GCC_S) | sed -n 's/.*Flags: none .*Name: \(GCC[A-Z0-9_.]*\).*/\1 { };/p' > $@

$(HOST_DIR)/libgcc_s.so.1: $(O)/obj/host/shim.map $(HOST_DIR)/libwarpstep.so
	@$(CC) -shared -nostdlib -x c /dev/null -o $(O)/obj/host/real.so -Wl,-soname,$(abspath $(GCC_S))
	$(call say,LD,$@)$(CC) -shared -nostdlib -x c /dev/null -x none -o $@ -Wl,-soname,$(@F) -Wl,--version-script,$< -Wl,--no-as-needed \
		$(O)/obj/host/real.so -Wl,-rpath,'$$ORIGIN' $(HOST_DIR)/libwarpstep.so

# parameters of the entry points, for `catch api`
$(O)/obj/host/generated/arguments.h: host/arguments.awk $(HOST_SOURCES)
	@mkdir -p $(@D)
	@awk -f host/arguments.awk $(HOST_SOURCES) > $@
$(O)/obj/host/core/announce.o: $(O)/obj/host/generated/arguments.h

$(O)/obj/host/%.o: host/%.c
	@mkdir -p $(@D)
	$(HOST_COMPILE) $(WARN_CONV) -Wno-missing-prototypes # entry points are declared nowhere: programs do that

$(O)/obj/host/facade.%.o: host/facade.c
	@mkdir -p $(@D)
	$(HOST_COMPILE) -DTOOLKIT=$(firstword $(subst ., ,$*))

$(O)/obj/host/facade.map.%:
	@mkdir -p $(@D)
	@printf 'libcudart.so.%s {\n\tglobal: cuda*; __cuda*;\n\tlocal: *;\n};\n' $* > $@

# constructors of this one run before all others'; host/core/allocate.c is its malloc
$(HOST_DIR)/libwarpstep.so: $(HOST_OBJECTS)
	@mkdir -p $(@D)
	$(HOST_LINK) $(LDFLAGS) -Wl,-soname,$(@F) -Wl,-z,initfirst,-z,nodelete $(foreach f,malloc calloc realloc free,-Wl,--wrap=$f) -o $@ $^ -ldl -lpthread

$(HOST_DIR)/libcudart.so.%: $(O)/obj/host/facade.%.o $(O)/obj/host/facade.map.% $(HOST_DIR)/libwarpstep.so
	$(HOST_LINK) $(LDFLAGS) -Wl,-soname,$(@F) -Wl,--version-script,$(O)/obj/host/facade.map.$* -Wl,-rpath,'$$ORIGIN' \
		-o $@ $< $(HOST_DIR)/libwarpstep.so

$(HOST_DIR)/libcuda.so.1: $(O)/obj/host/facade_driver.o $(HOST_DIR)/libwarpstep.so
	$(HOST_LINK) $(LDFLAGS) -Wl,-soname,$(@F) -Wl,-rpath,'$$ORIGIN' -o $@ $< $(HOST_DIR)/libwarpstep.so

# ---- tests ----------------------------------------------------------------------------------------------------------

UNIT_LIBS = -lcmocka $(if $(filter test_mpfr_%,$(notdir $@)),-lmpfr -lgmp)

$(O)/unit/%: $(O)/obj/tests/unit/%.o $(LAYER_LIBS)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(LDFLAGS_MODE) $(LDFLAGS) $(LDFLAGS_TESTS) -o $@ $(filter-out $(NOT_LINKED),$^) -Wl,--as-needed $(UNIT_LIBS) $(LIBS)

# the interpreter of commands needs no prompt
$(O)/unit/test_interpreter: NOT_LINKED = $(call layer_lib,repl)

$(O)/fuzz_%: $(O)/obj/tests/fuzz/fuzz_%.o $(LAYER_LIBS) $(FUZZ_DRIVER)
	$(call say,LD,$@)$(CC) $(LDFLAGS_MODE) $(LDFLAGS_FUZZ) $(LDFLAGS) $(LDFLAGS_TESTS) -o $@ $^ -Wl,--as-needed $(LIBS)

.SECONDARY:

# (they find their files from there, as in tests/run)
test-unit-%: $(O)/unit/test_%
	cd tests/unit && $(abspath $<)

check: deps-check
	@$(MAKE) --no-print-directory all units fuzzers
	@$(if $(filter release,$(MODE)),$(MAKE) --no-print-directory program EDITLINE=readline)
	@MODE=$(MODE) CC="$(CC)" tests/run

# Tests for a change of code, in under a minute: no CUDA programs, no gdb, nothing that takes more than some seconds.
check-quick:
	@$(MAKE) --no-print-directory all units
	@MODE=$(MODE) CC="$(CC)" tests/run --quick

fuzz:
	@$(MAKE) --no-print-directory MODE=fuzz fuzzers
	@tests/tools/fuzz build/fuzz $(T)

random: program $(O)/unit/test_history
	@cd tests/unit && seed=$$(date +%s) && timeout $(T) $(abspath $(O))/unit/test_history $$seed 1000 >/dev/null; s=$$?; [ $$s = 0 ] || [ $$s = 124 ] || { echo "test_history $$seed 1000 fails"; exit 1; }
	@tests/random/chains.py $(abspath $(PROGRAM)) $$(date +%s) 300
	@tests/random/looks.py $(abspath $(PROGRAM)) $(abspath examples) $$(date +%s) 100
	@tests/random/origins.py $(abspath $(PROGRAM)) $$(date +%s) 100
	@seed=$$(date +%s) && tests/random/textbook.py -w $(abspath $(PROGRAM)) $$seed..$$((seed + 200)) && tests/random/textbook.py -w $(abspath $(PROGRAM)) -s $$seed..$$((seed + 100))
	@WARPSTEP=$(abspath $(PROGRAM)) tests/random/run -t $(T) -s $$(date +%s) --extra any --reduce --out $(O)/random

cov: deps-check
	@rm -f $$(find build/cov -name '*.gcda' 2>/dev/null)
	@$(MAKE) --no-print-directory MODE=cov program units fuzzers
	@MODE=cov CC="$(CC)" tests/run || true
	@tests/tools/coverage build/cov

lint:
	@tests/tools/lint

# every bench/*.c becomes a program that may use the layers; bench/run (if there) runs them and reports
BENCHES := $(patsubst bench/%.c,$(O)/bench/%,$(wildcard bench/*.c))
bench: all $(BENCHES)
	@tests/tools/deps bench
	@tests/tools/bench $(O)

# the yardstick: what one core does in a bare vector loop
$(O)/obj/bench/calibrate.o: bench/calibrate.c | $(HEADERS_OK)
	@mkdir -p $(@D)
	$(COMPILE) $(WARN_CONV) -O3 $(if $(filter generic,$(LANES_LEVELS)),,-march=x86-64-v3)

$(O)/bench/%: $(O)/obj/bench/%.o $(LAYER_LIBS)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(LDFLAGS_MODE) $(LDFLAGS) -o $@ $^ -Wl,--as-needed $(LIBS)

demo:
	@tests/tools/deps build
	@$(MAKE) --no-print-directory all
	@tests/tools/demo

# ---- the rest -------------------------------------------------------------------------------------------------------

deps:
	@tests/tools/deps build check

deps-check:
	@tests/tools/deps build check

manual: all
	@tests/tools/manual $(O)/warpstep$(EDIT_TAG) docs/manual/reference

SHARE = $(DESTDIR)$(PREFIX)/share
install: all
	install -D -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/warpstep
	install -D -m 755 $(SWEEP) $(DESTDIR)$(PREFIX)/bin/warpstep-sweep
	@mkdir -p $(DESTDIR)$(PREFIX)/lib/warpstep
	install -m 755 $(HOST_LIBS) $(DESTDIR)$(PREFIX)/lib/warpstep
	install -D -m 644 docs/warpstep.1 $(SHARE)/man/man1/warpstep.1
	install -D -m 644 docs/warpstep-sweep.1 $(SHARE)/man/man1/warpstep-sweep.1
	install -D -m 644 docs/warpstep.bash $(SHARE)/bash-completion/completions/warpstep
	@set -e; for d in configs macros examples docs/manual; do \
		[ -d $$d ] || continue; \
		find $$d -type f | while read -r f; do \
			t=$$f; case $$f in docs/*) t=$${f#docs/} ;; esac; \
			install -D -m 644 "$$f" "$(SHARE)/warpstep/$$t"; \
		done; \
	done
	install -m 644 README.md docs/accuracy.md docs/suites.md $(SHARE)/warpstep
	sed -i 's,](../../,](../,g' $(SHARE)/warpstep/manual/*.md
	sed -i 's,](docs/,](,g' $(SHARE)/warpstep/README.md
	sed -i 's,](../docs/,](../,g' $(SHARE)/warpstep/examples/README.md

clean:
	rm -rf build warpstep warpstep-sweep

help:
	@printf '%s\n' \
	'make                  build ./warpstep (release, libedit)' \
	'make demo             install what is missing, build, debug a failing kernel' \
	'make check            install what is missing, build, run all tests' \
	'make check-quick      build, run the tests that take seconds' \
	'make deps             install the packages the build and the tests need (Debian)' \
	'make bench            build and run the benchmarks' \
	'make fuzz T=30        run every fuzz target for T seconds' \
	'make random T=30      random sessions back and forth in time, then random gdb sessions, T seconds each; findings in build/MODE/random' \
	'make lint             clang-tidy, cppcheck, formatting and length reports' \
	'make cov              tests with coverage, percentage per file and in total' \
	'make manual           write docs/manual/reference/ as the program has it' \
	'make install PREFIX=/usr/local DESTDIR=' \
	'make clean            remove build/ and ./warpstep' \
	'make lib-LAYER        one of: $(LAYERS)' \
	'make units            all unit tests; make test-unit-NAME builds and runs one' \
	'MODE=                 $(MODES); trees in build/MODE' \
	'EDITLINE=             libedit readline' \
	'V=1                   show the commands'

-include $(shell find $(O) -name '*.d' 2>/dev/null)
