# Every fuzz target over its committed corpus, without a fuzzer: the targets compile, and what was found once stays mended. What programs write to the
# channel is changed a little, too, the same each time.
bad=0 any=0
for target in "$BUILD"/fuzz_*; do
	[ -x "$target" ] || continue
	any=1
	name=${target##*/fuzz_}
	mutate=0
	[ $name = channel ] && mutate=20
	[ $name = checkpoint_state ] && mutate=16
	timeout 300 "$target" -mutate=$mutate "$ROOT/tests/fuzz/corpus/$name" >out 2>&1 || { echo "fuzz_$name:"; tail -n 20 out; bad=1; }
done
[ $any = 1 ] || { echo "the fuzz targets are not built (make fuzzers)"; exit 77; }
exit $bad
