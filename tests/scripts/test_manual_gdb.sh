# gdb.md's three commands: nvcc makes the PTX (without nvcc: what it made), warpstep serves it, the real gdb prints the session shown.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }
page=$ROOT/docs/manual/gdb.md
cp "$ROOT/examples/01-saxpy/saxpy.cu" . || exit 1
mapfile -t commands < <(sed -n '/^## Three commands/,/^The first/s/^    //p' "$page")
case "${#commands[@]} ${commands[0]} ${commands[2]}" in
"3 nvcc "*" gdb "*) ;;
*) echo "gdb.md does not have its three commands: ${commands[*]}"; exit 1 ;;
esac
cp "$ROOT/tests/gdb/manual.ptx" saxpy.ptx
if command -v nvcc >/dev/null && eval "${commands[0]} -o made.ptx"; then mv made.ptx saxpy.ptx; fi

serve=${commands[1]/#warpstep -g :1234/exec '"$WARPSTEP"' --batch -g 127.0.0.1:0}
(eval "$serve") >out 2>err &
server=$!
trap 'kill $server 2>/dev/null' EXIT
for _ in $(seq 600); do
	port=$(sed -n 's/^Listening for gdb on 127.0.0.1:\([0-9]*\)$/\1/p' err)
	[ -n "$port" ] && break
	sleep 0.1
done
[ -n "$port" ] || { echo "nobody listens: $serve"; cat out err; exit 1; }

awk '/^<!-- gdb session/ { on = 1; next } /^<!-- end gdb/ { on = 0 } on && !/^```/' "$page" >want
[ "$(grep -c '^(gdb) ' want)" -ge 5 ] || { echo "gdb.md has no session"; exit 1; }
{ echo 'set trace-commands on'; sed -n 's/^(gdb) //p' want; } |
	HOME=/nonexistent timeout 100 gdb -q -nx -iex 'set pagination off' -iex 'set confirm off' -iex 'set width 0' -iex 'set style enabled off' \
		-iex 'set print thread-events off' -ex "target remote 127.0.0.1:$port" >gdb.out 2>&1
# where it was compiled in another folder gdb says the source's whole name
sed -E "s,$PWD/,,g; "'s/^(\(gdb\) )+\+?/(gdb) /; /^$/d; /^warning: File transfers/d' gdb.out | sed -n '/^(gdb) /,$p' | sed '/^(gdb) quit$/,$d' >got
diff -u --label gdb.md --label gdb want got
