#!/bin/bash
# A stock gdb on a program's device: breakpoints that are pending until a module is loaded, kill, run again with arguments, the program's end.
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
build_static control
P=$DIR/control-static
debug() { # OPTIONS AND COMMANDS of gdb; the program's arguments are in $A
	timeout 100 gdb -q -nx -batch -ex 'set confirm off' -ex 'set pagination off' -ex 'set print thread-events off' -ex 'set breakpoint pending on' \
		-ex "target extended-remote | '$WARPSTEP' -m functional -q $B -g - --args '$P' $A" "$@" >"$DIR/got" 2>&1 </dev/null
}
says() { grep -Eq -- "$1" "$DIR/got" || fail "no '$1' in $(cat "$DIR/got")"; }

A=2 B=--batch
debug -ex 'break vecadd' -ex continue -ex 'delete' -ex continue -ex 'monitor info launches'
says 'hit Breakpoint 1, vecadd \('
says '^\[Inferior 1 \(.*\) exited with code 02\]'
# the module's PTX has a name that gdb takes, before it is there, and a file with its lines as long as warpstep lives
line=$(grep -n 'ld.param.u64.*vecadd.*param_1' vecadd.ptx | cut -d: -f1)
B="--batch -ex 'set source ptx'"
debug -ex "break control-static.ptx:$line" -ex continue -ex 'info source' -ex delete -ex continue
says "hit Breakpoint 1, vecadd \(.* at /tmp/warpstep-.*/control-static.ptx:$line\$"
says "^$line.*ld.param.u64"
folder=$(sed -n 's,^Located in \(/tmp/warpstep-.*\)/control-static.ptx$,\1,p' "$DIR/got")
[ -n "$folder" ] || fail "no folder: $(cat "$DIR/got")"
[ ! -e "$folder" ] || fail "left over: $folder"
B=
debug -ex 'monitor catch kernel vecadd' -ex continue -ex 'monitor info host' -ex kill -ex 'run 5' -ex continue -ex 'monitor delete' -ex continue
says '^Catchpoint 1 \(kernel vecadd\)'
says 'waits in '
says '^\[Inferior 1 \(.*\) killed\]'
says '^\[Inferior 1 \(.*\) exited with code 05\]'
B=--batch A='1 segv'
debug -ex continue
says '^Program terminated with signal SIGSEGV, Segmentation fault.'
A='3 fails'
debug -ex continue -ex 'monitor bt host' -ex continue
says 'received signal SIGSEGV, Segmentation fault.'
says '^Kernel 0 vecadd, launched from '
says '^\[Inferior 1 \(.*\) exited with code 03\]'

# run, and run again: each stops where the first did, at the same addresses, also after a normal end
B= A=2
debug -ex 'break vecadd' -ex run -ex 'print/x $pc' -ex run -ex 'print/x $pc' -ex delete -ex continue -ex run -ex 'break vecadd' -ex run -ex 'print/x $pc'
[ "$(grep -c 'hit Breakpoint .*, vecadd (' "$DIR/got")" = 3 ] || fail "run, run: $(cat "$DIR/got")"
[ "$(sed -n 's/^\$[0-9] = //p' "$DIR/got" | sort | uniq -c | grep -c ' 3 ')" = 1 ] || fail "other addresses: $(cat "$DIR/got")"
[ "$(grep -c 'exited with code 02' "$DIR/got")" = 2 ] || fail "two ends: $(cat "$DIR/got")"
at=$(sed -n 's/^\$1 = //p' "$DIR/got")
debug -ex 'break vecadd' -ex run -ex delete -ex "break *$at" -ex run -ex 'info breakpoints'
says "breakpoint already hit 1 time"

# after a detach the program runs on, to its end
B=--batch
debug -ex 'break vecadd' -ex continue -ex detach
says '^Detaching from program, process '

# by path alone gdb is told how the program ends, and is not left with a closed connection
$CC -std=gnu17 -O1 -Wno-maybe-uninitialized -DFIXTURE_STATIC -o "$DIR/alone" control.c -Wl,--no-as-needed -lgcc_s || exit 1
alone() { # COMMANDS of gdb; the program's arguments are in $A
	rm -f "$DIR/socket"
	LD_LIBRARY_PATH=$LIBRARIES WARPSTEP_ARGS="-m functional -g unix:$DIR/socket" "$DIR/alone" $A >"$DIR/out" 2>&1 </dev/null &
	for ((i = 0; i < 200; i++)); do [ -S "$DIR/socket" ] && break; sleep 0.02; done
	timeout 60 gdb -q -nx -batch -ex 'set pagination off' -ex 'set print thread-events off' -ex 'set breakpoint pending on' \
		-ex "target remote $DIR/socket" "$@" >"$DIR/got" 2>&1 </dev/null
	wait $!
	status=$?
}
A=2
alone -ex 'break vecadd' -ex continue -ex delete -ex continue -ex 'info threads'
says '^\[Inferior 1 \(Remote target\) exited with code 02\]'
says '^No threads\.'
[ $status = 2 ] || fail "alone: status $status"
grep -q 'internal-error' "$DIR/got" && fail "gdb: $(cat "$DIR/got")"
alone -ex 'break vecadd' -ex continue -ex detach
says 'hit Breakpoint 1, vecadd'
[ $status = 2 ] || fail "detached: status $status: $(cat "$DIR/out")"
exit $bad
