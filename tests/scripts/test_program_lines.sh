#!/bin/bash
# Breakpoints that are made before a program runs: a line without a file, and those that can't be set, which a stop says.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
# main in the file that has the kernels, as nvcc's programs have it; and in another one
cp vecadd.c "$DIR/vecadd.cu"
for at in "$DIR/vecadd.cu" vecadd.c; do
	name=${at##*/}
	$CC -std=gnu17 -g -O1 -w -I. -x c -o "$DIR/${name%.*}-${name##*.}" "$at" -x none -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" -lm || exit 1
done
session() { timeout 100 "$WARPSTEP" -q -m functional --batch "$@" >"$DIR/out" 2>"$DIR/err"; status=$?; }
says() { # PATTERN WHAT
	grep -Eq -- "$1" "$DIR/err" || fail "$2: no '$1' in $(cat "$DIR/err")"
}

for P in "$DIR/vecadd-cu" "$DIR/vecadd-c"; do
	session -ex 'b 9' -ex 'b 8 if %ctaid.x == 2' -ex run -ex c -ex 'info breakpoints' --args "$P"
	says '^No kernel is loaded yet: line 9 will be one of (vecadd.cu|the file with the kernels|the PTX)\.$' "$P: pending"
	says '^Breakpoint 1 at 0x[0-9a-f]+: file vecadd.cu, line 9\.$' "$P: set"
	says '^Breakpoint 1, thread uid 1 at vecadd.cu:9$' "$P: stops"
	says 'in vecadd at vecadd.cu:9$' "$P: info breakpoints"
	session -ex 'b 8 if %ctaid.x == 2' -ex run -ex 'print %ctaid.x' --args "$P"
	says '^\$1 = 2$' "$P: a condition"
	# with `set source ptx` a line is one of the PTX
	session -ex 'set source ptx' -ex 'b 46' -ex run --args "$P"
	says '^Breakpoint 1, thread uid 1 at vecadd-cu?.ptx:4[6-9]$' "$P: PTX"
done

# what can't be set is said by the next stop, once; what never came by the program's end
session -ex 'b 9 if nosuch == 3' -ex 'b vecadd.cu:99' -ex 'b other.cu:3' -ex 'b hello' -ex run -ex 'info breakpoints' -ex c --args "$DIR/vecadd-c"
says '^Breakpoint 4, thread uid' 'the next stop'
awk '/^Breakpoint 4, thread/ { on = 1; next } /^.focus/ { exit } on' "$DIR/err" >"$DIR/said"
diff - "$DIR/said" <<'W' || fail 'the note of a stop'
Breakpoint 1 (9 if nosuch == 3) couldn't be set: No symbol "nosuch" in current context. (vecadd-c.ptx has no variables of the source; `nvcc -G` would give them.)
Breakpoint 2 (vecadd.cu:99) couldn't be set: No line 99 in file "vecadd.cu".
W
[ "$(grep -c "couldn't be set" "$DIR/err")" = 2 ] || fail "said again: $(cat "$DIR/err")"
says '^Breakpoint 3 \(other.cu:3\) was never set: No source file named other.cu\.$' 'the end'
[ "$(grep -c 'was never set' "$DIR/err")" = 1 ] || fail "the end: $(cat "$DIR/err")"
exit $bad
