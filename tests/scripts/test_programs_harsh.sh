#!/bin/bash
# Hostile surroundings: calls at wrong moments, processes that are killed, descriptors, files and streams that aren't there. Nothing hangs.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
$CC -std=gnu17 -O1 -Wall -Wno-maybe-uninitialized -o "$DIR/harsh" harsh.c -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" -lpthread || exit 1
P=$DIR/harsh
under() { timeout 30 "$WARPSTEP" -m functional --batch --args "$@"; }
alone() { WARPSTEP_ARGS='-m functional' LD_LIBRARY_PATH=$LIBRARIES timeout 20 "$@"; }

for what in handler everywhere storm handles; do
	got=$(under "$P" $what 2>"$DIR/err") || fail "$what: status $?: $(cat "$DIR/err")"
	[ "$got" = PASSED ] || fail "$what: $got"
	got=$(alone "$P" $what 2>"$DIR/err") || fail "$what alone: status $?: $(cat "$DIR/err")"
done
for how in under alone; do
	$how "$P" callback >"$DIR/out" 2>"$DIR/err"
	status=$?; [ $status = 6 ] || fail "exit in a callback, $how: status $status: $(cat "$DIR/err")"
	got=$($how "$P" exit 2>"$DIR/err") || fail "calls at the end, $how: $?"
	[ "$got" = 'PASSED
at the end 0' ] || fail "calls at the end, $how: $got"
done

# what another thread waits for fails, and a reset forgets it: the thread is told
got=$(under "$P" reset 2>"$DIR/err")
status=$?; [ "$status $got" = '3 PASSED' ] || fail "reset: status $status: $got"
got=$(alone "$P" reset 2>"$DIR/err")
status=$?; [ "$status $got" = '0 PASSED' ] || fail "reset alone: status $status: $got"

# far more launches than a stream holds, without waiting: each takes as long as the first
got=$(timeout 60 "$WARPSTEP" -m functional --batch --args "$P" many 50000 2>"$DIR/err") || fail "100000 launches: status $?: $(cat "$DIR/err")"
[[ $got == *PASSED ]] || fail "100000 launches: $got"

# without standard streams
"$WARPSTEP" -m functional --batch --args "$P" use <&- >&- 2>"$DIR/err" || fail "no streams: status $? $(cat "$DIR/err")"
(exec 0<&- 1>&- 2>&-; exec timeout 60 "$WARPSTEP" -m functional --batch --args "$P" use) || fail "no streams at all: status $?"
(alone "$P" use <&- >&- 2>&-) || fail "no streams, alone: status $?"

# few descriptors: it works or says so
for n in 8 11 14 20; do
	(ulimit -n $n; under "$P" use) >"$DIR/out" 2>"$DIR/err"
	status=$?; [ $status -le 2 ] || fail "$n descriptors: status $status: $(cat "$DIR/out" "$DIR/err")"
	(ulimit -n $n; alone "$P" use) >"$DIR/out" 2>"$DIR/err"
	status=$?; [ $status -le 2 ] || [ $status = 127 ] || fail "$n descriptors, alone: status $status: $(cat "$DIR/out" "$DIR/err")"
done
# no file may grow: it works or says so, and doesn't end by a signal
(ulimit -f 100; under "$P" use) >"$DIR/out" 2>"$DIR/err"
status=$?; [ $status -le 2 ] || fail "file size: status $status: $(cat "$DIR/out" "$DIR/err")"
(ulimit -f 100; alone "$P" use) >"$DIR/out" 2>"$DIR/err"
status=$?; [ $status -le 2 ] || fail "file size, alone: status $status: $(cat "$DIR/out" "$DIR/err")"

# another library is preloaded
echo 'int nothing_of_cuda;' >"$DIR/other.c"
$CC -shared -fPIC -o "$DIR/other.so" "$DIR/other.c" || exit 1
got=$(LD_PRELOAD=$DIR/other.so under "$P" use 2>"$DIR/err") && [[ $got == 'use 0'* ]] || fail "preload: $got $(cat "$DIR/err")"

shm=$(ls /dev/shm 2>/dev/null) # what is killed leaves nothing there
# Processes by what they are, from /proc alone. programs: numbers of those that run `$P kill`; their_debugger: of the warpstep that one of them has started
programs() {
	local d name what found=1
	for d in /proc/[0-9]*; do
		{ IFS= read -r -d '' name && IFS= read -r -d '' what; } 2>/dev/null <"$d/cmdline" || continue
		[ "$name $what" = "$P kill" ] && echo "${d#/proc/}" && found=0
	done 2>/dev/null
	return $found
}
their_debugger() {
	local d line parent
	parent=$(programs | head -1)
	for d in /proc/[0-9]*; do
		read -r line 2>/dev/null <"$d/stat" || continue
		[[ $line == *"(warpstep) "?" ${parent:-none} "* ]] && echo "${d#/proc/}" && return
	done 2>/dev/null
	return 1
}

# the debugger dies at any moment: the program gets an error
for k in 1 2 3 4; do
	alone "$P" kill >"$DIR/out" 2>"$DIR/err" &
	for ((i = 0; i < 300; i++)); do
		pid=$(their_debugger) && break
		kill -0 $! 2>/dev/null || break
		sleep 0.02
	done
	sleep 0.0$k
	[ -n "$pid" ] && kill -9 $pid || fail "no debugger to kill"
	wait $!
	[ $? -le 1 ] || fail "killed debugger: $(cat "$DIR/out" "$DIR/err")"
	grep -Eq 'after [1-9]|before [1-9]' "$DIR/out" || fail "killed debugger: $(cat "$DIR/out" "$DIR/err")"
done
# the program dies at any moment, and with its debugger
for k in 1 3 5 9; do
	under "$P" kill >"$DIR/out" 2>"$DIR/err" &
	sleep 0.1$k
	pid=$(programs) && kill -9 $pid
	wait $!
	status=$?; [ $status = 137 ] || [ -z "$pid" ] || fail "killed program: status $status: $(cat "$DIR/err")"
done
"$WARPSTEP" -m functional --batch --args "$P" kill >"$DIR/out" 2>"$DIR/err" &
sleep 0.2
kill -9 $!
wait $! 2>/dev/null
for ((i = 0; i < 100; i++)); do programs >/dev/null || break; sleep 0.05; done
programs >/dev/null && fail "the program outlives its debugger"
! ls /dev/shm 2>/dev/null | grep -q warpstep || [ "$(ls /dev/shm)" = "$shm" ] || fail "/dev/shm has $(ls /dev/shm)"
exit $bad
