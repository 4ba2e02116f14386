#!/bin/bash
# What kernels read through textures, against a model written from CUDA's guide, and write through surfaces: both modes, watched and not. A surface is not written
# outside of it: the program gets error 700, and the reason names surface and coordinates.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
build_shared texture_reads 12
for mode in functional performance; do
	for seed in 1 2 3; do
		got=$("$WARPSTEP" -m $mode --batch --args "$DIR/texture_reads-12" $seed 2>"$DIR/err") || fail "$mode, seed $seed: status $?: $(cat "$DIR/err")"
		[ "$got" = PASSED ] || fail "$mode, seed $seed: $got"
	done
	got=$("$WARPSTEP" -m $mode --batch --check all --args "$DIR/texture_reads-12" 2>"$DIR/err") || fail "$mode, checked: status $?: $(cat "$DIR/err")"
	[ "$got" = PASSED ] || fail "$mode, checked: $got"
	[ "$("$WARPSTEP" -m $mode --batch --args "$DIR/texture_reads-12" beyond 2>"$DIR/err")" = 700 ] || fail "$mode, beyond: $(cat "$DIR/err")"
	grep -q '^Invalid surface write in thread (0,0,0) in block (0,0,0), uid 1, at texture_reads-12.ptx:' "$DIR/err" || fail "$mode, beyond: $(cat "$DIR/err")"
	grep -q '^outside of the surface: (64, 2) (x in bytes); it has 16 x 3 texels of 4 bytes; lanes 0x00000001' "$DIR/err" || fail "$mode, beyond: $(cat "$DIR/err")"
done
exit $bad
