# `info stalls` counts what the statistics count, with every scheduler: per scheduler cycles = issued + W0_Idle + W0_Scoreboard + Stall; its sums are
# the statistics'; what reasons add up to is what was lost, and what the warps have issued and their instructions are the schedulers'. Counting changes nothing.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
bad=0

# NAME WARPS ARGUMENTS... : a session that ends with info stalls, each warp's, and the statistics; with a focus it is each of $cores'
check() {
	local name=$1 n=$2 k c warps=()
	shift 2
	for ((k = 0; k < n; k++)); do
		[ -n "$cores" ] || warps+=(-ex "info stalls warp $k")
		for ((c = 0; c < ${cores:-0}; c++)); do warps+=(-ex "info stalls warp $k core $c"); done
	done
	"$WARPSTEP" -m performance -q --batch "$@" -ex stats >plain 2>&1 || { echo "$name:"; tail -3 plain; bad=1; }
	"$WARPSTEP" -m performance -q --batch -ex 'set stalls on' "$@" -ex stats >counted 2>&1
	cmp plain counted || { echo "$name: counting changes the run"; bad=1; }
	"$WARPSTEP" -m performance -q --batch -ex 'set width 0' -ex 'set stalls on' "$@" -ex 'echo table\n' -ex 'info stalls' \
		-ex 'echo warps\n' "${warps[@]}" -ex 'echo statistics\n' -ex stats >log 2>&1
	awk -v name="$name" '
		function wrong(s) { print name ": " s; failed = 1 }
		/^(table|warps|statistics)$/ { part = $1; next }
		part == "table" && /^ *([0-9]+ +[0-9]+|others|all) +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+$/ {
			if ($(NF-4) != $(NF-3) + $(NF-2) + $(NF-1) + $NF) wrong("row: " $0)
			if ($1 == "all") { for (i = 1; i <= 4; i++) all[i] = $(NF-4+i) }
			else for (i = 1; i <= 4; i++) sum[i] += $(NF-4+i)
		}
		part == "table" && is_reason() { reasons += $1 }
		part == "warps" && /^warp [0-9]+ of core/ {
			finish(); gsub(/[(]/, ""); issued = $11; insns += $13; lost = $(NF-1); all_issued += issued; seen = 1
			if ($6 != issued + lost) wrong($0)
		}
		function is_reason() { return substr($0, 1, 10) ~ /[0-9]  $/ && substr($0, 11, 1) ~ /[a-z]/ }
		function finish() { if (seen && of_reasons != lost) wrong("reasons of a warp: " of_reasons " of " lost); of_reasons = 0; seen = 0 }
		part == "warps" && is_reason() { of_reasons += $1 }
		part == "statistics" && /^Stall:/ {
			finish()
			for (k = 1; k <= NF; k++) { split($k, a, ":"); v[a[1]] = a[2]; if (a[1] ~ /^W[1-9]/) executed += a[2] }
			any = 1
		}
		END {
			for (i = 1; i <= 4; i++) if (sum[i] != all[i]) wrong("sum of column " i ": " sum[i] " of " all[i])
			if (!any || !all[1]) wrong("nothing was counted")
			if (all[2] != v["W0_Idle"] || all[3] != v["W0_Scoreboard"] || all[4] != v["Stall"]) wrong("not as the statistics")
			if (reasons != all[2] + all[3] + all[4]) wrong("reasons: " reasons " of " all[2] + all[3] + all[4])
			if (all_issued != all[1]) wrong("warps issued " all_issued " of " all[1])
			if (insns != executed) wrong("instructions: " insns " of " executed)
			exit failed
		}' log || bad=1
}

e=$ROOT/examples
saxpy=(-ex "load $e/01-saxpy/saxpy.ptx" -ex 'buffer x f32[2048] = iota' -ex 'buffer y f32[2048] = fill 1' -ex 'buffer z f32[2048] = zero'
	-ex 'run saxpy<<<8, 256>>>(2047, 2.0, x, y, z)' -ex 'run saxpy<<<8, 256>>>(2047, 2.0, x, y, z)')
histogram=(-ex "load $e/04-histogram/histogram.ptx" -ex 'buffer data u8[1024] = iota 0 5' -ex 'buffer bins u32[128] = zero'
	-ex 'run histogram<<<4, 128>>>(1024, data, bins)')
for s in lrr gto two_level_active:6:0:1 warp_limiting:2:4 tl:4 rrr old lowest furthest_ahead furthest_behind; do
	check "$s" 48 -o "-gpgpu_scheduler $s" "${saxpy[@]}"
	check "$s" 48 -o "-gpgpu_scheduler $s" "${histogram[@]}"
done
for c in duo:8 fermi-c2050:48 gt200-quadrofx5800:32 v42-gtx480:48; do
	check "$c" "${c#*:}" -c "${c%:*}" "${histogram[@]}"
done
# stops on the way: inside a cycle, behind one, when cores have slept
check stops 48 "${histogram[@]/#run /launch }" -ex 'stepi 7' -ex 'run-to-cycle 301' -ex 'why warp 0' -ex 'stepi' -ex continue

# benchmark kernels, cut off in the middle
kernels=(-ex "load $ROOT/bench/kernels.ptx" -ex 'buffer A f32[65536] = fill 0.5' -ex 'buffer B f32[65536] = fill 2' -ex 'buffer C f32[65536]'
	-ex 'buffer D u8[65536] = iota 0 1' -ex 'buffer H u32[256] = zero')
while read -r config n cores cycle launch; do
	check "$config $launch" $n -c "$config" "${kernels[@]}" -ex "launch $launch" -ex "run-to-cycle $cycle"
done <<'END'
duo 8 2 1777 vecadd<<<512, 128>>>(C, A, B, 65536)
duo 8 2 4001 histogram<<<64, 128>>>(H, D, 65536)
fermi-gtx480 48 15 1777 mm_tiled<<<(16,16), (16,16)>>>(C, A, B, 256)
v42-gtx480 48 15 4001 histogram<<<64, 128>>>(H, D, 65536)
gt200-quadrofx5800 32 30 500 reduce<<<64, 128>>>(C, A, 65536)
END
exit $bad
