#!/bin/bash
# A program at the prompt: its arguments, kill, detach, what is shown of its host's side, and what --batch ends with.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
build_static control
$CC -std=gnu17 -g -O1 -Wno-maybe-uninitialized -o "$DIR/control" control.c -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" || exit 1
P=$DIR/control
batch() { timeout 100 "$WARPSTEP" -m functional --batch "$@" >"$DIR/out" 2>"$DIR/err"; status=$?; }
ends() { # STATUS WHAT
	[ $status = "$1" ] || fail "$2: status $status, expected $1: $(cat "$DIR/err")"
}
says() { # PATTERN WHAT
	grep -Eq -- "$1" "$DIR/err" || fail "$2: no '$1' in $(cat "$DIR/err")"
}

# the program's own status; by a signal
batch --args "$P" 7; ends 7 'own status'
says 'exited with code 07' 'own status'
batch --args "$P" 1 segv; ends 139 signal
says 'Program terminated with signal SIGSEGV, Segmentation fault.' signal
# 3 if nobody has gone on from it: at the end of the script it is given the error nevertheless, and its output isn't lost
batch --args "$P" 1 fails; ends 3 exception
[ "$(cat "$DIR/out")" = "700 an illegal memory access was encountered
again: 700" ] || fail "exception: $(cat "$DIR/out")"
# after c the program's own; before a failed command; but a later failure of a kernel counts
batch -ex run -ex c --args "$P" 5 fails; ends 5 'c after an exception'
batch -ex run -ex nonsense --args "$P" 5 fails; ends 3 'exception and a failed command'
batch -ex run -ex c -ex nonsense --args "$P" 5 fails; ends 1 'a failed command'
batch -ex nonsense -ex run --args "$P" 5; ends 1 'a failed command at first'
batch -ex 'b vecadd' -ex run --args "$P" 5 fails; ends 3 'the script ends in front of the failure'
[ "$(head -1 "$DIR/out")" = '700 an illegal memory access was encountered' ] || fail "end of script: $(cat "$DIR/out")"
batch -ex 'b vecadd' -ex run -ex 'set break-on-launch all' -ex 'watch alloc_3[0]' --args "$P" 4; ends 4 'stops left over at the end'
batch -ex run -ex c -ex run --args "$P" 5 fails; ends 3 'a failure after one that was gone on from'
# a kernel from the prompt doesn't take the program's error from it, nor does one that fails otherwise
fails='700 an illegal memory access was encountered
again: 700'
batch -ex run -ex 'launch vecadd<<<1, 32>>>(alloc_1, alloc_1, alloc_1, 4)' -ex c --args "$P" 5 fails; ends 5 'a launch after an exception'
[ "$(cat "$DIR/out")" = "$fails" ] || fail "a launch after an exception: $(cat "$DIR/out")"
batch -ex run -ex 'launch vecadd<<<1, 32>>>(alloc_1, alloc_1, alloc_1, 4)' --args "$P" 5 fails; ends 3 'a launch instead of c'
[ "$(cat "$DIR/out")" = "$fails" ] || fail "a launch instead of c: $(cat "$DIR/out")"
batch -ex run -ex 'launch vecadd<<<1, 32>>>(0x80000001, alloc_1, alloc_1, 4)' -ex 'stepi 100' -ex c --args "$P" 5 fails; ends 5 'two failures'
says '^CUDA Exception: Warp Misaligned Address' 'two failures'
[ "$(cat "$DIR/out")" = "$fails" ] || fail "two failures: $(cat "$DIR/out")"
# a limit is a timeout
batch -o '-gpgpu_max_insn 1000' -ex run -ex c --args "$P" 6; ends 6 'a limit and c'
[ "$(head -1 "$DIR/out")" = '702 the launch timed out and was terminated' ] || fail "limit: $(cat "$DIR/out")"
batch -o '-gpgpu_max_insn 1000' --args "$P" 6; ends 4 'a limit'

# what the host did
batch -ex run -ex 'info host' -ex 'info buffers' -ex 'bt host' -ex 'p alloc_1[0..1]' -ex 'p sizeof(alloc_3)' -ex 'info launches' --args "$P" 2 fails
says '^Address 0x.* is 0 bytes past the end of allocation alloc_2 \(0x[0-9a-f]*, 4000 bytes\)' 'an allocation'
says '^Kernel 0 vecadd, launched from ' 'where it was launched'
says 'thread [0-9]+ waits in ' 'info host'
says ' alloc_3 u8\[4000\] 0x[0-9a-f]+ +4000 device ' 'info buffers'
says '^\$1 = \{0, 0\}' 'names in expressions'
says '^ +1 vecadd ' 'info launches'
if grep -q 'launched from control.c' "$DIR/err"; then
	says "^Kernel 0 vecadd, launched from control.c:$(grep -n 'CHECK(cudaLaunchKernel' control.c | cut -d: -f1)\$" 'the line'
	says "waits in cudaDeviceSynchronize, called by main at control.c:$(grep -n 'cudaDeviceSynchronize' control.c | cut -d: -f1); stream 0" 'info host'
	says "made by main at control.c:$(grep -n '&b, 4000' control.c | cut -d: -f1)" 'made by'
	says '^#0  0x[0-9a-f]+ in main \(\) at control.c:' 'bt host'
elif [ -f /usr/include/elfutils/libdwfl.h ]; then
	fail "no lines of the host: $(cat "$DIR/err")"
fi

# arguments, redirections, and those of last time
batch -ex 'show args' -ex run -ex 'run 3' -ex 'show args' -ex run -ex "run 4 > '$DIR/elsewhere'" -ex 'set args 9' -ex run -ex 'set args' -ex run --args "$P" 2 ''
says 'args is "2 '"''"'"' arguments
[ "$(grep -o 'exited with code [0-9]*' "$DIR/err" | tr -dc '0-9\n' | tr '\n' ' ')" = '02 03 03 04 011 01 ' ] || fail "arguments: $(cat "$DIR/err")"
[ "$(cat "$DIR/elsewhere")" = '0 no error' ] || fail "redirection: $(cat "$DIR/elsewhere")"
[ "$(grep -c 'no error' "$DIR/out")" = 5 ] || fail "redirection: $(cat "$DIR/out")"
# addresses come again
batch -ex 'b vecadd' -ex run -ex 'p &alloc_3[0]' -ex run -ex 'p &alloc_3[0]' --args "$P"
[ "$(grep -c 'u8 \*) 0x80002200' "$DIR/err")" = 2 ] || fail "addresses: $(cat "$DIR/err")"

# the K-th launch since the program began, also when it begins again
batch -ex 'run-to-launch vecadd#3' -ex 'info launches vecadd#3' -ex 'run-to-launch vecadd#5' -ex kill -ex 'run-to-launch 1' -ex 'simulate vecadd#4' -ex c -ex 'info launches' -ex 'reset' --args "$P" 6
[ "$(grep '^Reached' "$DIR/err" | tr '\n' ' ')" = 'Reached launch 2 vecadd Reached launch 4 vecadd Reached launch 1 vecadd ' ] || fail "run-to-launch: $(cat "$DIR/err")"
says '^ +3 vecadd .* performance +[0-9]+$' simulate
[ "$(grep -c ' performance ' "$DIR/err")" = 1 ] || fail "simulate: $(cat "$DIR/err")"
says '^\[Inferior 1 \(process [0-9]+\) killed\]' kill
says '^\[Machine reset\]' reset

# catch, and reset is refused while it lives; detach lets it go
batch -ex 'catch kernel vecadd' -ex run -ex detach -ex 'info threads' --args "$P" 3; ends 3 detach
says '^Catchpoint 1 \(kernel vecadd\)' 'catch kernel'
says '^Detaching from program, process ' detach
batch -ex 'catch launch' -ex run -ex reset --args "$P" 3; ends 1 'reset while it lives'
says "^error: a program is being debugged: .kill. ends it" reset
batch -ex kill --args "$P"; says '^error: The program is not being run.' 'nothing to kill'
batch -ex detach --args "$P"; says '^error: The program is not being run.' 'nothing to detach from'
batch -ex 'bt host' --args "$P"; says '^error: The program is not being run.' 'bt host'
batch -ex 'info host x' --args "$P"; says '^error: usage: info host' 'info host'
batch -ex 'run-to-launch vecadd#0' --args "$P"; says '^error: "vecadd#0" is no launch' 'no launch'

# Ctrl-C while the program is on the host, and its end by kill
coproc W { exec "$WARPSTEP" -m functional -q --args "$P" 1 sleep 2>&1; }
pid=$W_PID
exec {to}>&"${W[1]}" {from}<&"${W[0]}" # the shell closes its own when it sees the end
echo run >&$to
read -r -t 60 line <&$from
[ "$line" = '0 no error' ] || fail "sleep: $line"
kill -INT $pid
read -r -t 60 line <&$from
[ "$line" = 'Interrupted: the program is running host code' ] || fail "interrupt: $line"
printf 'info host\nkill\nquit\n' >&$to
exec {to}>&-
got=$(timeout 60 cat <&$from)
grep -q 'is running host code: no call of it is being served' <<<"$got" || fail "interrupt: $got"
grep -q 'killed' <<<"$got" || fail "interrupt: $got"
wait $pid 2>/dev/null
exit $bad
