# What the dumps, fields, traces and diagrams of performance mode say agrees with each other and with what the machine does.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
bad=0
complain() { echo "$1"; bad=1; }
k=$ROOT/tests/golden/perf-dumps/chain.ptx
ws() { "$WARPSTEP" -m performance -c tiny -q --batch "$k" -ex 'buffer out u32[64] = iota' -ex 'launch chain<<<1, 64>>>(out)' "$@"; }
same() { # WHAT A B
	[ -n "$2" ] && [ "$2" = "$3" ] || complain "$1: $2 and $3"
}

# issues: as traced, as drawn, as counted, as the warp's own breakpoints see them
ws -ex 'trace ISSUE on' -ex 'continue' -ex 'print core[0].issued' >issue.out
same "issues traced and counted" "$(grep -c ' ISSUE: ' issue.out)" "$(sed -n 's/^\$1 = //p' issue.out)"
ws -ex 'continue' -ex diagram >diagram.out
same "issues traced and drawn" "$(grep -c ' ISSUE: ' issue.out)" "$(sed -n 's/ instructions in .*//p' diagram.out)"
same "symbols in the diagram" "$(grep '^wp' diagram.out | grep -o 'I[0-9]' | wc -l)" "$(grep -c ' ISSUE: ' issue.out)"
for pc in 0x18 0x58 0x70; do
	ws -ex "break *$pc warp 1" -ex continue -ex 'printf "cycle %d\n", $cycle' >break.out
	same "cycle of w01 at $pc" "$(grep "w01 0x0${pc#0x} " issue.out | cut -d' ' -f1)" "$(sed -n 's/^cycle //p' break.out)"
done

# a watched pc stops after each of the cycles in which the warp issues (nobody branches over something here), in order
commands=() n=$(grep -c 'w00 0x' issue.out)
for ((i = 0; i < n - 2; i++)); do commands+=(-ex continue); done
ws -ex 'run-to-cycle 10' -ex 'watch core[0].warp[0].pc' "${commands[@]}" | sed -n 's/^changed in cycle //p' >watched
grep 'w00 0x' issue.out | cut -d' ' -f1 | head -$((n - 2)) | cmp -s - watched || complain "a watched pc stops at other cycles than the issues"

# what is reserved is released; what enters the network leaves it; commands are counted
ws -ex 'trace SCOREBOARD,DRAM,ICNT on' -ex continue -ex 'printf "reads %d in %d out %d\n", partition[0].dram.reads, icnt.packets_in, icnt.packets_out' >trace.out
same "registers reserved and released" "$(grep -c ' reserved ' trace.out)" "$(grep -c ' released ' trace.out)"
same "DRAM reads" "$(grep -c ': READ row' trace.out)" "$(sed -n 's/^reads \([0-9]*\) .*/\1/p' trace.out)"
same "packets" "$(sed -n 's/.* in \([0-9]*\) out .*/\1/p' trace.out)" "$(sed -n 's/.* out \([0-9]*\)$/\1/p' trace.out)"
same "packets traced" "$(sed -n 's/.* ICNT: \([0-9]*\) packets entered.*/\1/p' trace.out | paste -sd+ | sed 's/^$/0/' | { read -r s; echo $((s)); })" \
	"$(sed -n 's/.* in \([0-9]*\) out .*/\1/p' trace.out)"

# the difference view turns the old dump into the new one, of a core and of a warp; looks at others in between are none at it
turns() { # WHAT: what dp is asked for
	ws -ex 'run-to-cycle 60' -ex "dp $1" >before
	ws -ex 'run-to-cycle 68' -ex "dp $1" >after
	ws -ex 'run-to-cycle 60' -ex "dp $1 unit warps" -ex 'run-to-cycle 68' -ex 'dp 0 warp 0' -ex "dp $1 --diff" | sed -n '/^core 0.*: from cycle/,$p' >diff.out
	for sign in - +; do
		file=$([ $sign = - ] && echo before || echo after)
		sed -n "s/^$sign //p" diff.out >signed
		[ -s signed ] || complain "dp $1 --diff: no line $sign"
		while IFS= read -r line; do
			grep -qxF -- "$line" "$file" || complain "dp $1 --diff: not in $file: $line"
		done <signed
	done
}
turns '0 warp 1'
grep -q '^core 0, warp 1: from cycle 60 to cycle 68$' diff.out || complain "the heading of a warp's difference: $(head -1 diff.out)"
grep '^[-+] ' diff.out | grep -q 'w00' && complain "another warp in a warp's difference"
turns 0

# nobody changes anything by looking
ws -ex continue -ex 'print $cycle' -ex 'stats' >plain.out
ws -ex 'diagram on' -ex 'trace all on' -ex 'watch partition[0].l2.misses' -ex continue -ex continue -ex continue -ex 'dp 0' -ex 'dm 0' -ex delete -ex continue \
	-ex 'print $cycle' -ex 'trace all off' -ex stats >looked.out 2>&1
same "cycles with and without looking" "$(sed -n 's/^\$1 = //p' plain.out)" "$(sed -n 's/^\$1 = //p' looked.out)"
diff <(grep '^gp' plain.out) <(grep '^gp' looked.out) >/dev/null || complain "statistics differ when somebody looks"

# nothing raw
ws -ex 'run-to-cycle 60' -ex 'dp 0' -ex 'dm 0 --tags' -ex dicnt >raw.out
grep -nE '18446744073709551615|4294967295|0xffffffffffffffff|0x7f[0-9a-f]{10}|\(nil\)|-nan' raw.out && complain "something raw in a dump"

# gdb on the simulator process itself: it calls nothing there and writes no register, since on processors with AMX gdb 13 can't
in_process() { timeout $((60 * ${SLOWNESS:-1})) gdb -q -nx -batch -iex 'set may-call-functions off' "$@" 2>&1 </dev/null; }
if ! command -v gdb >/dev/null; then
	echo "there is no gdb: the macros aren't tested"
else
	printf 'load %s\nbuffer out u32[64] = iota\nlaunch chain<<<1, 64>>>(out)\nrun-to-cycle 60\necho x\n' "$k" >process.ws
	own=('dp 0' 'dm 0' 'dicnt' 'ptxdis 0 24' 'ptxdis_func 0 3' 'ptx_tids2pcs 0,32,33 3 0' 'dp 0') macros=()
	for m in "${!own[@]}"; do
		macro=${own[m]//0,32,33/\{0,32,33\}}
		[ "$m" = 6 ] && macro='dpc 0'
		macros+=(-ex "echo \\n==== $m\\n" -ex "$macro")
		ws -ex 'run-to-cycle 60' -ex 'echo ====\n' -ex "${own[m]}" | sed '1,/^====$/d' >own.$m
	done
	says_all() { # WHERE OUTPUT: each macro says what the command says
		for m in "${!own[@]}"; do
			sed "1,/^==== $m\$/d; /^==== $((m + 1))\$/,\$d" "$2" | head -"$(wc -l <own.$m)" | cmp -s - own.$m ||
				complain "process.gdb, $1: ${own[m]}: $(sed "1,/^==== $m\$/d" "$2" | head -3)"
		done
	}

	# at a breakpoint; before the process and in a copy that crashes there is an error
	in_process -x "$ROOT/macros/process.gdb" -ex 'dp 0' -ex 'break command_echo' -ex run -ex 'dp 7' -ex 'set $at = $pc' "${macros[@]:0:24}" \
		-ex 'printf "moved %d\n", $pc != $at' -ex 'set var repl_request.in = 0' -ex 'dm 0' -ex 'echo \n==== 6\n' -ex 'dpc 0' -ex 'dp 0' \
		--args "$WARPSTEP" -m performance -c tiny -q --batch -x process.ws >process.out
	sed "1,/^==== 6\$/d" process.out >last
	if grep -q '^Breakpoint 1, command_echo' process.out; then
		unset 'own[6]'
		says_all "at a breakpoint" process.out
		own[6]='dp 0'
		[ "$(head -1 process.out)" = 'error: there is no process: `run` or `attach` first' ] || complain "process.gdb without a process: $(head -1 process.out)"
		grep -q '^error: there is no core 7, only 0$' process.out || complain "process.gdb doesn't say what is wrong"
		grep -qx 'moved 0' process.out || complain "a macro of process.gdb has moved the process"
		grep -q '^error: nothing can be shown from here' process.out || complain "process.gdb doesn't say why nothing can be shown"
		grep -q 'exited normally' last || complain "dpc of process.gdb doesn't go on: $(tail -3 last)"
	else
		echo "process.gdb isn't tested at breakpoints: gdb can't run a process here: $(grep -v '^\(Breakpoint\|error\)' process.out | head -1)"
	fi

	# in the prompt's read, and inside a run without end, where a gdb comes later and may not write a register
	attached() { # PID ARG...: gdb on that process
		local pid=$1
		shift
		in_process -iex 'set may-write-registers off' -x "$ROOT/macros/process.gdb" -ex "attach $pid" "$@"
	}
	wait_for() { # TEXT FILE
		for ((i = 0; i < 600; i++)); do grep -q "$1" "$2" 2>/dev/null && return; sleep 0.05; done
		complain "process.gdb: no $1 in $2"
	}
	mkfifo commands
	"$WARPSTEP" -m performance -c tiny -q -x process.ws <commands >prompt.out 2>&1 &
	pid=$!
	exec 8>commands
	wait_for x$ prompt.out
	attached $pid "${macros[@]:0:24}" -ex 'echo \n==== 6\n' -ex 'dp 0' >process.out
	printf 'print $cycle\nquit\n' >&8
	exec 8>&-
	wait $pid || complain "the process that gdb looked at ends with status $?"
	if grep -q '^ptrace: ' process.out; then
		echo "process.gdb isn't tested in a running process: $(grep '^ptrace: ' process.out)"
	else
		says_all "at the prompt" process.out
		grep -q '\$1 = 60$' prompt.out || complain "process.gdb has moved the machine: $(tail -1 prompt.out)"

		printf '.version 6.0\n.target sm_30\n.address_size 64\n.visible .entry forever(.param .u64 p)\n{\n\t.reg .u32 %%r;\nL:\tadd.u32 %%r, %%r, 1;\n\tbra L;\n}\n' >forever.ptx
		"$WARPSTEP" -m performance -c tiny -q --batch forever.ptx -ex 'launch forever<<<1, 64>>>(0)' -ex 'shell echo begun' -ex continue >run.out 2>&1 &
		pid=$!
		wait_for begun run.out
		attached $pid -ex 'echo \n==== 1\n' -ex 'dp 0' -ex 'echo \n==== 2\n' -ex 'dp 0' -ex 'echo \n==== 3\n' >process.out
		kill $pid || complain "the run that gdb looked at has ended: $(tail -2 run.out)"
		wait $pid
		sed '1,/^==== 1$/d; /^==== 2$/,$d' process.out >first
		sed '1,/^==== 2$/d; /^==== 3$/,$d' process.out >second
		grep -q '^shader 0 at cycle [0-9]* (64 threads running)$' first || complain "process.gdb in a run: $(head -3 first)"
		cmp -s first second || complain "process.gdb in a run: a second look shows another state"
	fi
	# every macro of gpgpusim.gdb, in a gdb on the server, says what the command itself says
	looks=('dp 0' 'dm 0' 'dicnt' 'ptxdis 0 24' 'ptxdis_func 0 3' 'ptx_tids2pcs 0,32,33 3 0')
	commands=() macros=()
	for look in "${looks[@]}"; do commands+=(-ex "$look") macros+=(-ex "$look"); done
	ws -ex 'run-to-cycle 60' -ex 'echo LOOK\n' "${commands[@]}" | sed '1,/^LOOK$/d' >want
	gdb -q -nx -batch -iex 'set style enabled off' -x "$ROOT/macros/gpgpusim.gdb" -ex "target remote | $WARPSTEP -g - -m performance -c tiny -q $k \
		-ex 'buffer out u32[64] = iota' -ex 'launch chain<<<1, 64>>>(out)' -ex 'run-to-cycle 60' 2>/dev/null" -ex 'echo LOOK\n' \
		"${macros[@]}" -ex 'dpc 0' -ex 'monitor print $cycle' -ex kill >macros.out 2>&1 </dev/null
	sed '1,/^LOOK$/d' macros.out | head -"$(wc -l <want)" | cmp -s - want || { complain "gpgpusim.gdb differs from the commands"; diff want <(sed '1,/^LOOK$/d' macros.out) | head; }
	same "dumps with dpc" "$(grep -c '^shader 0 at cycle' macros.out)" 2
	tail -3 macros.out | grep -q '^\$1 = 6[1-9]\|^\$1 = [7-9][0-9]\|^\$1 = [1-9][0-9][0-9]' || complain "dpc goes on: $(tail -3 macros.out)"
fi
exit $bad
