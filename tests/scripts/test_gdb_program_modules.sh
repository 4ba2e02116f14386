#!/bin/bash
# gdb and the modules of a program: breakpoints that wait find their place in a module before anything of it runs; libraries go with a reset, and
# come again on the way back.
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

# a value is doubled, tripled and doubled by kernels of three modules, each of which goes before the next one comes
$CC -std=gnu17 -O1 -o "$DIR/history" history_modules.c -L"$LIBRARIES" -l:libcuda.so.1 -l:libcudart.so.12 -Wl,-rpath-link,"$LIBRARIES" || exit 1
cat >"$DIR/commands" <<E2
set pagination off
set confirm off
set width 0
set breakpoint pending on
target remote | $WARPSTEP -g - -m functional -ex 'run-to-launch 0' --args $DIR/history
continue
info sharedlibrary
break scale
reverse-continue
print factor
reverse-continue
print factor
reverse-continue
print factor
reverse-continue
continue
print factor
continue
print factor
E2
timeout 120 gdb -q -nx -batch -x "$DIR/commands" >"$DIR/out" 2>&1 || fail "gdb, back: status $?"
grep -q 'No shared libraries loaded' "$DIR/out" || fail "back: libraries at the end: $(cat "$DIR/out")"
[ "$(grep -E '^(\$[0-9] = |No more)' "$DIR/out" | tr '\n' ' ')" = '$1 = 2 $2 = 3 $3 = 2 No more reverse-execution history. $4 = 3 $5 = 2 ' ] || fail "back: $(cat "$DIR/out")"
exit $bad
