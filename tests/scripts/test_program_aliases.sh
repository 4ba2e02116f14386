#!/bin/bash
# Memory with several addresses (the driver API's mappings): whichever a kernel, a copy, a user or gdb uses, it is one, for values, watchpoints, checkers, history, checkpoints.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
$CC -std=gnu17 -O1 -Wall -o "$DIR/aliases" aliases.c -L"$LIBRARIES" -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
at() { # WHAT OPTION... -- COMMAND...
	local what=() o=() args=()
	[ "$1" ] && what=("$1")
	shift
	while [ "$1" != -- ]; do o+=("$1"); shift; done
	shift
	for c; do args+=(-ex "$c"); done
	timeout 100 "$WARPSTEP" -q -m $m --batch "${o[@]}" "${args[@]}" --args "$DIR/aliases" "${what[@]}" >"$DIR/out" 2>"$DIR/err"
	status=$?
}
says() { for what; do grep -Eq -- "$what" "$DIR/err" || fail "$m: no '$what' in $(cat "$DIR/err")"; done; }
prints() { [ "$status,$(cat "$DIR/out")" = "$1" ] || fail "$m: status $status, $(cat "$DIR/out" "$DIR/err"), wanted $1"; }
values() { [ "$(grep -E '^(Old|New) value' "$DIR/err" | tr -dc '0-9\n' | tr '\n' ' ')" = "$1 " ] || fail "$m: values $(cat "$DIR/err"), wanted $1"; }

for m in functional performance; do
	at '' --
	prints 0,PASSED
	at '' -- run run
	prints $'0,PASSED\nPASSED'
	at '' --check memory,init,race --
	prints 3,PASSED # of its four calls that must fail
	says 'ERROR SUMMARY: 4 errors' 'at 0x80a00000, which may not be written$' 'at 0x80600000, which may not be used now$'
	[ "$(grep -c '^========= Program hit CUDA_ERROR_INVALID_VALUE' "$DIR/err")" = 4 ] || fail "$m: $(cat "$DIR/err")"

	# what this address may not
	at read --
	prints '3,33, then 700'
	says 'Address 0x80200000 is 2097152 bytes before the end of allocation alloc_1 \(0x80000000, 4194304 bytes\), made by reserve\+.*, which may only be read there; lanes 0xffffffff'
	at gone --
	prints '3,33, then 700'
	says 'Address 0x80200000 is in reserved allocation alloc_1 \(0x80000000, 4194304 bytes\), made by reserve\+.*, which has no memory there now'
	at read --check memory --
	prints '3,33, then 0'
	says 'is 0 bytes inside allocation alloc_1 \(0x80200000, 2097152 bytes\), which may only be read there'

	# a race by two addresses
	at race --check race --
	prints '3,1, then 0'
	says 'Race reported between Write access' 'Both access alloc_1\[0\], 4 and 4 bytes'

	# the memory goes to the second address between the launches: backwards it is where it was
	at move -- 'set history on' 'run-to-launch 1' 'info allocations' 'p *(u32*)0x80200000' 'who-wrote *(u32*)0x80200000' 'goto-cycle 1' 'info allocations' \
		'p *(u32*)0x80200000' 'p *(u32*)0x80000000' 'x/2dw 0x801ffffc' 'info symbol 0x80200004' 'goto-cycle 100000' 'p *(u32*)0x80200000' 'p *(u32*)0x80000000'
	says '^ *0x80000000 2097152 reserved alloc_1 +[^ ]+ +-$' '^ *0x80200000 2097152 live +alloc_1 +[^ ]+ +-$' '^\$1 = 33$' 'copied from buffer alloc_1 by ' '^ *0x80000000 2097152 live +alloc_1 +[^ ]+ +-$' \
		'^ *0x80200000 2097152 alias alloc_1, memory at 0x80000000 +[^ ]+ +-$' '^\$2 = 1$' '^\$3 = 1$' '^0x801ffffc:	0	1$' '^alloc_1 \+ 4 in buffer$' '^\$4 = 65$' 'Cannot access memory at address 0x80000000'

	# and is all that it was there, and later again
	# (both checkpoints are written in the past: at the present they have the host's stack, too)
	at move -- 'set history on' 'run-to-launch 0' 'goto-cycle 1' stepi 'goto-cycle 1' "checkpoint $DIR/first.wsc" 'run-to-launch 1' stepi 'goto-cycle 1' "checkpoint $DIR/again.wsc" \
		'goto-cycle 100000' 'rs 5' c
	prints '0,33, then 0'
	# without what each file keeps of its own past
	for f in first again; do
		"$WARPSTEP" -q -m $m --batch "$DIR/$f.wsc" -ex 'set history off' -ex "checkpoint $DIR/$f-bare.wsc" >"$DIR/out" 2>"$DIR/err" || fail "$m: $(cat "$DIR/err")"
	done
	cmp "$DIR/first-bare.wsc" "$DIR/again-bare.wsc" || fail "$m: another machine"
done

# watched by either address; the watchpoint goes with the memory, and comes back with it
m=functional
for address in 0x80000000 0x80200000; do
	at clean -- 'set history on' 'run-to-launch 0' "watch *(u32*)$address" c c c rc rc rc delete c
	prints '0,33, then 0'
	values '1 33 33 1 1 33 1 33 33 1 1 33'
done
at move -- 'set history on' 'run-to-launch 0' 'watch *(u32*)0x80200000' c c rc rc delete c
prints '0,33, then 0'
values '1 33 33 65 33 65 1 33'

# by a gdb, likewise
if command -v gdb >/dev/null; then
	timeout 100 gdb -q -nx -batch -ex 'set confirm off' -ex 'set breakpoint pending on' \
		-ex "target extended-remote | '$WARPSTEP' -m functional -q --batch -ex 'set history on' -g - --args '$DIR/aliases' clean" -ex 'break count' -ex c -ex 'watch *(unsigned*)0x80200000' \
		-ex 'delete 1' -ex c -ex c -ex c -ex rc -ex rc -ex 'x/2dw 0x801ffffc' >"$DIR/err" 2>&1 </dev/null
	values '1 33 33 1 1 33 33 1 1 33'
	says '^0x801ffffc:	0	33$'
fi

# what is set by one address is there by the other; in a file, too
at clean -- 'run-to-launch 1' 'set *(u32*)0x80200040 = 77' 'p *(u32*)0x80000040' "checkpoint $DIR/a.wsc" c
says '^\$1 = 77$'
timeout 100 "$WARPSTEP" -q --batch -ex "restore $DIR/a.wsc" -ex 'p *(u32*)0x80200040' -ex c -ex 'p *(u32*)0x80200000' >"$DIR/out" 2>&1
grep -qx '$1 = 77' "$DIR/out" && grep -qx '$2 = 77' "$DIR/out" || fail "restored: $(cat "$DIR/out")"
exit $bad
