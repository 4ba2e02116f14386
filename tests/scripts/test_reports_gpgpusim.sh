#!/bin/bash
# What public bug reports of GPGPU-Sim's users ask for, replayed with small kernels (tests/reports/gpgpusim): statistics when modes are mixed or reset, logs of
# launches that `simulate` names in functional mode, options that did nothing, networks, counts of 4.2. What is right comes from the same launch in
# performance mode alone, or is worked out by hand.
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
cp "$ROOT/tests/reports/gpgpusim/"* . || exit 1
bad=0
fail() { echo "$*"; bad=1; }
w() { "$WARPSTEP" --batch -n "$@" >out 2>err; }
has() { # WHAT TEXT [FILE]
	grep -qF -- "$2" "${3:-out}" || fail "$1: no '$2' in: $(cat out err)"
}
hasnt() { grep -qF -- "$2" "${3:-out}" && fail "$1: '$2' in: $(cat out err)"; }

# N launches of saxpy, each of 16 blocks of 2 warps, 23 instructions: 736 of warps
script() { # NAME LAUNCHES [LINE BEFORE]...
	local file=$1 n=$2 k
	shift 2
	{
		echo 'load big.ptx'
		for b in 'x f32[1024] = iota' 'y f32[1024] = fill 1' 'z f32[1024] = zero'; do echo "buffer $b"; done
		printf '%s\n' "$@"
		for ((k = 0; k < n; k++)); do echo 'run saxpy<<<16, 64>>>(1024, 2.0, x, y, z)'; done
	} >"$file"
}
script one.ws 1
script first.ws 1 'simulate saxpy#1'
script third.ws 3 'simulate saxpy#3'
script mixed.ws 4 'simulate saxpy#3'

# alone in performance mode: what all others are compared with
w -x one.ws -ex 'p $cycle' -ex 'stats summary' -ex 'list /s saxpy.cu:9,12'
cycles=$(sed -n 's/^\$1 = //p' out)
line=$(grep 'z\[i\] = a' out | tail -1)
has 'one launch' '1 launch, 1 finished, in performance mode'
has 'one launch' 'warps         736 instructions'

# figures are of the launches in performance mode, which are named
for mode in functional performance; do
	w -m $mode -x mixed.ws -ex 'stats summary' -ex 'stats kernel_launch_uid' -ex 'list /s saxpy.cu:9,12' -ex 'stats --json m.json'
	has "mixed, $mode" '1 launch in performance mode, 3 functionally; the figures are of launch 2'
	has "mixed, $mode" "warps         736 instructions, "
	has "mixed, $mode" 'kernel_launch_uid = 3 '
	has "mixed, $mode" 'Counted in launch 2.'
	[ "$(grep 'z\[i\] = a' out | tail -1)" = "$line" ] || [ $mode = performance ] || fail "mixed, $mode: $(grep 'z\[i\]' out), alone $line"
	[ "$(grep -c '"mode": "functional"' m.json)" = 3 ] && [ "$(grep -c '"mode": "performance"' m.json)" = 2 ] || fail "modes in JSON: $(grep mode m.json)"
done
# reset: only what came later
w -x one.ws -ex 'stats reset' -ex 'stats summary' -ex 'list /s saxpy.cu:12'
has 'reset' '0 launches, 0 finished, in performance mode, since the last `stats reset`; the figures are of no launch'
has 'reset' 'warps         0 instructions'
w -m functional -x mixed.ws -ex 'stats reset' -ex 'run saxpy<<<16, 64>>>(1024, 2.0, x, y, z)' -ex 'stats summary'
has 'reset, then functional' '1 launch, 1 finished, in functional mode, since the last `stats reset`; the figures are of launch 4'
has 'reset, then functional' 'warps         736 instructions; 32.0 of 32'
w -x one.ws -ex 'simulate none' -ex 'run saxpy<<<16, 64>>>(1024, 2.0, x, y, z)' -ex 'stats reset' -ex 'simulate all' \
	-ex 'run saxpy<<<16, 64>>>(1024, 2.0, x, y, z)' -ex 'stats summary'
has 'reset, then performance' '1 launch, 1 finished, in performance mode, since the last `stats reset`; the figures are of launch 2'
has 'reset, then performance' 'warps         736 instructions, '

# stalls, traces, samples and lines of a launch that `simulate` names, wherever it stands
sed -i '1i set stalls on' first.ws
w -m functional -x first.ws -ex 'info stalls'
has 'stalls' 'Counted since cycle 0'
hasnt 'stalls' 'not counted'
w -ex 'set stalls on' -x mixed.ws -ex 'info stalls'
has 'stalls, then functional' 'Counted since cycle 0'
w -m functional -ex 'info stalls'
has 'stalls without a machine' 'start with -m performance, or name launches with `simulate`' err
trace=(-o '-trace_enabled 1' -o '-trace_components SCOREBOARD' -o '-trace_sampling_core 1')
w "${trace[@]}" -x one.ws && grep -c ' 1 SCOREBOARD: ' out >alone
w -m functional "${trace[@]}" -x third.ws
[ "$(grep -c ' 1 SCOREBOARD: ' out)" = "$(cat alone)" ] && [ "$(cat alone)" -gt 10 ] || fail "trace: $(grep -c SCOREBOARD: out) lines, alone $(cat alone)"
w -m functional -ex 'load big.ptx' -ex 'simulate saxpy#1' -ex 'trace ISSUE on' -ex 'diagram on' -ex 'buffer x f32[1024] = iota' \
	-ex 'run saxpy<<<16, 64>>>(1024, 2.0, x, x, x)' -ex 'diagram compact warp 0..1 cycle 100..140' || fail "trace and diagram: $(cat err)"
has 'trace' ' ISSUE: '
samples=(-o '-visualizer_enabled 1' -o '-gpgpu_runtime_stat 100:0' -o '-visualizer_outputfile')
w "${samples[@]}" -o '-visualizer_outputfile one.gz' -o '-gpgpu_runtime_stat 100:0' -x one.ws
w -m functional -o '-visualizer_enabled 1' -o '-gpgpu_runtime_stat 100:0' -o '-visualizer_outputfile third.gz' -x third.ws
[ "$(zcat third.gz | grep -c '^globalcyclecount')" = "$((cycles / 100))" ] || fail "samples: $(zcat third.gz | grep -c globalcyclecount) of $cycles cycles"
w -m functional -o '-visualizer_enabled 1' -o '-visualizer_outputfile none.gz' -x one.ws
[ -e none.gz ] && fail "a log of samples in functional mode"
w -o '-enable_ptx_file_line_stats 1' -x one.ws -ex 'stats --lines' && grep '^big.ptx' out >alone
w -m functional -o '-enable_ptx_file_line_stats 1' -x mixed.ws -ex 'stats --lines' && grep '^big.ptx' out >got
cut -d' ' -f1-4 alone >a; cut -d' ' -f1-4 got >b
[ -s a ] && cmp -s a b || fail "lines: $(diff a b)"

# names that GPGPU-Sim would take in silence
w -o '-trace_enabled 1' -o '-trace_components WARP_SCHEDULAR,INTERCONNECT,SCOREBOARD' -o '-trace_sampling_core 99' -x one.ws
has 'streams' "note: -trace_components: there is no stream 'WARP_SCHEDULAR'; did you mean 'WARP_SCHEDULER'? There are " err
has 'streams' "note: -trace_components: there is no stream 'INTERCONNECT'; there are " err
has 'streams' 'note: -trace_sampling_core 99: cores are 0 to 14; nothing is traced' err
hasnt 'streams' "stream 'SCOREBOARD'" err
w -o '-trace_enabled 1' -o '-trace_components SCOREBOARD' -x one.ws && [ ! -s err ] || fail "a stream that there is: $(cat err)"

# figures with blanks in their names
w -x one.ws -ex 'stats "Hops average"' -ex 'p $stat."Hops average"' -ex 'p $stat."Overall Hops average"' || fail "names with blanks: $(cat err)"
has 'names with blanks' 'Hops average = 1 ('
[ "$(tail -2 out | tr '\n' ' ')" = '$1 = 1 $2 = 1 ' ] || fail "names with blanks: $(tail -2 out)"

# a configuration, its options and arguments in JSON: a sweep needs no names of files
w -o '-gpgpu_scheduler lrr' -o '-gpgpu_n_mem 6' -x one.ws -ex 'stats --json j.json'
python3 - <<'PY' || fail "JSON: $(head -5 j.json)"
import json
j = json.load(open("j.json"))
assert j["configuration"] == "fermi-gtx480" and j["mode"] == "performance" and j["version"], j["configuration"]
assert j["options"] == {"gpgpu_scheduler": "lrr"}, j["options"]
a = j["kernels"][0]["arguments"]
assert [x["value"] for x in a[:2]] == [1024, 2.0] and a[2]["buffer"]["name"] == "x", a
PY

# 4.2 counts a load of several registers that hits the L1 once for each: 192 threads execute 49 instructions
w -c v42-gtx480 -ex 'load vec.ptx' -ex 'buffer s u32[1024] = iota' -ex 'buffer d u32[1024] = zero' -ex 'run vec<<<2, 96>>>(s, d, 6)' -ex 'stats gpu_sim_insn' -ex 'stats summary'
has '4.2' '(9408 instructions of threads in '
has '4.2' "Without the repetitions there are 9408 instructions of threads, 300 of warps" err

# what is in the L1, and what the next access would find there
w -c tiny -ex 'load vec.ptx' -ex 'buffer s u32[1024] = iota' -ex 'buffer d u32[1024] = zero' -ex 'launch vec<<<1, 32>>>(s, d, 2)' -ex 'advance vec.ptx:22' \
	-ex 'info access' -ex 'dp 0 unit l1d --tags' -ex 'stepi' -ex 'info access last' -ex 'advance vec.ptx:22' -ex 'info access' -ex 'dp 0 unit l1d --tags' \
	-ex 'p core[0].l1d.line[0].state' -ex 'p core[0].l1d.line[0..3].address'
[ "$(grep -c '  miss$' out)" = 4 ] && [ "$(grep -c '  hit$' out)" -ge 1 ] || fail "hits and misses: $(cat out)"
has 'tags' '0 of 4 lines hold something'
has 'tags' '  L1D lines         set way  line        state     allocated   accessed     filled'
grep -qE '^ +0 +[0-3]  0x80000[0-9a-f]{3}  valid ' out || fail "tags: $(cat out)"
grep -qE '^\$1 = [02]$' out || fail "the state of a line: $(cat out err)"
w -ex 'apropos conflict' -ex 'apropos latency' -ex 'apropos coalesc' -ex 'apropos xyzzy'
has 'apropos' 'info access -- '
has 'apropos' 'stats averagemflatency -- '
has 'apropos' 'info config gpgpu_coalesce_arch -- '
has 'apropos' 'manual classroom.md -- For the classroom: Bank conflicts'
has 'apropos' 'Nothing is about "xyzzy".'
w -ex 'set width 80' -ex 'help info' -ex 'help running' -ex 'help set'
[ "$(awk 'length > 80' out | wc -l)" = 0 ] || fail "wider than 80 columns: $(awk 'length > 80' out | head -3)"

# a missing semicolon is missing where it is missing
w semi.ptx -ex quit
has 'semicolon' "semi.ptx:6:5: missing ';' after 'ret'" err

# networks: memory at nodes of one's own, spare nodes
cp -r "$ROOT/configs/fermi-gtx480" mesh
net() { # LINES: of the network, a mesh of 6 by 6
	sed -e '/^topology/d; /^k *=/d; /^n *=/d; /^routing_function/d; /^use_map/d' "$ROOT/configs/fermi-gtx480/network.icnt" >mesh/network.icnt
	printf '%s\n' 'topology = mesh; k = 6; n = 2;' "$@" >>mesh/network.icnt
}
net 'routing_function = dor; use_map = 0;'
w -c mesh -x one.ws -ex 'p z[3]' || fail "spare nodes: $(cat err)"
net 'routing_function = dor; use_map = 1;' 'memory_node_map = {0, 5, 14, 15, 20, 21, 30, 35};'
eight=(-o '-gpgpu_n_clusters 28' -o '-gpgpu_n_mem 8' -o '-gpgpu_n_sub_partition_per_mchannel 1')
w -c mesh "${eight[@]}" -x one.ws -ex 'p $cycle' || fail "memory_node_map: $(cat err)"
own=$(sed -n 's/^\$1 = //p' out)
sed -i '/memory_node_map/d' mesh/network.icnt
w -c mesh "${eight[@]}" -x one.ws -ex 'p $cycle' || fail "the map of 36 nodes: $(cat err)"
[ -n "$own" ] && [ "$own" != "$(sed -n 's/^\$1 = //p' out)" ] || fail "memory_node_map has no effect: $own cycles"
exit $bad
