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
exit $bad
