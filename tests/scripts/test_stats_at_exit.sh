# set stats-at-exit on: the printout comes to standard error, once for each kernel, and is that of `stats` there.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
bad=0
complain() { echo "$*"; bad=1; }
for mode in performance functional; do
	run() { # COMMAND...
		"$WARPSTEP" -m $mode -q --batch "$ROOT/tests/golden/contract/vecadd.ptx" -ex 'buffer A f32[256] = iota' -ex 'buffer C f32[256] = zero' "$@"
	}
	run -ex 'launch vecadd<<<4, 64>>>(A, A, C, 250)' -ex 'launch vecadd<<<2, 64>>>(A, A, C, 100)' -ex 'set stats-at-exit on' \
		-ex 'continue' -ex 'set stats-at-exit off' >out 2>err || complain "$mode: $(cat err)"
	grep -q gpu_tot_sim_insn out && complain "$mode: statistics on standard output"
	[ "$(grep -c '^gpu_tot_sim_insn' err)" = 2 ] || complain "$mode: not twice: $(grep '^gpu_tot_sim_insn' err)"
	# the second is the whole of what `stats` prints afterwards
	run -ex 'launch vecadd<<<4, 64>>>(A, A, C, 250)' -ex 'launch vecadd<<<2, 64>>>(A, A, C, 100)' -ex 'continue' -ex 'echo ----\n' \
		-ex 'stats' 2>&1 | sed '1,/^----/d' >stats
	n=$(wc -l <stats)
	tail -n "$n" err | cmp -s - stats || complain "$mode: $(tail -n "$n" err | diff - stats | head -20)"
	run -ex 'run vecadd<<<4, 64>>>(A, A, C, 250)' 2>err >out
	[ -s err ] && complain "$mode: nobody asked: $(cat err)"
done
# of two that are queued each is printed by itself, as if it had been run alone, and as the report's `kernels` have it
for mode in performance functional; do
	both() { "$WARPSTEP" -m $mode -q --batch "$ROOT/tests/golden/contract/vecadd.ptx" -ex 'buffer A f32[256] = iota' -ex 'buffer C f32[256] = zero' -ex 'set stats-at-exit on' "$@" -ex 'stats --json stats.json' 2>err >out || complain "$mode: $(cat err)"; }
	both -ex 'run vecadd<<<4, 64>>>(A, A, C, 250)' -ex 'run vecadd<<<2, 64>>>(A, A, C, 100)'
	grep -E '^(kernel_|gpu_sim_|gpu_ipc|gpu_tot_sim|Packet latency average)' err >wanted
	both -ex 'launch vecadd<<<4, 64>>>(A, A, C, 250)' -ex 'launch vecadd<<<2, 64>>>(A, A, C, 100)' -ex continue
	grep -E '^(kernel_|gpu_sim_|gpu_ipc|gpu_tot_sim|Packet latency average)' err | diff wanted - >difference || complain "$mode, queued: $(cat difference)"
	[ "$(sed -n 's/^gpu_sim_insn = //p' err | tr '\n' ' ')" = "$(tr -d ' ,' <stats.json | sed -n '/"kernels"/,$p' | sed -n 's/^"gpu_sim_insn"://p' | tr '\n' ' ')" ] || complain "$mode: $(grep gpu_sim_insn err stats.json)"
done
[ "$(grep -c '^gpu_sim_insn' wanted)" = 2 ] || complain "nothing compared: $(cat wanted)"

# launches of several streams: whose they are, as GPGPU-Sim 4.x has it
"$WARPSTEP" -q --batch "$ROOT/tests/golden/contract/vecadd.ptx" -ex 'buffer A f32[256] = iota' -ex 'buffer C f32[256] = zero' -ex 'set stats-at-exit on' \
	-ex 'launch vecadd<<<4, 64>>>(A, A, C, 250)' -ex 'launch vecadd<<<2, 64, 0, 3>>>(A, A, C, 100)' -ex continue 2>err >out || complain "streams: $(cat err)"
[ "$(grep '^kernel_' err | tail -3)" = "kernel_name = vecadd vecadd $(printf '\nkernel_launch_uid = 1 2 \nkernel_stream_id = 0 3 ')" ] || complain "streams: $(grep '^kernel_' err)"
exit $bad
