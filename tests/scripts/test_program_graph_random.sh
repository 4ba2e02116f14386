#!/bin/bash
# Graphs drawn at random, in both modes: kernels, memory nodes, graphs in graphs, conditions; each node says whether it came after what it waits for.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
build_shared graph_random 13
for job in 'functional 60' 'performance 12'; do
	set -- $job
	got=$(timeout 100 "$WARPSTEP" -m $1 --batch --args "$DIR/graph_random-13" 1 $2 2>"$DIR/err") || fail "$1: status $?: $(cat "$DIR/err")"
	[ "$got" = done ] || fail "$1: $got"
done
exit $bad
