#!/bin/bash
# gdb and the modules of a program: breakpoints that wait find their place in a module before anything of it runs; libraries go with a reset.
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
build_shared modules 13
cat >"$DIR/commands" <<E2
set pagination off
set confirm off
set width 0
set breakpoint pending on
target remote | $WARPSTEP -g - -m functional -ex 'tbreak scale' -ex run --args $DIR/modules-13
break call
continue
info sharedlibrary
print extra
delete
continue
info sharedlibrary
E2
timeout 120 gdb -q -nx -batch -x "$DIR/commands" >"$DIR/out" 2>&1 || fail "gdb: status $?"
grep -q 'Breakpoint 1 (call) pending' "$DIR/out" || fail "no pending breakpoint: $(cat "$DIR/out")"
grep -q 'hit Breakpoint 1, call (to=' "$DIR/out" || fail "no hit: $(cat "$DIR/out")"
grep -q '^\$1 = 16' "$DIR/out" || fail "no variable of the module: $(cat "$DIR/out")"
# at the breakpoint two libraries (triple, call); at the end, after the reset, the one that was loaded again
[ "$(grep -c '^0x.* target:/warpstep/.*/module$' "$DIR/out")" = 3 ] || fail "libraries: $(cat "$DIR/out")"
grep -q '^1: 70' "$DIR/out" || fail "the program: $(cat "$DIR/out")"
exit $bad
