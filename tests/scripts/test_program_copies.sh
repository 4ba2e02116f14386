#!/bin/bash
# The race checker over copies, fills and kernels of different streams. What is ordered, and what waits for what, is CUDA's documentation ("Asynchronous
# Concurrent Execution", "API synchronization behavior"); each case of tests/programs/copies.c is one rule.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

$CC -g -std=gnu17 -O1 -Wall -o "$DIR/copies" copies.c -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" || exit 1
check() { "$WARPSTEP" -q --batch --check race "$@" >"$DIR/out" 2>"$DIR/err"; }

# Which of two that nothing orders comes first in a run doesn't matter.
while read -r name kind ops; do
	for mode in functional performance; do
		check -m $mode --report "$DIR/r.json" --args "$DIR/copies" "$name"
		[ $? = 3 ] || fail "$name, $mode: status; $(cat "$DIR/out" "$DIR/err")"
		got=$(sed -n 's/^ *"kind": "\(.*\)",$/\1/p' "$DIR/r.json" | tr '\n' ' ')$(sed -n 's/^ *"op": "\(.*\)",$/\1/p' "$DIR/r.json" | sort | tr '\n' ' ')
		[ "$got" = "$kind $ops " ] || fail "$name, $mode: $got"
	done
done <<'END'
kernel_down read-write host-read write
down_kernel read-write host-read write
up_kernel write-write host-write write
kernel_fill write-write host-write write
kernel_within read-write host-read write
up_up write-write host-write host-write
default_fill write-write host-write write
early_event read-write host-read write
rows read-write host-read write
graph read-write host-read write
graph_default read-write host-read write
mapped_up read-write host-read write
END

# two kernels that nothing orders store the same values: a note
for mode in functional performance; do
	check -m $mode --args "$DIR/copies" other_event || fail "other_event, $mode: status"
	grep -q '^========= NOTE SUMMARY: 1 note$' "$DIR/err" && grep -q 'Both wrote the same value' "$DIR/err" || fail "other_event, $mode: $(cat "$DIR/err")"
done

clean='event chain same stream_wait event_wait device_wait asked freed default_waits blocking_waits up_waits down_waits apart readers flag fresh
	mapped_same managed_fill pinned_fill managed_copy host_between pinned_between'
for mode in functional performance; do
	for name in $clean; do
		check -m $mode --args "$DIR/copies" "$name" && continue
		fail "$name, $mode: $(cat "$DIR/out" "$DIR/err")"
	done
	# one after the other each has waited for what was before
	check -m $mode --args "$DIR/copies" $clean || fail "all of them, $mode: $(cat "$DIR/out" "$DIR/err")"
done

check -m functional --args "$DIR/copies" kernel_fill
line=$(grep -n 'void kernel_fill' copies.c | cut -d: -f1)
ptx=$(grep -n 'st.global.u32' kernels.ptx | head -n 1 | cut -d: -f1) # the first kernel's only store
diff - <(grep ==== "$DIR/err") <<END || fail "text"
========= Race reported between Write access by a fill (stream 2), called by kernel_fill at copies.c:$line
=========     and Write access at fill+0x68 in copies.ptx:$ptx
=========     earlier, by thread (0,0,0) in block (0,0,0), uid 1
=========     Both access alloc_3[0], 1024 and 4 bytes
=========     in kernel 0 fill, launched from checks.h:25
=========
========= ERROR SUMMARY: 1 errors
END

# both places of a suppression
for rule in 'write-write fill copies.c:* *' "write-write fill fill+0x68 copies.c:$line"; do
	echo "$rule" >"$DIR/list"
	check -m functional -ex "set check-suppress $DIR/list" -ex run --args "$DIR/copies" kernel_fill || fail "$rule: $(cat "$DIR/err")"
done

# at a prompt the machine stops, behind a copy or in front of an instruction, and goes on; going back and forward again it is found again, and not told
"$WARPSTEP" -q --batch -m functional --check race -ex 'set check-action stop' -ex run -ex 'info findings' -ex 'check suppress 1' -ex c --args "$DIR/copies" kernel_down >"$DIR/out" 2>"$DIR/err" ||
	fail "suppressed after a stop: status"
grep -q '^Checker race: Race reported between Read access by a copy (stream 2)' "$DIR/err" || fail "no stop: $(cat "$DIR/err")"
grep -q '^read-write fill copies.c:[0-9]* copies.ptx:' "$DIR/err" || fail "no line: $(cat "$DIR/err")"
"$WARPSTEP" -q --batch -m functional --check race -ex 'set check-action stop' -ex run -ex 'goto-cycle 0' -ex c -ex c --args "$DIR/copies" kernel_down kernel_fill >"$DIR/out" 2>"$DIR/err"
[ "$(grep -c '^Checker race' "$DIR/err")" = 2 ] || fail "there and back: $(cat "$DIR/err")"
# back from a copy's race to the kernel's access, and forwards again to the same finding; then to the end
"$WARPSTEP" -q --batch -m functional --check race -ex 'set check-action stop' -ex 'set history on' -ex run -ex rc -ex c -ex c --args "$DIR/copies" kernel_down >"$DIR/out" 2>"$DIR/err"
[ "$(grep -c '^Checker race: Race reported between Read access by a copy' "$DIR/err")" = 2 ] || fail "back from a copy: $(cat "$DIR/err")"
grep -q '^Checker race: the other access, Write at fill' "$DIR/err" || fail "not at the other access: $(cat "$DIR/err")"
grep -q '1 errors' "$DIR/err" || fail "summary: $(cat "$DIR/err")"
exit $bad
