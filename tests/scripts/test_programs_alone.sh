#!/bin/bash
# Programs by library path alone, objects that are opened later, processes that come and go.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
alone() { LD_LIBRARY_PATH=$LIBRARIES "$@"; }

# nvcc's programs ask for libgcc_s, which brings the runtime along where it is linked in
$CC -std=gnu17 -O1 -Wno-maybe-uninitialized -DFIXTURE_STATIC -o "$DIR/static" vecadd.c -Wl,--no-as-needed -lgcc_s || exit 1
build_shared vecadd 13
for program in static vecadd-13; do
	got=$(WARPSTEP_ARGS='-m functional' alone "$DIR/$program" 2>"$DIR/err") || fail "alone, $program: status $?: $(cat "$DIR/err")"
	[[ $got == 'sums are right'*'then: no error' ]] || fail "alone, $program: $got"
	[ ! -s "$DIR/err" ] || fail "alone, $program: says $(cat "$DIR/err")"
done
plain=$got

# one that asks for no libgcc_s isn't replaced in time: what helps
build_static vecadd
LD_PRELOAD=libwarpstep.so alone "$DIR/vecadd-static" >"$DIR/out" 2>"$DIR/err" || fail "preloaded: status $?: $(cat "$DIR/err")"
[ "$(cat "$DIR/out")" = "$plain" ] || fail "preloaded: $(cat "$DIR/out")"

# an exception: printed, delivered, and the program's status is its own
got=$(alone "$DIR/static" 900 2>"$DIR/err")
[ $? = 9 ] || fail "exception: $got"
[[ $got == *'700 an illegal memory access'* ]] || fail "exception: $got"
grep -q 'by thread (132,0,0) in block (3,0,0), uid 901' "$DIR/err" || fail "exception: $(cat "$DIR/err")"
# the first call that returns the error names its cause; the calls after it say nothing
grep -Eq '^note: cuda[A-Z][A-Za-z]*, called by [^,]*, returns cudaErrorIllegalAddress \(error 700\), and so does every later call: kernel 0 vecadd failed with Warp Illegal Address at program.ptx:[0-9]+' "$DIR/err" ||
	fail "an error that sticks: $(cat "$DIR/err")"
[ "$(grep -c ^note: "$DIR/err")" = 1 ] || fail "an error that sticks: $(cat "$DIR/err")"

# a module that is refused: its first mistake, once
$CC -std=gnu17 -O1 -o "$DIR/refused_module" refused_module.c -L"$LIBRARIES" -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
[ "$(alone "$DIR/refused_module" 2>"$DIR/err")" = '218 218' ] || fail "a refused module: $(cat "$DIR/err")"
[ "$(cat "$DIR/err")" = "error: program.ptx:7:2: 'nosuch' is not a PTX instruction (in a module that the program opens, which is refused)" ] ||
	fail "a refused module says: $(cat "$DIR/err")"

# a gpgpusim.config of the folder, unless -c says another; what is wrong with it
mkdir "$DIR/here"
cp "$ROOT"/configs/fermi-c2050/* "$DIR/here"
(cd "$DIR/here" && alone "$DIR/static" >/dev/null) 2>"$DIR/err" || fail "config: status $?: $(cat "$DIR/err")"
[ "$(cat "$DIR/err")" = 'note: ./gpgpusim.config is used' ] || fail "config: $(cat "$DIR/err")"
(cd "$DIR/here" && WARPSTEP_ARGS='-c fermi-gtx480' alone "$DIR/static" >/dev/null) 2>"$DIR/err" || fail "-c: status $?"
[ ! -s "$DIR/err" ] || fail "-c: $(cat "$DIR/err")"
got=$(WARPSTEP_ARGS='-c nothing' alone "$DIR/static" 2>"$DIR/err") && fail "bad config: status 0"
grep -q "^error: .*nothing" "$DIR/err" || fail "bad config: $(cat "$DIR/err")"

# commands of a file
echo 'run
info launches' >"$DIR/commands"
WARPSTEP_ARGS="-m functional -x $DIR/commands" alone "$DIR/static" >/dev/null 2>"$DIR/err" || fail "commands: status $?"
grep -q hello "$DIR/err" || fail "commands: $(cat "$DIR/err")"

# settings, statistics after each kernel, and what isn't possible
WARPSTEP_ARGS="-ex 'set stats-at-exit on'" alone "$DIR/static" >"$DIR/out" 2>"$DIR/err" || fail "statistics: status $?"
[ "$(cat "$DIR/out")" = "$plain" ] || fail "statistics: $(cat "$DIR/out")"
[ "$(sed -n 's/^kernel_name = \(.*\) $/\1/p' "$DIR/err" | tr '\n' ' ')" = '_Z6vecaddPKfS0_Pfi _Z5helloi ' ] || fail "statistics: $(grep kernel_name "$DIR/err")"
WARPSTEP_ARGS="-m functional -ex 'run 5'" alone "$DIR/static" >"$DIR/out" 2>"$DIR/err" || fail "run 5: status $?"
[ "$(cat "$DIR/err")" = "error: the program was not started from here: it can't be started again, nor with other arguments" ] || fail "run 5: $(cat "$DIR/err")"
[ "$(cat "$DIR/out")" = "$plain" ] || fail "run 5: $(cat "$DIR/out")"
LD_LIBRARY_PATH=$LIBRARIES WARPSTEP_ARGS="-m functional -ex start -ex kill" "$DIR/static" >"$DIR/out" 2>"$DIR/err" & pid=$!
wait $pid 2>/dev/null; [ $? = 137 ] || fail "kill: status $?"
for k in $(seq 100); do grep -q killed "$DIR/err" && break; sleep 0.1; done # its debugger may be slower
grep -q "^\[Inferior 1 (process $pid) killed\]" "$DIR/err" || fail "kill: no process $pid: $(cat "$DIR/err")"

# objects that are opened later
$CC -std=gnu17 -O1 -Wno-maybe-uninitialized -fPIC -shared -DFIXTURE_STATIC -o "$DIR/opened.so" opened.c || exit 1
cp "$DIR/opened.so" "$DIR/again.so"
$CC -std=gnu17 -O1 -o "$DIR/opener" opener.c || exit 1
got=$("$WARPSTEP" -m functional --batch --args "$DIR/opener" "$DIR/opened.so" "$DIR/again.so" 2>"$DIR/err") || fail "opened: status $?"
[ "$got" = "$DIR/opened.so: 0
$DIR/again.so: 0" ] || fail "opened: $got $(cat "$DIR/err")"

# one that is closed takes its module along
"$WARPSTEP" -m functional --batch -ex 'run-to-launch 1' -ex 'info functions vecadd' -ex c --args "$DIR/opener" "$DIR/opened.so" - "$DIR/again.so" >"$DIR/out" 2>"$DIR/err" ||
	fail "closed: $(cat "$DIR/err")"
[ "$(grep -c '^  kernel .*vecadd' "$DIR/err")" = 1 ] || fail "closed: $(cat "$DIR/err")"
[ "$(cat "$DIR/out")" = "$got" ] || fail "closed: $(cat "$DIR/out")"

# the last one that needs the runtime is closed: that stays, with its threads and handlers
$CC -std=gnu17 -O1 -Wno-maybe-uninitialized -fPIC -shared -o "$DIR/shared.so" opened.c -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" || exit 1
got=$(WARPSTEP_ARGS='-m functional' alone timeout 60 "$DIR/opener" "$DIR/shared.so" - "$DIR/shared.so" - 2>"$DIR/err") || fail "closed: status $?: $(cat "$DIR/err")"
[ "$got" = "$DIR/shared.so: 0
$DIR/shared.so: 0" ] || fail "closed: $got $(cat "$DIR/err")"

# stripped: what to do
$CC -std=gnu17 -O1 -s -Wno-maybe-uninitialized -DFIXTURE_STATIC -o "$DIR/stripped" vecadd.c || exit 1
"$WARPSTEP" --batch --args "$DIR/stripped" >"$DIR/out" 2>"$DIR/err"
grep -q "stripped has CUDA's runtime in it, but no symbols: link it without -s" "$DIR/err" || fail "stripped: $(cat "$DIR/err")"

# processes
build_shared family 13
run() { "$WARPSTEP" -m functional --batch --args "$DIR/family-13" "$@" 2>"$DIR/err"; }
[ "$(run fork)" = 'child 0, parent 0' ] || fail "fork: $(run fork) $(cat "$DIR/err")"
[ "$(run used)" = 'parent 0, child 3, parent again 0' ] || fail "used: $(run used) $(cat "$DIR/err")"
got=$(run exec "$DIR/vecadd-13")
[[ $got == 'before 0'*'sums are right'* ]] || fail "exec: $got $(cat "$DIR/err")"
[ -z "$(run reset)" ] || fail "reset: $(run reset) $(cat "$DIR/err")"
# one after the other: what they leave behind is given back when it is needed, and a failure is their own
cat >"$DIR/script" <<'END'
#!/bin/sh
for k in 1 2 3 4 5 6 7; do "$0/../family-13" large || echo "large: $?"; done
"$0/../family-13" bad || echo "bad: $?"
"$0/../family-13" large || echo "after bad: $?"
END
sed -i "s,\$0/\.\.,$DIR," "$DIR/script"
chmod +x "$DIR/script"
got=$(timeout 60 "$WARPSTEP" -m functional -o '-gpgpu_memory_size 1G' --batch -ex run -ex c --args "$DIR/script" 2>"$DIR/err") || fail "script: status $?: $(cat "$DIR/err")"
[ -z "$got" ] || fail "script: $got"
# as with gdb, \`kill\` ends what is debugged; what never was goes on, and has a machine of its own when it uses CUDA
for end in kill c; do
	rm -f "$DIR/later"
	timeout 60 "$WARPSTEP" -m functional --batch -ex 'b fill' -ex "run outlive '$DIR/later'" -ex delete -ex $end -ex "shell for k in \$(seq 200); do [ -s '$DIR/later' ] && break; sleep 0.05; done" --args "$DIR/family-13" >"$DIR/out" 2>"$DIR/err"
	[ "$(cat "$DIR/later" 2>&1)" = 0 ] || fail "a child after $end: $(cat "$DIR/later" "$DIR/err" 2>&1)"
done
# which of them are debugged: launch 0 is theirs alone
follow() { timeout 60 "$WARPSTEP" -m functional -o '-gpgpu_memory_size 1G' --batch "$@" -ex 'b fill' -ex 'run fork' -ex delete -ex 'info host' -ex c -ex 'info launches' --args "$DIR/family-13" >"$DIR/out" 2>"$DIR/err"; }
followed() { # PATTERN LAUNCHES
	[ "$(cat "$DIR/out")" = 'child 0, parent 0' ] || fail "$1: $(cat "$DIR/out" "$DIR/err")"
	[ "$(grep -c '^ *[0-9]* fill ' "$DIR/err")" = $2 ] && grep -q "$1" "$DIR/err" || fail "$1: $(cat "$DIR/err")"
}
follow -ex 'set follow-fork-mode child'; followed waits 2
follow -ex 'set detach-on-fork on'; followed '^.Detaching after fork from child process' 1
follow -ex 'set detach-on-fork on' -ex 'set follow-fork-mode child'; followed '^.Detaching after fork from parent process' 1
pid=$(sed -n 's/.*from parent process \([0-9]*\).*/\1/p' "$DIR/err")
grep -q "^.Inferior 1 (process $pid) exited normally" "$DIR/err" && ! grep -q "^Process $pid, .* waits" "$DIR/err" || fail "follows the child: $(cat "$DIR/err")"
# a program of one process is debugged in any case
timeout 60 "$WARPSTEP" -m functional --batch -ex 'set detach-on-fork on' -ex 'set follow-fork-mode child' -ex 'b vecadd' -ex run -ex delete --args "$DIR/vecadd-13" >"$DIR/out" 2>"$DIR/err" || fail "no child: status $?"
grep -q 'Breakpoint 1, ' "$DIR/err" || fail "no child: $(cat "$DIR/err")"
run kill
[ $? = 139 ] || fail "kill: status $?"
grep -q 'Program terminated with signal SIGSEGV, Segmentation fault.' "$DIR/err" || fail "kill: $(cat "$DIR/err")"
# a kernel and the host that change the same memory at the same time
build_shared atomics 13
for mode in 'functional 20000' 'performance 500'; do
	got=$("$WARPSTEP" -m ${mode% *} --batch --args "$DIR/atomics-13" ${mode#* } 2>"$DIR/err") || fail "atomics, $mode: status $?: $(cat "$DIR/err")"
	[ "$got" = PASSED ] || fail "atomics, $mode: $got"
done
# a kernel that polls what another thread writes, and a program that is killed meanwhile
build_shared polling 13
for mode in functional performance; do
	got=$("$WARPSTEP" -m $mode --batch --args "$DIR/polling-13" 2>"$DIR/err") || fail "polling, $mode: status $?: $(cat "$DIR/err")"
	[ "$got" = PASSED ] || fail "polling, $mode: $got"
	# that isn't the same in each run, which is said once
	[ "$(grep -c '^note: threads of the program and a kernel use the same memory at the same time:' "$DIR/err")" = 1 ] || fail "polling, $mode: $(cat "$DIR/err")"
	for how in streams copy late thread function; do
		got=$(timeout 60 "$WARPSTEP" -m $mode --batch --args "$DIR/polling-13" $how 2>"$DIR/err") || fail "polling $how, $mode: status $?: $(cat "$DIR/err")"
		[ "$got" = PASSED ] || fail "polling $how, $mode: $got"
		[ $how = function ] || ! grep -q '^note: threads' "$DIR/err" || fail "polling $how, $mode: $(cat "$DIR/err")"
	done
	timeout 60 "$WARPSTEP" -m $mode --batch --args "$DIR/polling-13" legacy >"$DIR/out" 2>"$DIR/err"
	status=$?; [ $status = 4 ] || fail "polling legacy, $mode: status $status"
	grep -q 'stream 0: kernel 1 fill can.t begin: in the default stream it waits for what was in blocking streams before it' "$DIR/err" || fail "polling legacy, $mode: $(cat "$DIR/err")"
done
"$WARPSTEP" -m functional --batch --args "$DIR/polling-13" kill >"$DIR/out" 2>"$DIR/err"
[ $? = 137 ] || fail "killed in a kernel: $(cat "$DIR/out" "$DIR/err")"
# Ctrl-C in a script ends what would go on for ever
for how in "" "-ex run"; do
	coproc W { exec "$WARPSTEP" -m functional --batch $how --args "$DIR/polling-13" never 2>"$DIR/err"; }
	pid=$W_PID
	read -r -t 60 line <&"${W[0]}"
	[ "$line" = polling ] || fail "never: $line $(cat "$DIR/err")"
	sleep 0.1
	kill -INT $pid
	wait $pid
	[ $? = 130 ] || fail "interrupted: $(cat "$DIR/err")"
	grep -q '^Interrupted' "$DIR/err" && grep -q '^\[Inferior 1 (process [0-9]*) killed\]' "$DIR/err" || fail "interrupted: $(cat "$DIR/err")"
done
(alone "$DIR/family-13" fork) >"$DIR/out" 2>"$DIR/err" || fail "fork alone: status $?"
[ "$(cat "$DIR/out")" = 'child 0, parent 0' ] || fail "fork alone: $(cat "$DIR/out" "$DIR/err")"
exit $bad
