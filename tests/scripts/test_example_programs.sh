#!/bin/bash
# examples/programs: each program, built without nvcc, and the session that finds what is wrong in it. Numbers of processes are left out.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
. "$ROOT/tests/lib/sessions"
for dir in "$ROOT"/examples/programs/*/; do
	name=$(basename "$dir") host=$(basename "$dir"/*.c .c)
	cd "$dir" || exit 1
	build_example . "$host" "$DIR/$host" || exit 1
	"$WARPSTEP" -q --batch -x session.ws --args "$DIR/$host" >"$DIR/out" 2>&1
	echo "status $?" >>"$DIR/out"
	sed -E 's/(P|p)rocess [0-9]+(, thread [0-9]+)?/\1rocess N/' "$DIR/out" >"$DIR/got"
	[ -n "$UPDATE" ] && cp "$DIR/got" session.want
	grep -q "main at $host.cu:" "$DIR/got" || { echo "built without libdw"; exit 77; }
	diff -u session.want "$DIR/got" || fail "$name: not what session.want says"
done
exit $bad
