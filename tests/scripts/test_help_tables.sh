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
# `help set NAME`: those that begin so, and texts that could be taken for each other name each other
help() { "$WARPSTEP" -q --batch -ex "help $*"; }
help set check-race >out && [ "$(wc -l <out)" = 1 ] || complain "set check-race: $(cat out)"
help set nothing | grep -q '^Settings:$' || complain "no such setting"
help set history | grep '^  history  ' | grep -q history-save || complain "set history doesn't name history-save"
help show history-save | grep -q 'set history' || complain "history-save doesn't name set history"
help set check-action | grep -q -e --report || complain "check-action doesn't name --report"
"$WARPSTEP" --help | grep -e '--report FILE' | grep -q check-action || complain "--report doesn't name check-action"
exit $bad
