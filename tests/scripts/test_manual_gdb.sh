# gdb.md's sessions: the real gdb prints what is shown. The first is of the page's three commands: nvcc makes the PTX (without nvcc: what it made),
# warpstep serves it. `<!-- gdb session: FOLDER OPTION... -->` is of warpstep with these options in that folder, as in tests/lib/sessions.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }
. "$ROOT/tests/lib/sessions"
page=$ROOT/docs/manual/gdb.md
cp "$ROOT/examples/01-saxpy/saxpy.cu" . || exit 1
mapfile -t commands < <(awk '/^## Three commands/ { on = 1 } /^<!-- / { on = 0 } on && /^```/ { code = !code; next } on && code' "$page")
case "${#commands[@]} ${commands[0]} ${commands[2]}" in
"3 nvcc "*" gdb "*) ;;
*) echo "gdb.md does not have its three commands: ${commands[*]}"; exit 1 ;;
esac
cp "$ROOT/tests/gdb/manual.ptx" saxpy.ptx
if command -v nvcc >/dev/null && eval "${commands[0]} -o made.ptx"; then mv made.ptx saxpy.ptx; fi

server=
trap 'kill $server 2>/dev/null' EXIT
# COMMAND: starts a warpstep, `exec ... -g 127.0.0.1:0`, and waits until it listens
serve() {
	: >err
	(eval "$1") >out 2>err &
	server=$!
	for _ in $(seq 600); do
		port=$(sed -n 's/^Listening for gdb on 127.0.0.1:\([0-9]*\)$/\1/p' err)
		[ -n "$port" ] && return
		sleep 0.1
	done
	echo "nobody listens: $1"
	cat out err
	exit 1
}

# WANT: gdb's session with the server prints this; of sources gdb says the whole name, and of a command backwards also the one forwards;
# its numbers of threads depend on when it looked
session() {
	{ echo 'set trace-commands on'; sed -n 's/^(gdb) //p' "$1"; } |
		HOME=/nonexistent timeout 100 gdb -q -nx -iex 'set pagination off' -iex 'set confirm off' -iex 'set width 0' -iex 'set style enabled off' \
			-iex 'set print thread-events off' -ex "target remote 127.0.0.1:$port" >gdb.out 2>&1
	sed -E "s,$PWD/,,g; s,$folder/,,g; "'/^\+[a-z]+ $/d; s/^(\(gdb\) )+\+?/(gdb) /; /^$/d; /^warning: File transfers/d; /^Reading .* from remote target/d; s/process [0-9]+/process N/; s/^Thread [0-9]+ /Thread N /' gdb.out |
		sed -n '/^(gdb) /,$p' | sed '/^(gdb) quit$/,$d' >got
	sed -E 's/process [0-9]+/process N/; s/^Thread [0-9]+ /Thread N /' "$1" | diff -u --label gdb.md --label gdb - got || bad=1
	kill "$server" 2>/dev/null
	wait "$server" 2>/dev/null
}

bad=0
folder=$PWD
awk '/^<!-- gdb session/ { on = 1; n++; sub(/^<!-- gdb session:? */, ""); sub(/ *-->$/, ""); print >"from-" n; next }
	/^<!-- end gdb/ { on = 0 } on && !/^```/ { print >"want-" n }' "$page"
[ "$(cat want-* | grep -c '^(gdb) ')" -ge 10 ] || { echo "gdb.md has no sessions"; exit 1; }
for n in $(seq "$(find . -name 'want-*' | wc -l)"); do
	eval "set -- $(cat "from-$n")"
	if [ $# = 0 ]; then
		serve "${commands[1]/#warpstep -g :1234/exec '"$WARPSTEP"' --batch -g 127.0.0.1:0}"
		session "want-$n"
		continue
	fi
	folder=$ROOT/$1 program=()
	shift
	if [ "$1" = --args ]; then
		(cd "$folder" && build_example . "$2" "$OLDPWD/$2") || exit 1
		program=(--args "$PWD/$2")
		shift 2
	fi
	options=$(printf ' %q' "$@" "${program[@]}")
	serve "cd '$folder' && exec '$WARPSTEP' --batch -g 127.0.0.1:0 ${options# \'\'}"
	session "want-$n"
done
exit $bad
