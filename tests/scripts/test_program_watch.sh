#!/bin/bash
# A watched variable that the host writes: a stop with the host's line, at the prompt and in gdb, and the kernel's next write has the right old value.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
$CC -std=gnu17 -O1 -g -Wall -o "$DIR/writes" host_writes.c -L"$LIBRARIES" -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
watched() { # VARIABLE
	timeout 60 "$WARPSTEP" -q --batch -m $m -ex 'run-to-launch 0' -ex "watch $1" -ex c -ex c -ex c --args "$DIR/writes" 2>&1 |
		sed -n 's/^\(Old value\|New value\|written by\)/\1/p' | sed -E 's/near (main|run) at ([a-z_]*.c):[0-9]+/\1 of \2/; s/ at [^ ]*.ptx:.*//'
}
wanted() { # VALUES of plain and the host's
	printf 'Old value = 4\nNew value = 5\nwritten by thread uid 1\nOld value = 5\nNew value = %s\nwritten by the host, %s of host_writes.c\n' $1 $3
	printf 'Old value = %s\nNew value = %s\nwritten by thread uid 2\n' $1 $2
}
for m in functional performance; do
	[ "$(watched plain)" = "$(wanted 90 91 main)" ] || fail "$m, plain: $(diff <(wanted 90 91 main) <(watched plain))"
	managed=$(watched shared_one | sed "s,host\, main of,host\, run of,") # its next call, or the one before
	[ "$managed" = "$(wanted 70 71 run)" ] || fail "$m, managed: $(diff <(wanted 70 71 run) <(echo "$managed"))"
done
# a condition that the host's value doesn't meet
got=$(timeout 60 "$WARPSTEP" -q --batch -m functional -ex 'run-to-launch 0' -ex 'watch plain if plain == 91' -ex c --args "$DIR/writes" 2>&1)
[[ $got == *'Old value = 90'*'New value = 91'* ]] || fail "a condition: $got"

# modules that come
got=$(timeout 60 "$WARPSTEP" -q --batch -m functional -ex 'catch load' -ex run -ex 'info modules' -ex c --args "$DIR/writes" 2>&1)
[[ $got == *$'Catchpoint 1 (load)\nmodule writes.ptx loaded'*'1 writes.ptx loaded'*$'\n71\n'* ]] || fail "catch load: $got"

command -v gdb >/dev/null || exit $bad
timeout 60 gdb -q -nx -batch -ex 'set print thread-events off' -ex 'set breakpoint pending on' -ex "target remote | '$WARPSTEP' -m functional -q -g - --batch --args '$DIR/writes'" \
	-ex 'break adds' -ex c -ex 'watch -l *(int *) &plain' -ex 'delete 1' -ex c -ex c -ex c >"$DIR/got" 2>&1 </dev/null
grep -q '^written by the host, near [a-z]* at host_writes.c:' "$DIR/got" || fail "gdb: $(cat "$DIR/got")"
[ "$(sed -n 's/^\(Old\|New\) value = //p' "$DIR/got" | tr '\n' ' ')" = '4 5 5 90 90 91 ' ] || fail "gdb: $(cat "$DIR/got")"
exit $bad
