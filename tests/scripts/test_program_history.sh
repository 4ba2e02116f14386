#!/bin/bash
# Backwards in a CUDA program: over its launches, the copies between them, and what it writes to memory that both sides have, while it stands still;
# forwards again to where it was, and on.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
build_static history
P=$DIR/history-static
at() { # MODE COMMAND...
	local m=$1 c args=()
	shift
	for c; do args+=(-ex "$c"); done
	timeout 100 "$WARPSTEP" -m "$m" --batch -ex 'set history on' "${args[@]}" --args "$P" >"$DIR/out" 2>"$DIR/err"
	status=$?
}
says() { # PATTERN WHAT
	grep -Eq -- "$1" "$DIR/err" || fail "$m, $2: no '$1' in $(cat "$DIR/err")"
}
prints() { [ "$(cat "$DIR/out")" = $'3\n6\n9' ] || fail "$m, $1: the program says $(cat "$DIR/out")"; }

for m in functional performance; do
	# c[3] goes 0 3 6 9; backwards the watchpoint stands in front of each store
	at $m 'run-to-launch 2' 'watch ((float*)alloc_3)[3]' c rc rc rc 'p ((float*)alloc_3)[3]' rc delete c
	[ $status = 0 ] || fail "$m: status $status, $(cat "$DIR/err")"
	prints 'back and on'
	[ "$(grep -E '^(Old|New) value' "$DIR/err" | tr -dc '0-9\n' | tr '\n' ' ')" = '6 9 6 9 3 6 0 3 ' ] || fail "$m: values $(cat "$DIR/err")"
	says '^\$1 = 0' 'before the first store'
	says 'No more reverse-execution history' 'the beginning'

	# the copy from the host is there again: a[3] is 0, 3, 6 as each launch begins
	at $m 'run-to-launch 2' 'p ((float*)alloc_1)[3]' 'goto-cycle 3' 'p ((float*)alloc_1)[3]' 'p ((float*)alloc_3)[3]' 'info launches' 'rs 100' c
	prints 'copies'
	says '^\$1 = 6' 'in launch 2'
	says '^\$2 = 0' 'in launch 0'
	says '^\$3 = 0' 'in launch 0'
	[ "$(grep -c ' vecadd ' "$DIR/err")" -ge 1 ] || fail "$m: launches $(cat "$DIR/err")"

	# what the program doesn't know can be changed, and taken back; what it has been told can't
	at $m 'b vecadd' run 'set ((float*)alloc_2)[3] = 100' 'p ((float*)alloc_2)[3]' undo 'p ((float*)alloc_2)[3]' delete c
	prints undo
	says '^\$1 = 100' 'set'
	says '^\$2 = 3' 'undo'
	at $m 'run-to-launch 2' 'goto-cycle 3' 'set ((float*)alloc_2)[3] = 100'
	[ $status = 1 ] || fail "$m: what the program has seen is changed: $status"
	says 'error: the program has seen what came after' 'set in the past'
	prints 'after a refusal'
	at $m 'run-to-launch 1' 'run-to-launch 2' undo
	says 'error: the program has seen what came after' 'undo'
done

# memory that both sides have: what the program has written between launches is there again, and is the host's
build_static between
P=$DIR/between-static
x='((float*)alloc_1)[3]'
says_all() { for p; do says "$p" shared; done; }
for m in functional performance; do
	at $m 'run-to-launch 2' "p $x" 'goto-cycle 3' "p $x" 'run-to-launch 1' "p $x" c
	[ "$status $(tr '\n' ' ' <"$DIR/out")" = '0 13 36 69 ' ] || fail "$m, shared: status $status, $(cat "$DIR/out" "$DIR/err")"
	says_all '^\$1 = 66' '^\$2 = 10' '^\$3 = 33'
	at $m 'run-to-launch 2' "who-wrote $x" 'who-wrote ((float*)alloc_4)[3]' 'who-wrote ((float*)alloc_2)[3]' 'why ((float*)alloc_4)[3] 12' 'rs 20' 'watch ((float*)alloc_4)[3]' \
		rc rc rc delete c
	[ "$status $(tr '\n' ' ' <"$DIR/out")" = '0 13 36 69 ' ] || fail "$m, shared: status $status, $(cat "$DIR/out" "$DIR/err")"
	says_all '^\(\(float\*\)alloc_1\)\[3\] was written by the host \(buffer alloc_1\)' \
		'^\(\(float\*\)alloc_4\)\[3\] was written by thread uid 68 at .*: 13 -> 36' \
		'^\(\(float\*\)alloc_2\)\[3\] was written by the host \(buffer alloc_2: copied from buffer alloc_4' \
		'^ +\(\(f32\*\)alloc_1\)\[3\] = 33 from the host' 'No more reverse-execution history'
	# after its end, too
	at $m run "why ((float*)alloc_4)[3] 12" 'goto-cycle 3' "p $x"
	says_all '^ +\(\(f32\*\)alloc_1\)\[3\] = 66 from the host' '^\$1 = 10'

	# a thread that may write at any moment: history begins with each launch, and says so
	timeout 100 "$WARPSTEP" -m $m --batch -ex 'set history on' -ex 'run-to-launch 1' -ex 'si 4' -ex 'who-wrote ((float*)alloc_4)[3]' -ex 'rs 1000000' -ex c --args "$P" beside >"$DIR/out" 2>"$DIR/err"
	says_all 'nobody has written \(\(float\*\)alloc_4\)\[3\] since recording began. The program shares memory' '^No more reverse-execution history'
done
# large memory, registered memory too: the middle of a launch is what it was before the program wrote again, to each number; what lies beside stays
build_static history_shared
P=$DIR/history_shared-static
run_at() { # MODE TIMES COMMAND...
	local m=$1 n=$2 c args=()
	shift 2
	for c; do args+=(-ex "$c"); done
	timeout 100 "$WARPSTEP" -m "$m" --batch -ex 'set history on' "${args[@]}" --args "$P" $n >"$DIR/out" 2>"$DIR/err"
	status=$?
}
for m in functional performance; do
	n=150000 early=3000000 late=3900000
	[ $m = performance ] && n=30 early=100000 late=125000
	a='((unsigned*)alloc_1)[3072]' r='((unsigned*)alloc_2)[71]' # of thread 3: r begins in the midst of a page
	run_at $m $n 'run-to-launch 1' "goto-cycle $early" "p $r" "goto-cycle $late" "p $r" 'run-to-launch 2' "p $a" "goto-cycle $late" "p $r" "goto-cycle $early" "p $r" \
		"goto-cycle $late" "p $r" 'rs 1000000000' "p $a" 'run-to-launch 1' "p $a" "who-wrote $a" c
	[ "$status $(tr '\n' ' ' <"$DIR/out")" = "0 $((4 * n)) $((12 * n)) $((24 * n)) 3 3 " ] || fail "$m, large: status $status, $(cat "$DIR/out" "$DIR/err")"
	values=($(sed -n 's/^\$[0-9]* = //p' "$DIR/err"))
	[ "${values[0]}" -gt $((4 * n)) ] && [ "${values[1]}" -gt "${values[0]}" ] && [ $((${values[1]} % 8)) = $((4 * n % 8)) ] || fail "$m, large: ${values[*]}"
	[ "${values[*]:2}" = "12 ${values[1]} ${values[0]} ${values[1]} 4 8" ] || fail "$m, large, back: ${values[*]}"
	says_all 'was written by the host \(buffer alloc_1\)'
	# more than may be known
	run_at $m 1 'set history-memory 16M' 'run-to-launch 2' 'rs 1000000000' 'info launches' c
	says_all '^The program shares memory with the device'
done

# modules that the program has unloaded: each kernel is there where its own was, and the ways of all values go through them
P=$DIR/history_modules
$CC -std=gnu17 -O1 -Wall -o "$P" history_modules.c -L"$LIBRARIES" -l:libcuda.so.1 -l:libcudart.so.12 -Wl,-rpath-link,"$LIBRARIES" || exit 1
v='*(int*)alloc_1'
for m in functional performance; do
	at $m run "p $v" 'info functions scale' "watch $v" rc "p $v" 'p factor' 'info functions scale' rc "p $v" 'p factor' rc "p $v" 'p factor' rc "delete" c "p $v" \
		"why $v 12" 'p factor'
	[ "$(tr '\n' ' ' <"$DIR/out")" = '20 60 120 ' ] || fail "$m, modules: $(cat "$DIR/out" "$DIR/err")"
	[ "$(grep -E '^(Old|New) value' "$DIR/err" | tr -dc '0-9\n' | tr '\n' ' ')" = '60 120 20 60 10 20 ' ] || fail "$m, modules: values $(cat "$DIR/err")"
	says_all '^\$1 = 120' '^\$2 = 60' '^\$3 = 2' '^\$4 = 20' '^\$5 = 3' '^\$6 = 10' '^\$7 = 2' 'No more reverse-execution history' '^\$8 = 120' \
		'^ +factor = 3 initial value of module history_modules.ptx' 'No symbol "factor" in current context'
	[ $status = 1 ] || fail "$m, modules: status $status"
	# a breakpoint waits for a module in both directions, and where the machine stands in front of it
	at $m 'b scale' run c c rc 'p factor' rc 'p factor' rc 'rs 1000000' 'info breakpoints' c c 'p factor' delete c
	[ "$status $(tr '\n' ' ' <"$DIR/out")" = '0 20 60 120 ' ] || fail "$m, breakpoints of modules: $(cat "$DIR/out" "$DIR/err")"
	says_all '^\$1 = 3' '^\$2 = 2' '^\$3 = 3'
done

# memory that was freed later has its name, size, kind and place again where it lived, whichever way it was freed, and none where it didn't; so it is forwards
build_shared history_frees 12
P=$DIR/history_frees-12
names() { sed -n 's/^  \(alloc_[0-9]*\) *u8\[\([0-9]*\)\] .* device main.*/\1 \2/p; s/^No buffers\./none/p; s/^\$[0-9]* = .*/&/p' "$DIR/err" | tr '\n' ';'; }
b='info buffers'
for m in functional performance; do
	at $m "$b" run "$b" 'b fill thread (0,0,0) block (0,0,0)' rc "$b" 'p ((int*)alloc_1)[3]' rc "$b" 'p alloc_4[0]' rc "$b" rc "$b" 'p alloc_2[0]' rc "$b" rc "$b" c "$b" c "$b" \
		'watch ((int*)alloc_2)[5]' c "$b" delete 'rs 1' "$b" c "$b"
	[ "$(cat "$DIR/out")" = done ] || fail "$m, frees: $(cat "$DIR/out" "$DIR/err")"
	want='none;none;alloc_1 512;$1 = 0;alloc_4 256;$2 = 0;alloc_3 256;alloc_2 256;$3 = 0;alloc_1 256;alloc_2 256;alloc_1 256;alloc_2 256;'
	want+='alloc_1 256;alloc_2 256;alloc_2 256;alloc_2 256;alloc_2 256;none;'
	[ "$(names)" = "$want" ] || fail "$m, frees: $(names) $(cat "$DIR/err")"
	[ $status = 0 ] || fail "$m, frees: status $status $(cat "$DIR/err")"
	# every way of going back
	at $m run 'b fill if $uid == 65' rc 'rs 1000000' 'p ((int*)alloc_1)[1]' 'goto-cycle 1000000' 'rsi' "$b" 'who-wrote ((int*)alloc_1)[1]' 'why ((int*)alloc_1)[1]' 'checkpoint' \
		'goto-cycle 1' "$b" 'restart 1' "$b"
	says '^\$1 = 0$' frees
	[ "$(names)" = '$1 = 0;alloc_1 512;alloc_1 256;alloc_2 256;alloc_1 512;' ] || fail "$m, frees, ways: $(names) $(cat "$DIR/err")"
	says '^\(\(int\*\)alloc_1\)\[1\] was written by thread uid 258 at .*: 0 -> 401' 'who wrote'
done


exit $bad
