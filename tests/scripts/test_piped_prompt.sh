# A program that talks to the prompt through pipes gets each answer before it sends the next command.
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
wait_for() { # LINE
	local line
	while read -r -t $((20 * SLOWNESS)) line <&"${W[0]}"; do
		[ "$line" = "$1" ] && return
	done
	echo "no '$1' within $((20 * SLOWNESS)) seconds"
	kill "$pid"
	exit 1
}
coproc W { exec "$WARPSTEP" -q -m functional "$ROOT/tests/golden/contract/vecadd.ptx" 2>&1; }
pid=$W_PID # bash forgets it when the program ends
send() { printf '%s\n' "$1" >&"${W[1]}"; }
send 'print 1 + 1'
wait_for '$1 = 2'
send 'print nosuch'
wait_for 'error: No symbol "nosuch" in current context.'
send 'buffer A f32[64] = iota'
send 'break 33'
wait_for 'Breakpoint 1 at 0x78: file vecadd.ptx, line 33.'
send 'run vecadd<<<1, 64>>>(A, A, A, 64)'
wait_for 'Breakpoint 1, thread uid 1 at vecadd.ptx:33'
send 'define two'
send 'print 2'
send 'end'
send 'two'
wait_for '$2 = 2'
send 'commands 1'
send 'silent'
send 'echo stopped\n'
send 'end'
send 'continue'
wait_for stopped
send 'quit'
wait "$pid"
