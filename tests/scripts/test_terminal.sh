# At a terminal, with either editing library: completion, editing, history kept in a file, Ctrl-C during a run, between the runs of a
# breakpoint's commands, in a block, at the pager and in the making of a buffer; empty lines; colour.
[ -x "$BUILD/warpstep" ] || { echo "there is no program"; exit 77; }
command -v script >/dev/null || { echo "the command script (bsdutils) is not installed"; exit 77; }
. "$ROOT/tests/lib/terminal"
export HOME=$PWD TERM=vt100
unset NO_COLOR
cp "$ROOT"/examples/01-saxpy/saxpy.* "$ROOT"/tests/golden/source/variables.* . || exit 1
cat >long.ptx <<'PTX'
.version 7.0
.target sm_70
.address_size 64
.visible .entry count(.param .u64 n)
{
	.reg .u64 %rd<3>;
	.reg .pred %p<2>;
	ld.param.u64 %rd1, [n];
	mov.u64 %rd2, 0;
again:
	add.u64 %rd2, %rd2, 1;
	setp.lt.u64 %p1, %rd2, %rd1;
	@%p1 bra again;
	ret;
}
PTX
shows() { # PATTERN TENTHS: waits so long at most for it to be on the screen
	local i
	for ((i = 0; i < $2; i++)); do
		tr -d '\r' <out 2>/dev/null | grep -qE -e "$1" && return
		sleep 0.1
	done
	return 1
}
keys() { printf '%b' "$1"; } # types them
# how often a line of it is on the screen
shown() { tr -d '\r' <out | grep -cE -e "$1"; } # PATTERN
at_terminal() { # TYPIST WORD...: the program's screen is in `out`
	rm -f out
	: >out
	"$1" | timeout 100 script -qfec "$program -q ${*:2}" /dev/null >out 2>&1
}
expect() { # PATTERN WHAT
	tr -d '\r' <out | grep -qE -e "$1" || { echo "$program: $2: no line with $1"; cat -v out; bad=1; }
}

# a word completed by tab, a mistake taken back with backspace, a command recalled with cursor up
editing() {
	shows '[(]warpstep[)] ' 200
	keys 'load saxpy.p\t'
	shows 'saxpy[.]p.*tx ' 200
	keys '\nprint 40+3\b2\n'
	shows '[$]1 = 42$' 200
	keys 'info functions\n'
	shows 'saxpy[(]|saxpy$' 200
	keys 'print 1000+\033[A\033[A\n'
	shows '[$]2 = ' 200
	keys 'q\n'
}
# names of C variables and of members, before . and ->
members() {
	shows '[(]warpstep[)] ' 200
	keys 'buffer results s32[4]\nbreak variables.cu:142\nrun kinds<<<1,4>>>(results, 7, {s32 3, s32 4}, 1.5)\n'
	shows 'Breakpoint 1, ' 200
	keys 'print shared_p\t.y\n'
	shows '[$]1 = ' 200
	keys 'print head->ne\t->v\n'
	shows '[$]2 = ' 200
	keys 'print ne.nam\t.in\n'
	shows '[$]3 = ' 200
	keys 'q\ny\n'
}
# a Ctrl-C that comes before the program has read the line only drops that, so both are typed until it is seen to have worked
back_at_the_prompt() { # COMMAND PATTERN
	local i
	for ((i = 0; i < 20; i++)); do
		keys "$1\n"
		shows "$2" 20 && break
		keys '\003'
	done
}
interrupting() {
	local i
	shows '[(]warpstep[)] ' 200
	keys 'launch count<<<1, 32>>>(100000000000)\n'
	shows 'kernel 0 count' 200
	for ((i = 0; i < 20; i++)); do
		keys 'continue\n'
		sleep 0.5
		keys '\003'
		shows 'Interrupted' 20 && break
	done
	back_at_the_prompt 'print 6*7' '[$]1 = 42$'
	keys 'q\ny\n'
}

# each time the prompt is back soon, and nothing of what was dropped is carried out later
dropping() {
	local i
	shows '[(]warpstep[)] ' 200
	keys 'define half\n'
	shows '>$' 200
	keys 'print 1111\n'
	shows '>print 1111' 100
	for ((i = 0; i < 20; i++)); do
		sleep 0.3
		keys '\003'
		shows interrupted 10 && break
	done
	keys 'print 6*7\n'
	shows '[$]1 = 42$' 100
	for ((i = 0; i < 20 && $(shown interrupted) < 2; i++)); do # how long it takes is the machine's matter
		keys 'buffer b u64[100000000] = random 1\n'
		sleep 0.$((i % 5 + 1))
		keys '\003'
		sleep 1
	done
	keys 'buffer c u32[100000] = zero\nx/90000xb c\n'
	shows 'Type <RET>' 200
	keys '\003'
	sleep 1
	back_at_the_prompt 'print 6*8' '= 48$'
	keys 'b again\ncommands\nsilent\ncontinue\nend\nrun count<<<1, 32>>>(100000000000)\n'
	sleep 1
	keys '\003'
	sleep 1
	back_at_the_prompt 'print 6*9' '= 54$'
	keys 'q\ny\n'
}

# an empty line goes on with a listing and repeats print; a Ctrl-C in its place does not go on
repeating() {
	shows '[(]warpstep[)] ' 200
	keys 'list 1\n'
	shows '^10\b' 100
	keys '\n'
	shows '^20\b' 100
	keys '\003'
	sleep 0.5
	keys 'print 5\n\nprint 6\n'
	shows '[$]3 = 6$' 100
	keys 'q\n'
}

# colour, and the pager, until they are switched off
plain() {
	shows '[(]warpstep[)] ' 200
	keys 'print nosuch\nset color off\nprint nowhere\nset height 0\ninfo config\nprint 6*7\n'
	shows '[$]1 = 42$' 200
	keys 'q\n'
}
colourless() {
	shows '[(]warpstep[)] ' 200
	keys 'print nosuch\nprint 6*7\n'
	shows '[$]1 = 42$' 200
	keys 'q\n'
}
red=$(printf '\033[31merror:')

bad=0
for program in "$BUILD/warpstep" "$BUILD/warpstep-readline"; do
	[ -x "$program" ] || continue
	rm -f .warpstep_history
	at_terminal editing
	expect '[$]1 = 42$' 'backspace'
	expect '[$]2 = 42$' 'recalling a command'
	expect 'saxpy[(]|saxpy$' 'completing a file name'
	grep -q 'print.*40+2' .warpstep_history || { echo "$program: no history in the file"; bad=1; }
	at_terminal members variables.ptx
	expect '[$]1 = 2$' 'completing a variable of the source'
	expect '[$]2 = 1$' 'completing a member behind ->'
	expect '[$]3 = 3$' 'completing a member behind a dot'
	at_terminal interrupting long.ptx
	expect 'Interrupted' 'Ctrl-C in a run'
	expect '[$]1 = 42$' 'the prompt after Ctrl-C'
	at_terminal dropping long.ptx
	cp out dropped
	expect '[$]1 = 42$' 'Ctrl-C in a block'
	expect '= 48$' 'Ctrl-C at the pager'
	expect '= 54$' "Ctrl-C between the runs of a breakpoint's commands"
	at_terminal repeating saxpy.ptx
	expect '^20\b' 'an empty line behind list'
	expect '[$]2 = 5$' 'an empty line behind print'
	expect '[$]3 = 6$' 'a command behind an empty line'
	tr -d '\r' <out | grep -qE '^21\b' && { echo "$program: Ctrl-C at an empty line lists on"; cat -v out; bad=1; }
	at_terminal plain
	[ "$(grep -cF "$red" out)" = 1 ] || { echo "$program: not one error in colour, the other plain"; cat -v out; bad=1; }
	grep -q 'Type <RET>' out && { echo "$program: a pager after set height 0"; bad=1; }
	TERM=dumb at_terminal colourless
	grep -qF "$red" out && { echo "$program: colour on a dumb terminal"; bad=1; }
	NO_COLOR=1 at_terminal colourless
	grep -qF "$red" out && { echo "$program: colour with NO_COLOR"; bad=1; }
	expect '[$]1 = 42$' 'without colour'
	[ "$(grep -c interrupted dropped)" -ge 2 ] || { echo "$program: Ctrl-C while a buffer is filled"; cat -v dropped; bad=1; }
done
exit $bad
