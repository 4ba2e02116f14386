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

# findings count more than a deadlock, also one that nobody went on from, and that more than the program's own status (CUDA_ERROR_LAUNCH_TIMEOUT is 702)
$CC -std=gnu17 -O1 -Wall -o "$DIR/stuck" stuck.c -L"$LIBRARIES" -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
while read -r wanted options; do
	eval "set -- $options"
	"$WARPSTEP" -q --batch -m functional "$@" --args "$DIR/stuck" >"$DIR/out" 2>"$DIR/err"
	got=$?
	[ $got = "$wanted" ] && [ "$(cat "$DIR/out")" = 702 ] || fail "$options: status $got, $(cat "$DIR/out" "$DIR/err")"
done <<'END'
4
7 -ex run -ex c
3 --check race
3 --check race -ex run
3 --check race -ex run -ex c
3 --check race -ex 'set check-action stop' -ex run -ex c
3 --check race -ex 'set check-action stop' -ex run -ex c -ex c
END

# calls that CUDA refuses are findings of the memory checker: call, the caller's line, allocation and missing bytes; a wrong free is one finding
$CC -std=gnu17 -O1 -g -Wall -o "$DIR/refused" refused.c -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" || exit 1
line_of() { grep -n -F "$1" refused.c | sed -n '1s/:.*//p'; }
refused() { "$WARPSTEP" -q --batch "$@" --args "$DIR/refused" >"$DIR/out" 2>"$DIR/err"; }
refused --check memory --report "$DIR/r.json"
[ $? = 3 ] && [ "$(cat "$DIR/out")" = done ] || fail "refused calls: $(cat "$DIR/out" "$DIR/err")"
grep -E '^========= ' "$DIR/err" >"$DIR/got"
diff - "$DIR/got" <<END || fail "refused calls differ"
========= Program hit cudaErrorInvalidValue (error 1) due to "invalid argument" on CUDA API call to cudaMemcpy
=========     called by main at refused.c:$(line_of 'past the end')
=========     It uses 1024 bytes at 0x80000000, of which 624 are missing: 0x80000190 is out of bounds
=========     and is 0 bytes after allocation alloc_1 (0x80000000, 400 bytes)
=========     allocated by main at refused.c:$(line_of 'cudaMalloc((void **)&a')
========= Program hit cudaErrorInvalidValue (error 1) due to "invalid argument" on CUDA API call to cudaMemcpy
=========     called by main at refused.c:$(line_of 'from the middle')
=========     It uses 400 bytes at 0x80000064, of which 100 are missing: 0x80000190 is out of bounds
=========     and is 0 bytes after allocation alloc_1 (0x80000000, 400 bytes)
=========     allocated by main at refused.c:$(line_of 'cudaMalloc((void **)&a')
========= Program hit cudaErrorInvalidValue (error 1) due to "invalid argument" on CUDA API call to cudaMemset
=========     called by main at refused.c:$(line_of 'a fill, three times')
=========     It uses 400 bytes at 0x80000308, of which 8 are missing: 0x80000490 is out of bounds
=========     and is 0 bytes after allocation alloc_2 (0x80000300, 400 bytes)
=========     allocated by main at refused.c:$(line_of 'cudaMalloc((void **)&b')
========= Program hit cudaErrorInvalidValue (error 1) due to "invalid argument" on CUDA API call to cudaMemcpy
=========     called by main at refused.c:$(line_of '/* freed */')
=========     It uses 16 bytes at 0x80000300, which was freed
=========     and is 0 bytes inside freed allocation alloc_2 (0x80000300, 400 bytes)
=========     allocated by main at refused.c:$(line_of 'cudaMalloc((void **)&b')
=========     freed by main at refused.c:$(line_of 'cudaFree(b));')
========= Double free of 0x80000300
=========     called by main at refused.c:$(line_of 'no second finding')
=========     and is 0 bytes inside freed allocation alloc_2 (0x80000300, 400 bytes)
=========     allocated by main at refused.c:$(line_of 'cudaMalloc((void **)&b')
=========     freed by main at refused.c:$(line_of 'cudaFree(b));')
========= Program hit cudaErrorInvalidValue (error 1) due to "invalid argument" on CUDA API call to cudaMemcpy
=========     called by main at refused.c:$(line_of "the host's pointer")
=========     Reason: the host's memory at 0x10 can't be read: 64 bytes
========= Program hit cudaErrorInvalidMemcpyDirection (error 21) due to "invalid copy direction for memcpy" on CUDA API call to cudaMemcpy
=========     called by main at refused.c:$(line_of 'no direction')
========= Program hit cudaErrorInvalidConfiguration (error 9) due to "invalid configuration argument" on CUDA API call to cudaLaunchKernel
=========     called by main at checks.h:$(sed -n '/return cudaLaunchKernel/=' checks.h)
=========     Reason: the block is (2048,1,1), the device takes 1 to (1024,1024,64)
========= Program hit cudaErrorMemoryAllocation (error 2) due to "out of memory" on CUDA API call to cudaMalloc
=========     called by main at refused.c:$(line_of 'too large')
=========     Reason: 1125899906842624 bytes are wanted, 4294966896 are left
========= ERROR SUMMARY: 9 errors
END
python3 - "$DIR/r.json" $(line_of 'past the end') <<'END' || fail "refused calls in the JSON: $(cat "$DIR/r.json")"
import json, sys
f = json.load(open(sys.argv[1]))['findings']
a = f[0]['access']
assert f[0]['kind'] == 'api-error' and f[0]['checker'] == 'memory' and a['op'] == 'api' and a['call'] == 'cudaMemcpy'
assert a['source'] == {'file': 'refused.c', 'line': int(sys.argv[2])} and a['missing_bytes'] == 624 and 'stream' not in a
assert f[0]['allocation']['name'] == 'alloc_1' and f[2]['count'] == 3 and [k['kind'] for k in f].count('double-free') == 1
END
refused --check race
[ $? = 0 ] && ! grep -q 'Program hit' "$DIR/err" || fail "refused calls without the memory checker: $(cat "$DIR/err")"
refused --check memory -ex 'set check-action stop' -ex run -ex c -ex c
[ "$(grep -c '^Checker memory: ' "$DIR/err")" = 9 ] || fail "stops at refused calls: $(cat "$DIR/err")"

# managed memory that the host touches while a kernel may run: the access before the wait is a race, what is waited for or not used by the kernel isn't
$CC -std=gnu17 -O1 -g -Wall -o "$DIR/early" early.c -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" || exit 1
early_line() { grep -n -F "$1" early.c | sed -n '1s/:.*//p'; }
for mode in functional performance; do
	while read -r case status seen; do
		"$WARPSTEP" -q --batch -m $mode --check race --report "$DIR/r.json" --args "$DIR/early" $case >"$DIR/out" 2>"$DIR/err"
		[ $? = $status ] && grep -qx "$seen" "$DIR/out" || fail "early $case, $mode: $(cat "$DIR/out" "$DIR/err")"
		case $case in
		read) grep -q "^=========     and Read access by the host, in main at early.c:$(early_line '/* early */')$" "$DIR/err" && grep -q '"op": "host-read"' "$DIR/r.json" && grep -q '"kind": "read-write"' "$DIR/r.json" || fail "early read, $mode: $(cat "$DIR/err" "$DIR/r.json")" ;;
		write) grep -q "^=========     and Write access by the host, in main at early.c:$(early_line '/* too early */')$" "$DIR/err" && grep -q '"kind": "write-write"' "$DIR/r.json" || fail "early write, $mode: $(cat "$DIR/err" "$DIR/r.json")" ;;
		*) grep -q 'ERROR SUMMARY: 0 errors' "$DIR/err" || fail "early $case, $mode: $(cat "$DIR/err")" ;;
		esac
	done <<'END'
read 3 [0-9]*
write 3 0
beside 0 1
event 0 66
copy 0 132
later 0 66
END
done

# examples/programs: what is wrong in each is found by the checker that is for it, and by no other (examples/README.md)
while read -r name kinds; do
	dir=$ROOT/examples/programs/$name
	host=$(basename "$dir"/*.c .c)
	(cd "$dir" && $CC -std=gnu17 -O1 -w -I"$ROOT/tests/programs" -o "$DIR/$host" "$host.c" -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES") || exit 1
	for mode in functional performance; do
		"$WARPSTEP" -q --batch -m $mode --check all --report "$DIR/r.json" --args "$DIR/$host" >"$DIR/out" 2>"$DIR/err"
		[ $? = 3 ] || fail "$name, $mode: status"
		found=$(sed -n 's/^ *"kind": "\(.*\)",$/\1/p' "$DIR/r.json" | sort -u | tr '\n' ' ')
		[ "$found" = "$kinds " ] || fail "$name, $mode: '$found', expected '$kinds'"
	done
done <<'END'
frames out-of-bounds
sizes api-error out-of-bounds
streams read-write
END

# from the race of two streams back into the earlier kernel, and forward again
for mode in functional performance; do
	"$WARPSTEP" -q --batch -m $mode --check race -ex 'set check-action stop' -ex 'set history on' -ex run -ex rc -ex 'print $kernel' -ex c --args "$DIR/levels" >/dev/null 2>"$DIR/err"
	[ $? = 3 ] || fail "rc, $mode: status"
	[ "$(grep -c '^Checker race: Race reported' "$DIR/err")" = 2 ] || fail "rc, $mode: not back at the race"
	other=$(sed -n 's/^    and \(Read\|Write\) access \(at .*\)/\1 \2/p' "$DIR/err" | head -n 1)
	grep -qF "Checker race: the other access, $other" "$DIR/err" || fail "rc, $mode: not at '$other'"
done
exit $bad
