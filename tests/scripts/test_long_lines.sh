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
