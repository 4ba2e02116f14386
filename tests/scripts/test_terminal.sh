# At a terminal, with either editing library: completion, editing, history kept in a file, Ctrl-C during a run, the demo.
[ -x "$BUILD/warpstep" ] || { echo "there is no program"; exit 77; }
command -v script >/dev/null || { echo "the command script (bsdutils) is not installed"; exit 77; }
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "no pseudo-terminals here"; exit 77; }
export HOME=$PWD TERM=vt100
cp "$ROOT"/examples/01-saxpy/saxpy.* . || exit 1
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
pause=0.3
[ "$SLOWNESS" = 1 ] || pause=1

keys() { # each argument is typed, then a moment passes
	local k
	sleep $pause
	for k; do
		printf '%b' "$k"
		sleep $pause
	done
}
expect() { # PATTERN WHAT
	tr -d '\r' <out | grep -qE -e "$1" || { echo "$program: $2: no line with $1"; cat -v out; bad=1; }
}

bad=0
for program in "$BUILD/warpstep" "$BUILD/warpstep-readline"; do
	[ -x "$program" ] || continue
	rm -f .warpstep_history
	# a word completed by tab, a mistake taken back with backspace, a command recalled with cursor up
	keys 'load saxpy.p\t\n' 'print 40+3\b2\n' 'info functions\n' 'print 1000+\033[A\033[A\n' 'q\n' |
		timeout 30 script -qec "$program -q" /dev/null >out 2>&1
	expect '[$]1 = 42$' 'backspace'
	expect '[$]2 = 42$' 'recalling a command'
	expect 'saxpy[(]|saxpy$' 'completing a file name'
	grep -q 'print.*40+2' .warpstep_history || { echo "$program: no history in the file"; bad=1; }
	keys 'run count<<<1, 32>>>(100000000000)\n' '\003' 'print 6*7\n' 'q\n' 'y\n' |
		timeout 30 script -qec "$program -q long.ptx" /dev/null >out 2>&1
	expect 'Interrupted' 'Ctrl-C in a run'
	expect '[$]1 = 42$' 'the prompt after Ctrl-C'
done
exit $bad
