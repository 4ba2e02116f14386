# Files that are something else than they should be: few lines, no blank ones.
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
bad() { echo "$1"; cat err; exit 1; }
# a name that there is not, here where no configs/ is beside: those that there are, and the one that was meant
for name in nope tinny; do
	"$WARPSTEP" --batch -c $name >out 2>err
	[ $? = 2 ] && [ "$(wc -l <err)" = 1 ] || bad "no config $name"
	for have in "$ROOT"/configs/*/gpgpusim.config; do
		grep -q "[ ,]$(basename "$(dirname "$have")")\(,\|\$\)" err || bad "$have isn't listed"
	done
	grep -q "did you mean 'tiny'?" err; [ $? = $([ $name = nope ]; echo $((1 - $?))) ] || bad "$name: tiny was meant, or wasn't"
done
"$WARPSTEP" --cofnig tiny >out 2>err
[ $? = 2 ] && grep -qx "error: unknown option '--cofnig'; did you mean '--config'?" err || bad "--cofnig"
seq -f 'word%g value' 1 50 >words
"$WARPSTEP" --batch -c words >out 2>err
[ $? = 2 ] || bad "a file that is no config"
[ "$(grep -c '^error: words:' err)" = 20 ] && [ "$(tail -1 err)" = 'error: 30 more errors' ] || bad "50 bad lines: 20 errors and the rest as a number"
: >empty.ptx
"$WARPSTEP" --batch empty.ptx >out 2>err
[ $? = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q '^error: empty.ptx:1:1: ' err || bad "an empty file has no line to show"
printf '   \n' >blank.ptx
"$WARPSTEP" --batch blank.ptx >out 2>err
[ $? = 1 ] && [ "$(wc -l <err)" = 1 ] || bad "a blank file has no line to show"
# what is no text at all says what it is, in one line
printf '\177ELF\2\1\1\0\n.version' >elf.ptx
printf '\377\376.\0v\0' >wide.ptx
cp "$ROOT/examples/01-saxpy/saxpy.cu" source.ptx
for f in elf wide source; do
	"$WARPSTEP" --batch $f.ptx >out 2>err
	[ $? = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q "^error: $f.ptx:1:1: this is .*PTX" err || bad "$f.ptx is no text"
done
"$WARPSTEP" --batch elf.ptx 2>&1 | grep -q 'warpstep --args' || bad "a program is debugged with --args"
"$WARPSTEP" --batch source.ptx 2>&1 | grep -q 'nvcc -ptx' || bad "PTX is made by nvcc"
# a coordinate that doesn't exist is a failed command all the same
"$WARPSTEP" --batch -ex 'launch vecadd<<<1, 4>>>(0, 0, 0, 0)' -ex 'cuda thread 9' -ex 'echo later' "$ROOT/tests/golden/contract/vecadd.ptx" >out 2>err
[ $? = 1 ] && ! grep -q later out && [ ! -s err ] && grep -qx 'Invalid coordinates requested. CUDA focus unchanged.' out || bad "cuda thread 9"
