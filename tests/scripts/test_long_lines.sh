# Very long expressions are refused with one line, whatever makes them long; blocks without their end too.
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
many() { head -c "$1" /dev/zero | sed "s/\x00/$2/g"; }
refused() { # FILE
	"$WARPSTEP" --batch -x "$1" >out 2>err
	[ $? = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q '^error: ' err || { echo "$1:"; cat out err | head -c 500; exit 1; }
}
{ printf 'p '; many 100000 '1+'; echo 1; } >sum.ws
{ printf 'p 1'; many 100000 '[0]'; echo; } >index.ws
{ printf 'p '; many 100000 '('; echo 1; } >nest.ws
{ printf 'p '; many 100000 '-'; echo 1; } >minus.ws
printf 'define x\np 1\n' >define.ws
printf 'if 1\np 1\n' >if.ws
printf 'while 1\nif 2\nend\n' >while.ws
for f in *.ws; do refused "$f"; done
{ printf 'p '; many 1000 '1+'; echo 1; } >fine.ws
[ "$("$WARPSTEP" --batch -x fine.ws)" = '$1 = 1001' ] || { echo "a sum of 1001 ones is refused"; exit 1; }
# however many commands the command line has, a block's lines are those that follow
set --
for ((i = 0; i < 1022; i++)); do set -- "$@" -ex 'print 1'; done
[ "$("$WARPSTEP" --batch "$@" -ex 'define d' -ex 'print 2' -ex 'print 3' -ex end -ex d | tail -1)" = '$1024 = 3' ] ||
	{ echo "a block behind 1022 commands"; exit 1; }
# an unmatched bracket among the arguments of a launch must end the command, not loop
timeout 60 "$WARPSTEP" --batch -ex 'launch vecadd<<<2, 64>>>({f32 1.0}, & s3])' "$ROOT/tests/golden/contract/vecadd.ptx" >out 2>err
[ $? = 1 ] && grep -q '^error: ' err || { echo "unmatched bracket:"; cat out err; exit 1; }
# a line of 50 MB, with a comment and with an instruction: stops, listings and gdb show its first 500 columns
lines() { # BEFORE C AFTER: a kernel; line 6 has 50 MB of C between BEFORE and AFTER
	printf '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() {\n .reg .u32 %%r<3>;\n'
	printf '%s' "$1"
	head -c 50000000 /dev/zero | tr '\0' "$2"
	printf '%s\n ret;\n}\n' "$3"
}
lines ' /*' x '*/ mov.u32 %r1, %tid.x;' >comment.ptx
lines ' mov.u32 %r1,' ' ' '%tid.x;' >blanks.ptx
shows=(-ex 'break 6' -ex 'run k<<<1,1>>>()' -ex 'list 1,8' -ex 'disassemble /s k' -ex 'x/2i $pc' -ex 'search mov' -ex 'stepi')
for f in comment blanks; do
	timeout 100 "$WARPSTEP" -q --batch -m functional $f.ptx "${shows[@]}" >out 2>err
	grep -q '^Breakpoint 1, thread uid 1 at' out || { echo "$f: no stop: $(head -c 300 out) $(head -c 300 err)"; exit 1; }
	longest=$(wc -L <out)
	[ "$longest" -lt 600 ] || { echo "$f: a line of $longest columns is shown"; exit 1; }
	[ "$longest" -gt 500 ] || { echo "$f: only $longest columns are shown"; exit 1; }
done
if command -v gdb >/dev/null; then
	timeout 100 gdb -q -nx -batch -iex 'set confirm off' -iex 'set remotetimeout 60' \
		-ex "target remote | $WARPSTEP -g - -m functional comment.ptx -ex 'launch k<<<1,1>>>()'" -ex 'break 6' -ex continue -ex 'list 6,7' -ex 'x/2i $pc' >out 2>&1
	grep -q 'Breakpoint 1, k' out || { echo "gdb doesn't stop: $(head -c 600 out)"; exit 1; }
	[ "$(wc -L <out)" -lt 700 ] || { echo "gdb: a line of $(wc -L <out) columns"; exit 1; }
	grep -q '^7.*ret;' out || { echo "gdb: another source: $(head -c 2000 out)"; exit 1; }
fi
