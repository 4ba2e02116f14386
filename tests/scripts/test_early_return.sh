# Early returns in front of barriers (tests/flow/returns.cu): what the host computes thread by thread, in both modes, for targets whose lanes
# arrive one by one and older ones.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
bad=0
$CC -x c -O1 -fwrapv -w "$ROOT/tests/flow/returns.cu" -o returns && mkdir out && ./returns out >session.ws || exit 1
[ "$(grep -c '^compare' session.ws)" = 20 ] || { echo "$(wc -l <session.ws) lines"; exit 1; }
sed 's/^\.target sm_75/.target sm_60/' "$ROOT/tests/flow/returns.ptx" >older.ptx
for mode in functional performance; do
	for file in "$ROOT/tests/flow/returns.ptx" older.ptx; do
		"$WARPSTEP" -m $mode -q --batch -ex "load $file" -x session.ws >log 2>&1 || { echo "$mode $file:"; tail -5 log; bad=1; }
	done
done
exit $bad
