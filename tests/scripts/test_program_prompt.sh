#!/bin/bash
# A program at the prompt, in what a first hour brings: output it doesn't wait for, pipes of the shell, its first kernel.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
$CC -std=gnu17 -g -O1 -Wno-maybe-uninitialized -o "$DIR/control" control.c -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" || exit 1
P=$DIR/control
batch() { timeout 100 "$WARPSTEP" -m functional --batch "$@" >"$DIR/out" 2>"$DIR/err"; status=$?; }
says() { # PATTERN WHAT
	grep -Eq -- "$1" "$DIR/err" || fail "$2: no '$1' in $(cat "$DIR/err")"
}
count() { # PATTERN N WHAT
	[ "$(cat "$DIR/out" "$DIR/err" | grep -Ec -- "$1")" = "$2" ] || fail "$3: not $2 times '$1' in $(cat "$DIR/out" "$DIR/err")"
}

# what kernels printed and nobody waited for: CUDA's program never shows it, the debugger does
batch --args "$P" 0 prints
[ ! -s "$DIR/out" ] || fail "printed: $(cat "$DIR/out")"
says '^note: the program ended without waiting for what its kernels printed' 'output that is lost'
count '^hello from [01]$' 2 'output that is lost'
# and it isn't the next program's
batch -ex 'b vecadd' -ex run -ex kill -ex delete -ex 'run 3' --args "$P" 1 prints
count '^hello from' 0 'output of one that was killed'

# a program that the shell starts among others: whose symbols are meant is known
if [ -f /usr/include/elfutils/libdwfl.h ]; then
	batch -ex 'run 2 fails | cat' -ex 'info buffers' --args "$P"
	says '^Address 0x.* allocation alloc_2 .*, made by main' 'the end of a pipe'
	says ' device main' 'info buffers in a pipe'
fi

# where a breakpoint is said once, not with each run
batch -ex 'b vecadd' -ex run -ex disable -ex run -ex run -ex enable -ex run --args "$P" 1
count '^Breakpoint 1 at 0x' 1 'where a breakpoint is'
count '^Breakpoint 1, thread' 2 'a breakpoint in the next run'

# start: up to the first launch, with arguments as for run; a program without kernels just ends
batch -ex 'start 3' -ex 'info launches' -ex c -ex start --args "$P" 1
count '^Reached launch 0 vecadd$' 2 start
says '^\* +0 vecadd .* functional +0$' 'the first launch'
count 'exited with code 03' 2 start
batch -ex start -ex 'launch vecadd<<<1, 32>>>(alloc_1, alloc_2, alloc_3, 0)' --args "$P" 1
says '^Kernel 1 vecadd launched' 'a launch of the prompt beside the program'

# the prompt's buffers outlive cudaDeviceReset and the next run, whatever their names; those of the program's allocations are the program's
cat >"$DIR/resets.c" <<'END'
#include "checks.h"
FIXTURE("kernels.ptx")
KERNEL(fill, "fill")
int main(void)
{
	RETURNS(0, use_kernel(fill));
	RETURNS(0, cudaDeviceReset());
	RETURNS(0, use_kernel(fill));
	return 7;
}
END
$CC -std=gnu17 -O1 -w -I. -Wa,-I. -o "$DIR/resets" "$DIR/resets.c" -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" || exit 1
batch -ex 'tb fill' -ex run -ex 'buffer alloc_mine s32[2] = fill 5' -ex 'buffer mine s32[2] = fill 3' -ex c -ex 'p alloc_mine' -ex 'info buffers' -ex 'p $_exitcode' -ex 'tb fill' -ex run -ex 'p mine' \
	-ex 'p alloc_mine' -ex kill -ex 'buffer alloc_2 s32[2]' --args "$DIR/resets"
count '^\$[0-9] = {5, 5}$' 2 'buffers of the prompt'
count '^\$3 = {3, 3}$' 1 'buffers of the prompt'
says '^ *alloc_mine .* the prompt$' 'buffers of the prompt'
says '^\$2 = 7$' 'the exit status'
says '^error: alloc_2 is a name that the program.s allocations get: a buffer needs another name$' "an allocation's name"

# traces and dprintf are the debugger's text: at once, and not among the program's output
batch -m performance -ex 'tb vecadd' -ex run -ex 'trace ISSUE on' -ex 'step 300' -ex 'echo ----\n' -ex 'trace off' -ex 'step 300' -ex kill --args "$P" 1
[ ! -s "$DIR/out" ] || fail "trace: $(head -5 "$DIR/out")"
says '^[0-9]+ [0-9]+ ISSUE: w[0-9]+ 0x' trace
sed '1,/^----/d' "$DIR/err" | grep -q ISSUE && fail "trace off: $(cat "$DIR/err")"
batch -ex 'dprintf vecadd,"thread %d\n", $uid' -ex run --args "$P" 1
says '^thread 2$' dprintf
grep -q '^thread' "$DIR/out" && fail "dprintf: $(cat "$DIR/out")"
PTX_SIM_DEBUG=5 batch -ex run --args "$P" 1
grep -q 'thd=' "$DIR/out" && fail "PTX_SIM_DEBUG: $(head -3 "$DIR/out")"
says "thd=2" PTX_SIM_DEBUG

batch -m performance -o '-gpgpu_runtime_stat 100:0x40' -ex run --args "$P" 1
grep -q ditsribution "$DIR/out" && fail "runtime statistics: $(head -3 "$DIR/out")"
says '^Shader 0 warp_id issue ditsribution:' 'runtime statistics'

# the host's own memory in a kernel: whose it is; so do checkers
for where in stack heap variables; do
	batch --args "$P" 1 $where
	says "^Address 0x[0-9a-f]* is host memory \\(the program's $where\\), which kernels can't reach; lanes " "$where"
done
batch --check memory --args "$P" 1 heap
says "^=========     and is host memory \\(the program's heap\\), which kernels can't reach" 'host memory, checked'

# device memory in the host's hands: it dies, and it is said of what
batch --args "$P" 1 reads
[ $status = 139 ] || fail "reads: status $status"
says '^Program terminated with signal SIGSEGV' reads
says '(^|: )the program has used 0x8000220c as a pointer, device memory \(alloc_3(, made by main at control.c:[0-9]+)?\): kernels and copies reach it' reads
[ ! -f /usr/include/elfutils/libdwfl.h ] || says '^(end|main) at control.c:[0-9]+: the program has' reads
batch --args "$P" 1 segv
[ $status = 139 ] || fail "segv: status $status"
count 'the program has used' 0 'a signal that was sent'
{ LD_LIBRARY_PATH=$LIBRARIES WARPSTEP_ARGS='-m functional' "$P" 1 reads >"$DIR/out" 2>"$DIR/err"; } 2>/dev/null
[ $? = 139 ] || fail "reads, alone: status $?"
for k in {1..100}; do # the debugger may outlive the program for a moment
	grep -q 'the host can' "$DIR/err" && break
	sleep 0.1
done
says 'the program has used 0x8000220c as a pointer, device memory' 'reads, alone'

# a launch that the device can't take: why nothing ran, once for a place
batch --args "$P" 3 large
says '^note: the launch of vecadd( from control.c:[0-9]+)? was refused: the block is \(2048,1,1\), the device takes 1 to \(1024,1024,64\)$' 'too large'
count 'was refused' 1 'too large'
count '^9$' 3 'the error of a launch'
batch --args "$P" 1 shared
says '^note: the launch of vecadd.* was refused: 65536 bytes of dynamic and 0 of static shared memory, a block gets 49152' 'shared memory'
batch --args "$P" 1 none
says '^note: the launch of vecadd.* was refused: the grid is \(0,1,1\), the device takes 1 to \(2147483647,65535,65535\)$' 'no blocks'
exit $bad
