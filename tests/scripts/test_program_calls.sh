#!/bin/bash
# Stops in front of a program's calls and of its end: catch api, set break-on-exit, break NAME of a call.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
build_static vecadd
build_shared vecadd 12
P=$DIR/vecadd-static
session() { timeout 100 "$WARPSTEP" -q --batch "$@" >"$DIR/out" 2>"$DIR/err"; status=$?; }
says() { # PATTERN WHAT
	grep -Eq -- "$1" "$DIR/err" || fail "$2: no '$1' in $(cat "$DIR/err")"
}

for mode in functional performance; do
	# the program's first call, before which it wasn't connected; a glob; the last call before the end
	session -m $mode -ex 'catch api cudaMalloc' -ex 'catch api cuda*To*' -ex 'tcatch api cudaFree' -ex run -ex 'info host' -ex c -ex c -ex 'd 1' -ex c -ex c -ex 'info breakpoints' --args "$P"
	says '^Catchpoint 1 \(api cudaMalloc\)$' "$mode: first call"
	says '^cudaMalloc\(p = 0x[0-9a-f]+, bytes = 4000\), called by ' "$mode: arguments"
	says '^Process [0-9]+, thread [0-9]+ waits in front of cudaMalloc$' "$mode: info host"
	says '^Catchpoint 2 \(api cudaMemcpyToSymbol\)$' "$mode: a glob"
	says '^cudaMemcpyToSymbol\(variable = 0x[0-9a-f]+, from = 0x[0-9a-f]+, bytes = 16, offset = 0, kind = cudaMemcpyHostToDevice\), called by ' "$mode: a glob"
	says '^Temporary catchpoint 3 \(api cudaFree\)$' "$mode: tcatch"
	says '^cudaFree\(p = 0x80000000 <alloc_1>\), called by ' "$mode: the memory's name"
	says 'api cuda\*To\*$' "$mode: info breakpoints"
	grep -q '^sums are right' "$DIR/out" || fail "$mode: the program's output: $(cat "$DIR/out")"
done

# in front of a call nothing of it has happened; a launch names its kernel
session -m functional -ex 'catch api cudaLaunchKernel' -ex run -ex 'p ((f32[4])alloc_3)[1]' -ex 'd 1' -ex 'catch api cudaMemcpy' -ex c -ex 'p ((f32[4])alloc_3)[1]' --args "$P"
says '^cudaLaunchKernel\(function = 0x[0-9a-f]+ <vecadd>, grid = \{4, 1, 1\}, block = \{256, 1, 1\}, arguments = 0x[0-9a-f]+, shared = 0, stream = NULL\)' launch
says '^\$1 = 0$' 'in front of the launch'
says '^cudaMemcpy\(to = 0x[0-9a-f]+, from = 0x[0-9a-f]+ <alloc_3>, bytes = 4000, kind = cudaMemcpyDeviceToHost\)' 'the copy'
says '^\$2 = 2.5$' 'behind the launch'

# calls that never reach the debugger otherwise; conditions; ignore
session -m functional -ex 'catch api cudaGet*' -ex 'condition 1 $cycle > 0' -ex 'ignore 1 1' -ex run -ex bt --args "$P"
says '^Catchpoint 1 \(api cudaGetErrorString\)$' 'a call without a message'
session -m functional -ex 'catch api if $cycle < 0' -ex run -ex 'info breakpoints' --args "$P"
says '^.Inferior 1 \(process [0-9]+\) exited normally' 'a condition that is never true'
grep -q 'already hit' "$DIR/err" && fail "a false condition: $(cat "$DIR/err")"

# the shared runtime
session -m functional -ex 'catch api cudaDeviceSynchronize' -ex run --args "$DIR/vecadd-12"
says '^cudaDeviceSynchronize\(\), called by ' 'the shared runtime'

# the program's end, also after an error that sticks; its memory is there
for args in 1000 900; do
	c=(); [ $args = 900 ] && c=(-ex c) # the kernel writes beyond its buffer
	session -m functional -ex 'set break-on-exit on' -ex run "${c[@]}" -ex 'info host' -ex 'p ((f32[4])alloc_2)[1]' -ex c --args "$P" $args
	says '^The program is about to end( with status [0-9]+)?$' "end $args"
	says 'is about to end the process$' "end $args: info host"
	says '^\$1 = 1$' "end $args: memory"
	says '^.Inferior 1 \(process [0-9]+\) exited' "end $args"
done
session -m functional -ex run --args "$P"
grep -q 'about to end' "$DIR/err" && fail 'break-on-exit is off by default'

# a breakpoint on a call stops in front of it; a name that isn't called is told at the end
session -m functional -ex 'b cudaFree' -ex 'tb cudaMemcpy' -ex 'b cudaKernel' -ex 'info breakpoints' -ex run -ex c -ex 'd 1' -ex c --args "$P"
says '^Breakpoint 1 \(api cudaFree\): no kernel of this name is loaded; it stops in front of the program.s calls, as `catch api cudaFree`\.$' 'b cudaFree'
says '^1 +breakpoint +keep y +api cudaFree$' 'b cudaFree: info breakpoints'
says '^Temporary breakpoint 2 \(api cudaMemcpy\)$' 'tb cudaMemcpy'
says '^Breakpoint 1 \(api cudaFree\)$' 'b cudaFree stops'
says '^cudaFree\(p = 0x80000000 <alloc_1>\), called by ' 'b cudaFree: arguments'
says '^Breakpoint 3 \(cudaKernel\) was never set' 'no such call'
grep -Eq 'Breakpoint [12] .* was never set' "$DIR/err" && fail "b cudaFree: $(cat "$DIR/err")"
# without pending breakpoints the error names catch api
session -m functional -ex 'set breakpoint pending off' -ex 'b cudaFree' --args "$P"
says '^error: Function "cudaFree" not defined in code of the device\. `catch api cudaFree` stops in front of the program.s calls\.$' 'b cudaFree, none pending'
# without a program there are no calls
session -ex 'load vecadd.ptx' -ex 'catch api'
[ $status = 1 ] || fail "catch api without a program: $status"
says 'there is no program whose calls could be caught' 'without a program'
exit $bad
