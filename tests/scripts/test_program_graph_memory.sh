#!/bin/bash
# Memory nodes of graphs: addresses that stay, freed within and outside, what CUDA refuses, capture, and a kernel that comes too late.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

build_static graph_memory
build_shared graph_memory 13

for program in graph_memory-static graph_memory-13; do
	for mode in functional performance; do
		is nodes 'free node: 1, type 11
alloc node: 1, 2097152 bytes
made: 0 0 0 0
3 3
3 3
launched: 1 1 1 1
trimmed: 0 0 0 1
other than zero: 1, not a mark: 1
not allocated: 1
3 3'
		is outside 'alloc node: 1, 2097152 bytes
3 3
not freed: 1 1 1 1
again: 1
used outside: 15
twice: 1
freed: 1 1 1 1
3 3
freed by another, then in its own: 1
destroyed: 3
freed: 1 1
alloc node: 1, 2097152 bytes
3 3
3 3
automatically: 1 1 1 1'
		is refused 'free node: 1, type 11
alloc node: 1, 2097152 bytes
no bytes: 1, not of the device: 1
freed twice: 1, by another: 1, not a graph'\''s: 1
clone: 1, child: 1, node: 1
second: 1, after the first: 0
more than there is: 2'
		is capture "not a graph's: 1
5 nodes: 10 2 0 1 11
5 5
5"
		is footprint 'free node: 1, type 11
alloc node: 1, 2097152 bytes
free node: 1, type 11
alloc node: 1, 2097152 bytes
made: 0 0 0 0
one stream: 1 1 1 1
two streams: 2 2 2 2
trimmed: 0 2 0 2'
	done
done

# the reason names it, and who made it; memory that comes and goes is there again going back
mode=performance
timeout 60 "$WARPSTEP" -m $mode --batch -ex run -ex 'info allocations' -ex c --args "$DIR/$program" late >"$DIR/out" 2>"$DIR/err"
grep -Eq 'is in reserved allocation alloc_1 \(0x[0-9a-f]+, 2097152 bytes\), made by make[^,]*, which has no memory there now' "$DIR/err" || fail "late: $(cat "$DIR/err")"
grep -Eq ' 2097152 +reserved +alloc_1 +make[^ ]* +-$' "$DIR/err" || fail "late: $(cat "$DIR/err")"
grep -qx 'late: 700' "$DIR/out" || fail "late: $(cat "$DIR/out")"
for mode in functional performance; do
	timeout 60 "$WARPSTEP" -m $mode --batch -ex 'set history on' -ex 'run-to-launch 1' -ex 'p ((u32*)alloc_1)[3]' -ex 'goto-cycle 3' \
		-ex 'p ((u32*)alloc_1)[3] + 10' -ex 'rs 100' -ex 'c' --args "$DIR/graph_memory-static" nodes >"$DIR/out" 2>"$DIR/err"
	grep -qx '\$2 = 11' "$DIR/err" || fail "back, $mode: $(cat "$DIR/err")"
	[ "$(grep -cx '3 3' "$DIR/out")" = 3 ] || fail "back, $mode: $(cat "$DIR/out" "$DIR/err")"
done

# what was freed twice isn't called a free of what never was allocated
timeout 60 "$WARPSTEP" -q -m functional --check memory --batch --args "$DIR/graph_memory-13" frees >"$DIR/out" 2>"$DIR/err"
[ "$(sed -n 's/^========= \(.*\) free of .*/\1/p' "$DIR/err" | tr '\n' ' ')" = 'Invalid Double Double ' ] || fail "frees: $(cat "$DIR/err")"
[ "$(tail -n +2 "$DIR/out")" = 'before: 1
3 3
freed: 0
twice: 1
in a stream: 1
3 3
again: 0' ] || fail "frees: $(cat "$DIR/out")"
exit $bad
