#!/bin/bash
# why EXPR, who-wrote, find-nan and diff-launch in a CUDA program: over its launches to what the host has copied and filled, and where it called that.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
for how in static shared; do
	[ $how = static ] && flags=-DFIXTURE_STATIC libraries= || { flags='' libraries="-L$LIBRARIES -l:libcudart.so.13 -Wl,-rpath-link,$LIBRARIES"; }
	$CC -std=gnu17 -g -O1 -Wall -Wno-maybe-uninitialized $flags -o "$DIR/reasons-$how" reasons.c $libraries || exit 1
done
line() { grep -n "/\* $1 \*/" reasons.c | cut -d: -f1; }
says() { # PATTERN
	grep -Eq -- "$1" "$DIR/err" || fail "$how, $m: no '$1' in $(cat "$DIR/err")"
}
ask() { # COMMAND...
	local c args=()
	for c; do args+=(-ex "$c"); done
	timeout 60 "$WARPSTEP" -m $m --batch -ex 'set history on' "${args[@]}" --args "$DIR/reasons-$how" >"$DIR/out" 2>"$DIR/err"
	status=$?
	[ "$(cat "$DIR/out")" = '7 1' ] || fail "$how, $m: the program says $(cat "$DIR/out")"
}
x='((f32*)alloc_'

for how in static shared; do for m in functional performance; do
	ask 'run-to-launch 1' "who-wrote ${x}1)[3]" "who-wrote ${x}2)[3]" "who-wrote ${x}3)[3]" "who-wrote ${x}4)[3]" 'who-wrote ((f32*)offset)[1]' \
		'info launches' "who-wrote ${x}5)[3]" "why ${x}5)[3]" "find-nan alloc_5" "why ${x}4)[3] 5" c
	[ $status = 0 ] || fail "$how, $m: status $status, $(cat "$DIR/err")"
	grep -q "reasons.c:" "$DIR/err" || { echo "built without libdw"; exit 77; }
	says "^\(\(f32\*\)alloc_1\)\[3\] was written by the host \(buffer alloc_1: copied by main at reasons.c:$(line again)\)"
	says "^\(\(f32\*\)alloc_2\)\[3\] was written by the host \(buffer alloc_2: filled by main at reasons.c:$(line fill)\)"
	says "^\(\(f32\*\)alloc_3\)\[3\] was written by thread uid 4 at reasons-[a-z]+.ptx:[0-9]+ \(vecadd.cu:9\) in cycle [0-9]+: 0 -> 3.5"
	says "^\(\(f32\*\)alloc_4\)\[3\] was written by the host \(buffer alloc_4: copied from buffer alloc_3 by main at reasons.c:$(line within)\)"
	says "^nobody has written \(\(f32\*\)alloc_5\)\[3\]$"
	says "^\(\(f32\*\)alloc_5\)\[3\] = 0: nobody has written it  <- uninitialised$"
	says "^\(\(f32\*\)offset\)\[1\] was written by the host \(variable offset: copied by main at reasons.c:$(line symbol)\)"
	# the chain goes on behind the copy, with what was there then: a before it was copied again
	says "^\(\(f32\*\)alloc_4\)\[3\] = 3.5 from the host \(buffer alloc_4: copied"
	says "^  \(\(f32\*\)alloc_3\)\[3\] = 3.5 by thread uid 4 at reasons-[a-z]+.ptx:[0-9]+ st.global.f32 "
	says "^        \(\(f32\*\)offset\)\[1\] = 0.5 from the host"
	ask 'run-to-launch 1' "why ${x}4)[3] 12" 'why *(u8*)0x10000001' # 'e' of the initialised string of the module
	says "^ +\(\(f32\*\)alloc_1\)\[3\] = 3 from the host \(buffer alloc_1: copied by give at reasons.c:$(line give)\)"
	says "^ +parameter _Z6vecaddPKfS0_Pfi_param_0 \(of launch 0, launched from reasons.c:$(line first)\)"

	says '^\$str\[1\] = 101 initial value of module reasons-'

	# inf + -inf is NaN: the first that wasn't finite was the host's. Memory of programs has no type: what kernels use as floats is looked at
	ask run find-nan 'find-nan alloc_4' "find-nan ${x}3)[40]" "who-wrote ${x}3)[40]" 'diff-launch 0 1' 'diff-launch 0 functional' 'diff-launch 1 performance'
	[ $status = 0 ] || fail "$how, $m: status $status, $(cat "$DIR/err")"
	says "^1 float in alloc_3 isn't finite"
	says "^\(\(f32\*\)alloc_3\)\[40\]: infinity came from the host: \(\(f32\*\)alloc_1\)\[40\] of buffer alloc_1: copied by main at reasons.c:$(line again)"
	says "^\(\(f32\*\)alloc_1\)\[40\]: infinity came from the host: \(\(f32\*\)alloc_1\)\[40\] of buffer alloc_1: copied by main at reasons.c:$(line again)"
	says "^\(\(f32\*\)alloc_4\)\[40\]: infinity came from the host: \(\(f32\*\)alloc_1\)\[40\] of buffer alloc_1: copied by give at reasons.c:$(line give)"
	says "^\(\(f32\*\)alloc_3\)\[40\] was written by thread uid 105 .*: inf -> nan"
	says "^thread uid 1 of launch 0 and thread uid 65 of launch 1 differ first at reasons-[a-z]+.ptx:[0-9]+ \(vecadd.cu:9\) ld.global.f32"
	says "^Launch 0 loads and stores the same in all 64 threads in functional mode."
	says "^Launch 1 loads and stores the same in all 64 threads in performance mode."
done; done
exit $bad
