#!/bin/bash
# A gdb's machine becomes another one, of a checkpoint file: threads, registers, breakpoints and steps are the new machine's, also where what ran was in another
# mode with another grid, or nothing was loaded.
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }
cp "$ROOT/tests/gdb/lanes.ptx" .
bad=0
fail() { echo "$*"; bad=1; }
"$WARPSTEP" -q --batch -m functional lanes.ptx -ex 'buffer A f32[256] = zero' -ex 'launch lanes<<<2,64>>>(A, 5)' -ex 'b 60' -ex c \
	-ex 'checkpoint a.wsc' >out 2>&1 || fail "$(cat out)"

# OPTIONS: gdb's commands come from standard input, whatever says where the machine is anew among them
debug() {
	cat >commands
	timeout 60 gdb -q -nx -batch -iex 'set pagination off' -iex 'set confirm off' -iex 'set width 0' -iex 'set print thread-events off' \
		-iex 'set sysroot target:' -ex "target remote | $WARPSTEP -q -g - $* 2>err" -x commands >got 2>&1
}
says() { grep -Eq -- "$1" got || fail "$2: no '$1' in $(cat got err)"; }

rest='break 61 thread 3
monitor break lane
print f2
print r8
continue
print r1
delete
thread apply 40 print r1
continue
x/2fw 2147483648'
debug "-c tiny lanes.ptx -ex 'buffer A f32[256] = zero' -ex 'launch lanes<<<1,32>>>(A, 2)'" <<END
break 58
continue
stepi
delete
monitor restore a.wsc
maintenance flush register-cache
maintenance flush dcache
info threads 1
$rest
END
says '^\* 1 .*\(active, lanes\) +lanes \(out=2147483648, n=5\) at .*lanes.ptx:60$' 'another machine'
says '^Thread 3 .* hit Breakpoint' 'another machine'
says '^\$2 = 1$' 'another machine'
says '^\$3 = 2$' 'another machine'
says '^\$4 = 39$' 'another machine'
says '^Thread [0-9]+ "host" received signal SIGTRAP' 'another machine'

debug '-c tiny' <<END
monitor restore a.wsc
sharedlibrary
info threads 1
thread 2
$rest
END
says 'lanes \(out=2147483648, n=5\) at .*lanes.ptx:60$' 'nothing loaded'
says '^\$2 = 1$' 'nothing loaded'
exit $bad
