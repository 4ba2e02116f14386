# The command line: every spelling of an option, and bad usage: status 2, one line on standard error, no command run.
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
cp "$ROOT/tests/golden/contract/vecadd.ptx" vecadd.ptx
echo 'echo from file' >go.ws
bad() { echo "$1"; cat out err; exit 1; }
gives() { # TEXT ARGUMENT...: the program works and prints just the text
	local text=$1; shift
	"$WARPSTEP" "$@" >out 2>err </dev/null || bad "failed: $*"
	[ "$(cat out)" = "$text" ] && [ ! -s err ] || bad "should have given '$text': $*"
}
refused() { # TEXT ARGUMENT...: bad usage, told with the text
	local text=$1; shift
	"$WARPSTEP" "$@" >out 2>err </dev/null
	[ $? = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "$text" err || bad "should have been refused with '$text': $*"
}

# long names with two dashes or, as gdb has them, with one; values as the next word or behind =
for dash in - --; do
	gives 'one' ${dash}batch ${dash}ex 'echo one'
	gives 'one' ${dash}batch ${dash}eval-command 'echo one'
	gives 'one' ${dash}batch "${dash}eval-command=echo one"
	gives 'from file' ${dash}batch ${dash}command go.ws
	gives 'from file' ${dash}quiet ${dash}batch ${dash}command=go.ws ${dash}mode functional vecadd.ptx
	gives "$("$WARPSTEP" --version)" ${dash}version
	gives "$("$WARPSTEP" -h)" ${dash}help
done
gives 'one' -q --batch -m performance -c fermi-gtx480 -o '-gpgpu_max_cycle 9' -ex 'echo one'
# in the order given, and what doesn't begin with a dash is the file, also behind --
gives 'onefrom filetwo' --batch -ex 'echo one' -x go.ws vecadd.ptx -ex 'echo two'
gives 'one' --batch -ex 'echo one' -- vecadd.ptx

refused "unknown option '--bach'" --bach
refused "unknown option '-b'" -b
refused "unknown option '--c'" --c fermi-gtx480
refused "unknown option '--batched'" --batched
refused "unknown option '---batch'" ---batch
refused "option takes no value: '--batch=1'" --batch=1
refused "option needs a value: '-x'" --batch -x
refused "option needs a value: '--mode'" --batch --mode
refused "fast" --batch -m fast -ex 'echo one'
refused "v9" --batch --isa v9 -ex 'echo one'
refused "more than one file: unexpected 'b.ptx'" --batch vecadd.ptx b.ptx
refused "a program and its arguments come after --args: unexpected '64'" --batch ./app 64
refused "bad file name ''" --batch ''
