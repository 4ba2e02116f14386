# `help info SUBJECT` explains the table: every word of its heading is in it. `help info` of no subject lists them all.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
bad=0
complain() { echo "$*"; bad=1; }
for subject in cores scoreboard simt-stack occupancy warps; do
	"$WARPSTEP" -c tiny -q --batch -ex "load $ROOT/examples/01-saxpy/saxpy.ptx" -ex 'buffer x f32[256] = iota' -ex 'buffer y f32[256] = fill 1' \
		-ex 'buffer z f32[200] = zero' -ex 'launch saxpy<<<4, 64>>>(199, 2.0, x, y, z)' -ex 'step 150' -ex 'echo ----\n' -ex "info $subject" >out 2>&1
	heading=$(sed -n '/^----/,$p' out | grep -m1 -E '^  ? *(Core|Entry|Resource)')
	[ -n "$heading" ] || complain "$subject: no heading in $(cat out)"
	"$WARPSTEP" -q --batch -ex "help info $subject" >help 2>&1 || complain "$subject: $(cat help)"
	[ "$(head -c "$((7 + ${#subject}))" help)" = "  info $subject" ] || complain "$subject: $(head -1 help)"
	for word in $heading; do
		grep -qiF -- "$word" help || complain "info $subject: '$word' is not explained"
	done
done
"$WARPSTEP" -q --batch -ex 'help info buffers' >out && [ "$(wc -l <out)" = 1 ] || complain "buffers: $(cat out)"
"$WARPSTEP" -q --batch -ex 'help info nothing' | grep -q '^Subjects:$' || complain "no such subject"
exit $bad
