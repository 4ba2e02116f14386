#!/bin/bash
# Conditional nodes of graphs: if, else, while and switch, one in another, captured into; what CUDA refuses; what is asked while capturing, in the
# signatures of older toolkits and of 13; nodes of any kind, attributes, objects that graphs hold.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

build_static graph_conditions
build_shared graph_conditions 13

for program in graph_conditions-static graph_conditions-13; do
	for mode in functional performance; do
		is kinds 'if: 0 1 1
if and else: 10 1 1
switch: 1 10 100 1000 0 0
while: 1 0 0
while: 1 2 3'
		is nested 'status 0, 1 with 0 nodes in front, then 1 of the same: 1
3 nodes, the last after 1: 1
nested: 1121 1101'
		is others "flags: 1, another's: 1, three of if: 1, two of while: 1, used twice: 1
event: 801, destroyed: 1, clone: 1, child: 1, second: 1, body: 1
added: 1 2, another kind: 1
priority -3
moved: 1
into itself: 1, into its part: 1, no graph: 1 1
released: 1
graph destroyed
object ended"
	done
done
"$WARPSTEP" -m functional --batch -ex run -ex c --args "$DIR/$program" wrong >"$DIR/out" 2>"$DIR/err"
grep -q 'cudaGraphSetConditional of what is no condition: 0x3039' "$DIR/err" || fail "wrong: $(cat "$DIR/err")"
grep -qx 'wrong: 700' "$DIR/out" || fail "wrong: $(cat "$DIR/out")"
exit $bad
