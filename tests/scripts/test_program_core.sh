#!/bin/bash
# Post-mortem: a checkpoint that an exception of a program writes, gcore at the prompt and in gdb, and the file opened without program and sources.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
$CC -std=gnu17 -O1 -g -Wno-maybe-uninitialized -DFIXTURE_STATIC -o "$DIR/control" control.c -Wl,--no-as-needed -lgcc_s || exit 1
says() { grep -Eq -- "$1" "$DIR/got" || fail "$what: no '$1' in $(cat "$DIR/got")"; }
opened() { # FILE COMMAND...
	local file=$1 args=() c
	shift
	for c; do args+=(-ex "$c"); done
	timeout 60 "$WARPSTEP" -q --batch -m functional "${args[@]}" "$file" >"$DIR/got" 2>&1
	status=$?
}
export CUDA_ENABLE_COREDUMP_ON_EXCEPTION=1
cd "$DIR" || exit 1

what='an exception, started here'
timeout 60 "$WARPSTEP" -m functional --batch --args ./control 3 fails >got 2>&1
says '^Checkpoint core_[0-9]+_.*_[0-9]+\.wsc: cycle '
file=$(ls core_*.wsc) || fail "no file"
what=opened
opened "$file" bt 'print $errorpc' 'bt host' 'info threads'
[ $status = 0 ] || fail "opened: status $status: $(cat got)"
says '^CUDA Exception: Warp '
says '^#0  vecadd'
says '^\$1 = .* <vecadd\+'
says '^#[0-9]+ .* in main \('
says '^\* '
opened "$file" continue
[ $status = 1 ] || fail "continue: status $status"
says '^error: the program that failed here ended'

what='the history in the file begins at the launch'
opened "$file" 'show history' reverse-stepi 'why %rd1 1' continue 'print $errorpc' reverse-continue 'print $cycle' 'who-wrote alloc_1[0]' continue
[ $status = 0 ] || [ $status = 3 ] || fail "$what: status $status: $(cat got)"
says '^history is "on"'
says '^Stepped to '
[ "$(grep -c '^CUDA Exception: Warp ' got)" = 3 ] || fail "$what: $(cat got)"
says "^What ran before isn't in the checkpoint file\.$"
says '^\$[0-9]+ = 0$'
[ "$(grep -c "made by main at control.c" got)" = 3 ] || fail "$what: callers: $(cat got)"
says "^nobody has written alloc_1\[0\] since recording began\. What ran before isn't in the checkpoint file\.$"

what='the history in the file reaches over earlier launches and copies'
$CC -std=gnu17 -O1 -g -Wno-maybe-uninitialized -DFIXTURE_STATIC -o reasons -x c "$ROOT/tests/programs/reasons.c" -I"$ROOT/tests/programs" || exit 1
for m in functional performance; do
	(cd "$ROOT/tests/programs" && timeout 60 "$WARPSTEP" -q --batch -m $m -ex 'set history on' -ex 'run-to-launch 1' -ex 'stepi 20' -ex "gcore $DIR/r.wsc" --args "$DIR/reasons") >got 2>&1
	opened r.wsc 'who-wrote ((f32*)alloc_3)[3]' 'why ((f32*)alloc_4)[3] 3' 'goto-cycle 5' 'info launches'
	[ $status = 0 ] || fail "$what: status $status: $(cat got)"
	says '^\(\(f32\*\)alloc_3\)\[3\] was written by thread uid 4 at reasons.ptx:[0-9]+ \(vecadd.cu:9\) in cycle [0-9]+: 0 -> 3.5$'
	says '^\(\(f32\*\)alloc_4\)\[3\] = 3.5 from the host \(buffer alloc_4: copied from buffer alloc_3\)$'
	says '^  \(\(f32\*\)alloc_3\)\[3\] = 3.5 by thread uid 4 '
	says '^\*? +0 vecadd '
done

what='by path alone, another name'
CUDA_COREDUMP_FILE=my.%p.core WARPSTEP_ARGS='-m functional' LD_LIBRARY_PATH=$LIBRARIES ./control 3 fails >got 2>&1
[ "$(ls my.[0-9]*.core | wc -l)" = 1 ] || fail "$what: $(cat got)"
opened my.*.core bt reverse-stepi
says '^#0  vecadd'
says '^Stepped to '

what='not asked for'
rm -f core_* my.*
CUDA_ENABLE_COREDUMP_ON_EXCEPTION=0 timeout 60 "$WARPSTEP" -m functional --batch --args ./control 3 fails >got 2>&1
[ -z "$(ls core_* 2>/dev/null)" ] || fail "$what: $(ls)"

what='gcore, and the source is gone'
mkdir here && cp "$ROOT"/examples/01-saxpy/saxpy.* here
(cd here && timeout 60 "$WARPSTEP" -q --batch -m functional saxpy.ptx -ex 'buffer x f32[256] = iota' -ex 'buffer y f32[256] = fill 1' -ex 'buffer z f32[200] = zero' \
	-ex 'break saxpy.cu:12' -ex 'run saxpy<<<4, 64>>>(200, 2.0, x, y, z)' -ex 'gcore ../a.wsc') >got 2>&1
says '^Checkpoint \.\./a\.wsc: cycle '
rm -r here
opened a.wsc 'list saxpy.cu:12,12' delete continue
says '^12.*z\[i\] = a \* x\[i\] \+ y\[i\];'
says '^CUDA Exception: Warp Illegal Address'
[ $status = 3 ] || fail "$what: status $status"

command -v gdb >/dev/null || exit $bad
what='monitor gcore'
timeout 60 gdb -q -nx -batch -ex 'set print thread-events off' -ex "target remote | '$WARPSTEP' -m functional -q -g - --batch --args ./control 3 fails" \
	-ex continue -ex 'monitor gcore b.wsc' >got 2>&1 </dev/null
says '^Checkpoint b\.wsc: cycle '
opened b.wsc bt
says '^CUDA Exception: Warp '
exit $bad
