# `reset`, then `run`, is a first run in a new process whose memory holds the same bytes: every statistic, and what memory holds then. Before
# it the machine has run the kernel to its end and stood in the middle of it. Also what the flushing options empty.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
kernels=$ROOT/tests/gpgpusim/v322
bad=0
complain() { echo "$*"; bad=1; }

# figures of the host's own time are never the same
stats_of() { grep -vE '"(gpgpu_simulation_time|gpgpu_simulation_rate|gpgpu_silicon_slowdown|gpgpu_.*\(.*sec\))' "$1"; }

again() { # FILE RUN OPTION...
	local file=$1 run=$2
	shift 2
	"$WARPSTEP" -q --batch "$@" -ex "load $kernels/$file.ptx" -ex 'buffer p b8[1048576] = zero' -ex "$run" -ex launch -ex 'step 900' \
		-ex 'save p before.bin' -ex reset -ex 'assert $cycle == 0' -ex run -ex 'stats --json reset.json' -ex 'save p reset.bin' >out 2>&1 ||
		complain "$file $*: $(cat out)"
	"$WARPSTEP" -q --batch "$@" -ex "load $kernels/$file.ptx" -ex 'buffer p b8[1048576] = file before.bin' -ex "$run" \
		-ex 'stats --json new.json' -ex 'save p new.bin' >out 2>&1 || complain "$file $*: $(cat out)"
	cmp reset.bin new.bin || complain "$file $*: memory differs"
	cmp -s <(stats_of reset.json) <(stats_of new.json) || complain "$file $*: $(diff <(stats_of reset.json) <(stats_of new.json) | head -8)"
}
n=0
while read -r file run; do
	for o in '-c fermi-gtx480' '-c tiny' '-c v42-gtx480' '-m functional'; do
		[ "$o,$file" = '-c tiny,app_matmul' ] && continue # too large a block
		# shellcheck disable=SC2086
		again "$file" "$run" $o
		n=$((n + 1))
	done
done <<'END'
stream run k<<<5, 64>>>(p)
local_frame run k<<<7, 96>>>(p)
app_matmul run k<<<(2,2), (16,16)>>>(p, 32)
app_queue run k<<<12, 64>>>(p, 512)
atomics_shared run k<<<7, 96>>>(p)
call_nested run k<<<7, 96>>>(p)
constants run k<<<7, 96>>>(p)
END
[ $n = 27 ] || complain "$n cases"

# that caches are warm is said once, beside the results, and not where there are none
said() { # WANTED OPTION...
	"$WARPSTEP" -q --batch "${@:2}" -ex "load $kernels/stream.ptx" -ex 'buffer p b8[1048576] = zero' -ex 'run k<<<5, 64>>>(p)' -ex run \
		-ex 'run k<<<5, 64>>>(p)' 2>err >out
	[ "$(grep -c '^note: caches are warm' err)" = "$1" ] && ! grep -q note out || complain "${*:2}: $(cat err out)"
}
said 1 -m performance
said 0 -m functional

# -gpgpu_flush_*: one warp reads two lines and writes a third, twice. Hits of the second run in L1D and L2, by the caches' own counts
hits() { # WANTED OPTION...: L1D reads, L2 reads
	local want=$1 got
	shift
	got=$("$WARPSTEP" -q --batch -o '-gpgpu_heap_guard 0' "$@" "$ROOT/tests/golden/contract/vecadd.ptx" -ex 'buffer x f32[32] = iota' -ex 'buffer y f32[32] = iota' \
		-ex 'buffer z f32[32] = zero' -ex 'run vecadd<<<1, 32>>>(x, y, z, 32)' -ex 'stats reset' -ex run -ex 'stats' 2>/dev/null | awk '
		/Total_core_cache_stats_breakdown\[GLOBAL_ACC_R\]\[HIT\]/ { l1 = $NF }
		/L2_cache_stats_breakdown\[GLOBAL_ACC_R\]\[HIT\]/ { l2 = $NF }
		END { print l1 + 0, l2 + 0 }')
	[ "$got" = "$want" ] || complain "flushes $*: hits of L1D, L2: $got, expected $want"
}
hits '2 0' -c tiny
hits '0 2' -c tiny -o '-gpgpu_flush_l1_cache 1'
hits '2 0' -c tiny -o '-gpgpu_flush_l2_cache 1'
hits '0 0' -c tiny -o '-gpgpu_flush_l1_cache 1' -o '-gpgpu_flush_l2_cache 1'
# a machine whose partitions have two banks; its second run is on another core, whose L1D is cold. 2 leaves the banks from -gpgpu_n_mem on as they are
hits '0 2' -c fermi-gtx480
hits '0 0' -c fermi-gtx480 -o '-gpgpu_flush_l2_cache 1'
hits '0 1' -c fermi-gtx480 -o '-gpgpu_flush_l2_cache 2'

# not while a kernel has blocks left (get_more_cta_left), here one that waits for its launch latency with all cores idle: both lines that it
# reads, of four sectors each, are still where the host's copies have put them (-gpgpu_perf_sim_memcpy)
got=$("$WARPSTEP" -q --batch -c v42-gtx480 -o '-gpgpu_heap_guard 0' -o '-gpgpu_kernel_launch_latency 200' -o '-gpgpu_flush_l1_cache 1' -o '-gpgpu_flush_l2_cache 1' \
	"$ROOT/tests/golden/contract/vecadd.ptx" -ex 'buffer x f32[32] = iota' -ex 'buffer y f32[32] = iota' -ex 'buffer z f32[32] = zero' \
	-ex 'run vecadd<<<1, 32>>>(x, y, z, 32)' -ex stats 2>/dev/null |
	awk '/L2_cache_stats_breakdown\[GLOBAL_ACC_R\]\[HIT\]/ { n = $NF } END { print n + 0 }')
[ "$got" = 8 ] || complain "flush with blocks left: $got hits of L2, expected 8"
exit $bad
