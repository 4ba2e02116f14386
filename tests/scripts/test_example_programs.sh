#!/bin/bash
# examples/programs: each program, built without nvcc, and the session that finds what is wrong in it. Numbers of processes are left out.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
for dir in "$ROOT"/examples/programs/*/; do
	name=$(basename "$dir") host=$(basename "$dir"/*.c .c)
	cd "$dir" || exit 1
	$CC -std=gnu17 -g -O1 -w -I"$ROOT/tests/programs" -o "$DIR/$host" "$host.c" -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" || exit 1
	"$WARPSTEP" -q --batch -x session.ws --args "$DIR/$host" >"$DIR/out" 2>&1
	echo "status $?" >>"$DIR/out"
	sed -E 's/(P|p)rocess [0-9]+(, thread [0-9]+)?/\1rocess N/' "$DIR/out" >"$DIR/got"
	[ -n "$UPDATE" ] && cp "$DIR/got" session.want
	grep -q "main at $host.c:" "$DIR/got" || { echo "built without libdw"; exit 77; }
	diff -u session.want "$DIR/got" || fail "$name: not what session.want says"
done
exit $bad
