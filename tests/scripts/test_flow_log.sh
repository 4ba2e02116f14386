# What is written while a kernel runs, against GPGPU-Sim 3.2.2's recorded output: the samples for AerialVision, and the control-flow logger
# (-gpgpu_cflog_interval).
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
here=$ROOT/tests/gpgpusim/v322
bad=0
complain() { echo "$*"; bad=1; }
run() { # CONFIG FILE GRID BLOCK ARGUMENTS...
	local config=$1 file=$2 grid=$3 block=$4
	shift 4
	"$WARPSTEP" -m performance -c "$config" -q --batch -o '-gpgpu_kernel_registers k:16' -o '?-gpgpu_heap_guard 0' "$@" -ex "load $here/$file" \
		-ex 'buffer p b8[1048576] = zero' -ex "run k<<<$grid, $block>>>(p)" -ex stats
}

# ---- samples
for config in fermi-gtx480 gt200-quadrofx5800; do
	run $config predicates.ptx 16 64 -o '-gpgpu_runtime_stat 150' -o '-visualizer_enabled 1' -o "-visualizer_outputfile $config.gz" >out 2>&1 ||
		complain "$config: $(cat out)"
	gzip -dc $config.gz | grep -v '^dram' | tr -s ' ' | sed 's/ $//' >got
	awk -v c="= $config" '/^#/ { next } /^=/ { on = $0 == c; next } on' "$here/samples.txt" >wanted
	[ -s wanted ] || complain "no samples of $config"
	cmp -s got wanted || complain "$config: $(diff got wanted | head -4)"
done

# ---- the logger: lines with counts; of ShdrWarpOcc, which 3.2.2 never fills, there is the law below
log() { # INTERVAL CONFIG FILE GRID BLOCK ARGUMENTS...
	local interval=$1
	shift
	run "$@" -o "-gpgpu_cflog_interval $interval"
}
with_counts() { # of CFLog the counts only, sorted
	awk '/^CFLog/ { n = split($0, f, " "); out = $1 " ="; m = 0; for (i = 4; i <= n; i += 2) if (f[i]) v[++m] = f[i]
			for (a = 1; a <= m; a++) for (b = a + 1; b <= m; b++) if (v[b] < v[a]) { t = v[a]; v[a] = v[b]; v[b] = t }
			for (a = 1; a <= m; a++) out = out " " v[a]; if (m) print out; next }
		/^Shdr/ && !/^ShdrWarpOcc/ { for (i = 3; i <= NF; i++) if ($i) { sub(/ $/, ""); print; next } }' "$1" | sort
}
n=0
while read -r _ file grid block interval; do
	n=$((n + 1))
	log "$interval" fermi-gtx480 "$file" "$grid" "$block" >out 2>&1 || complain "$file: $(tail -1 out)"
	with_counts out >got
	awk -v c="= $file $grid $block $interval" '/^#/ { next } /^=/ { on = $0 == c; next } on' "$here/flow_log.txt" | sort >wanted
	[ -s wanted ] || complain "nothing is wanted of $file"
	cmp -s got wanted || complain "$file: $(diff got wanted | head -4)"
	# warp instructions of all intervals and cores, by lanes: those of the statistics
	awk '/^ShdrWarpOcc/ { for (i = 4; i <= NF; i++) sum[i - 3] += $i }
		/^Stall:/ { for (i = 4; i <= NF; i++) { split($i, f, ":"); all[substr(f[1], 2)] = f[2]; seen += f[2] } }
		END { for (w in all) if (sum[w] != all[w]) { print "W" w ": " sum[w] " in the log, " all[w]; bad = 1 } exit bad || !seen }' out || complain "$file: lanes"
done < <(grep '^=' "$here/flow_log.txt")
[ $n = 2 ] || complain "$n recorded logs"

# an interval has lines for every core; counts that began anew, and a second run, begin a new interval
log 500 fermi-gtx480 stream.ptx 4 64 -ex 'stats reset' >out 2>&1 || complain "$(cat out)"
[ "$(grep -c '^CFLog[0-9][0-9]-0 = ' out)" = 15 ] || complain "cores in the first interval: $(grep -c '^CFLog[0-9][0-9]-0 = ' out)"
grep -q '^CFLog01-500 = ' out || complain "no second interval"
"$WARPSTEP" -m performance -c tiny -q --batch -o '-gpgpu_cflog_interval 100000' -ex "load $here/stream.ptx" -ex 'buffer p b8[1048576] = zero' \
	-ex 'run k<<<1, 32>>>(p)' -ex 'stats reset' -ex 'run k<<<1, 32>>>(p)' -ex 'stats control_flow' >out 2>&1 || complain "$(cat out)"
grep -q '^CFLog00-0 = 8 1024 9 1024 ' out || complain "after a reset: $(grep CFLog out)"
grep -q 'ShdrWarpOcc.* 18446744' out && complain "a count below zero"
# both logs at once, and one without the other's lines
run tiny stream.ptx 1 32 -o '-gpgpu_cflog_interval 200' -o '-gpgpu_runtime_stat 200' -o '-visualizer_enabled 1' -o '-visualizer_outputfile both.gz' >out 2>&1 ||
	complain "both: $(cat out)"
[ "$(grep '^CFLog00-0 = ' out | cut -d= -f2)" = "$(gzip -dc both.gz | grep -m1 '^CFLog00: ' | cut -d: -f2)" ] || complain "the two logs differ in their first interval"
run tiny stream.ptx 1 32 >out 2>&1
grep -q 'CFLog' out && complain "a log nobody asked for"
exit $bad
