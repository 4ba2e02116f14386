#!/bin/bash
# Checkers over a whole program: wrong accesses are no errors for it; frees, leaks; whose status counts (interface: a program's own comes last).
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

build_shared findings 13
program=$DIR/findings-13
run() { "$WARPSTEP" -q --batch "$@" --args "$program" >"$DIR/out" 2>"$DIR/err"; }
run -m functional --check memory,race,sync --report "$DIR/r.json" -ex 'set check-leaks on' -ex run
[ $? = 3 ] || fail "status with findings"
[ "$(cat "$DIR/out")" = done ] || fail "the program: $(cat "$DIR/out")"
grep -E '^=========( |$)' "$DIR/err" | grep -E 'Invalid|Double|Leaked|SUMMARY|threads in all' >"$DIR/got"
diff - "$DIR/got" <<'END' || fail "findings differ"
========= Invalid __global__ write of size 4 bytes
=========     by thread (0,0,0) in block (1,0,0), uid 65; 8 threads in all
========= Invalid free of 0x80000010
========= Double free of 0x80000000
========= Leaked 1000 bytes at 0x80000200
========= ERROR SUMMARY: 4 errors
END
grep -q '"kind": "leak"' "$DIR/r.json" || fail "no leak in the JSON"
run --check race
[ $? = 3 ] || fail "an exception without the memory checker"
grep -q 'CUDA Exception: Warp Illegal Address' "$DIR/err" || fail "no exception: $(cat "$DIR/err")"
run --check memory
[ $? = 3 ] || fail "status without -ex"
grep -q '^========= ERROR SUMMARY: 3 errors$' "$DIR/err" || fail "no leaks unless asked for: $(tail -n 1 "$DIR/err")"
exit $bad
