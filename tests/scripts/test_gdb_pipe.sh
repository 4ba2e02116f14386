# warpstep behind gdb's pipe: gdb has its standard output for the protocol and its standard error to show. What a kernel prints is
# told once, and what the commands said is there before gdb's first stop. What they run reads nothing.
: "${WARPSTEP:?}" "${ROOT:?}"
status=0
bad() { echo "$*"; status=1; }
kernel="'$ROOT/tests/differential/printf.ptx' -ex 'launch formats<<<1, 1>>>(7, 8, 9, 1.5)'"
run_gdb() { # REDIRECTION
	timeout 100 gdb -q -nx -batch -iex 'set pagination off' -iex 'set confirm off' -iex 'set sysroot target:' \
		-ex "target remote | '$WARPSTEP' -m functional -g - $kernel $1" -ex 'echo gdb is there\n' -ex continue 2>&1
}
count() { grep -cF -- "$1" <<<"$2"; }

printed='7|-7|    7|7    |00007|+7|' # C's printf of the kernel's first format
got=$(run_gdb '')
[ "$(count "$printed" "$got")" = 1 ] || bad "printed $(count "$printed" "$got") times: $got"
before=$(sed '/gdb is there/,$d' <<<"$got")
[ "$(count 'Kernel 0 formats launched' "$before")" = 1 ] || bad "not told before gdb's first stop: $got"

# standard error that isn't gdb's has everything
got=$(run_gdb '2>err')
[ "$(count "$printed" "$got")" = 1 ] || bad "printed $(count "$printed" "$got") times beside a file: $got"
[ "$(count "$printed" "$(cat err)")" = 1 ] || bad "not in the file: $(cat err)"
# what the commands run doesn't take gdb's packets from it
got=$(timeout 100 gdb -q -nx -batch -iex 'set remotetimeout 20' -ex "target remote | '$WARPSTEP' -m functional -ex 'shell cat; echo cat has ended' -g - $kernel" 2>&1)
[ "$(count 'cat has ended' "$got")" = 1 ] || bad "a command took what gdb sends: $got"
[ "$(count 'formats (param_0=7' "$got")" = 1 ] || bad "gdb isn't there after a command: $got"

# with acknowledgements: the last one, to the answer to `detach`, still finds somebody
got=$(timeout 100 gdb -q -nx -batch -iex 'set remote noack-packet off' -ex "target remote | '$WARPSTEP' -m functional -g - $kernel" -ex detach 2>&1)
[ "$(count '(Remote target) detached' "$got")" = 1 ] || bad "detach with acknowledgements: $got"

# without standard input nobody could ever say anything
got=$(timeout 20 "$WARPSTEP" -g - <&- 2>&1 >/dev/null)
[ $? = 2 ] && [ "$(count 'not open' "$got")" = 1 ] || bad "no standard input: $got"

# PTX that came through a pipe: gdb has its text all the same, and doesn't wait for more at the pipe
mkfifo kernel.fifo
got=$(timeout 100 gdb -q -nx -batch -iex 'set auto-load off' -iex 'set confirm off' \
	-ex "target remote | cat '$ROOT/tests/gdb/lanes.ptx' >kernel.fifo & '$WARPSTEP' -q -m functional -g - kernel.fifo -ex 'buffer A u32[64] = zero' -ex 'launch lanes<<<1,32>>>(A, 5)'" \
	-ex 'list 47,47' -ex 'break 47' -ex continue 2>&1)
line=$(sed -n 47p "$ROOT/tests/gdb/lanes.ptx")
[ "$(count "47	$line" "$got")" = 3 ] || bad "PTX from a pipe: $got"
exit $status
