#!/bin/bash
# Graphs of programs: made node by node, changed, updated, nested; captured with a fork and a join; what CUDA refuses.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

build_static graphs
build_shared graphs 13

for program in graphs-static graphs-13; do
	for mode in functional performance; do
		is nodes '6 nodes, 1 root, 6 edges, a copy is 1
told
15 15
15
told
15 15
told
40 40
told
15 15
another shape: 910 2
destroyed: 1 1
101 101
circle: 1'
		is capture 'status 1, 6 nodes, 6 edges, nothing done: 0
aside
7 7
aside
7 7
synchronize: 900, end: 901, again: 401
not joined: 904
default stream: 900
status 0'
	done
done
exit $bad
