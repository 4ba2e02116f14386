# Random control flow (tests/flow): what the host computes thread by thread, warps compute in lock step.
[ -x "$WARPSTEP" ] || { echo "there is no program yet"; exit 77; }
bad=0
for f in deep debug warp; do
	$CC -x c -O1 -fwrapv -w -DSEED=7 "$ROOT/tests/flow/$f.cu" -o "$f" && "./$f" >"$f.bin" || exit 1
	"$WARPSTEP" -m functional --batch -ex "load $ROOT/tests/flow/$f.ptx" -ex 'buffer o s32[256]' -ex 'run k<<<2,128>>>(o, 7)' \
		-ex "compare o $f.bin" >log 2>&1 || { echo "$f:"; tail -5 log; bad=1; }
done
exit $bad
