# Files of statistics (JSON, lines of PTX, AerialVision's log): what is in them, and that none is written unless it was asked for.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
bad=0
complain() { echo "$*"; bad=1; }
kernels=$ROOT/tests/gpgpusim/v322
stream() { # OPTIONS-AND-COMMANDS...
	"$WARPSTEP" -m performance -q --batch "$@" -ex "load $kernels/stream.ptx" -ex 'buffer p b8[1048576] = zero' \
		-ex 'run k<<<60, 256>>>(p)' >out 2>&1 || complain "$*: $(cat out)"
}

# a configuration's own file asks for nothing
{ cat "$ROOT/configs/fermi-gtx480/gpgpusim.config"; echo '-enable_ptx_file_line_stats 1'; echo '-visualizer_enabled 1'; } >own.config
cp "$ROOT/configs/fermi-gtx480/network.icnt" .
before=$(ls | sort)
stream -c own.config
[ "$(ls | grep -vx out | sort)" = "$before" ] || complain "files nobody asked for: $(ls)"

# lines of PTX: under the usual name with -o, or where the option says
stream -c own.config -o '-enable_ptx_file_line_stats 1'
grep -q '^kernel line : count ' gpgpu_inst_stats.txt || complain "no gpgpu_inst_stats.txt"
stream -c own.config -o '-ptx_line_stats_filename lines.txt'
cmp -s lines.txt gpgpu_inst_stats.txt || complain "lines.txt differs from gpgpu_inst_stats.txt"
# twelve instructions, 60 * 256 threads each, 4 bytes of each thread read and written in lines of 128 bytes
[ "$(grep -c " : 15360 " lines.txt)" = 12 ] || complain "lines.txt: $(cat lines.txt)"
awk '$1 ~ /stream.ptx$/ && $2 == 16 && $6 == 15360 * 4 && $9 == 480 && $10 == 480 { ok = 1 } END { exit !ok }' lines.txt ||
	complain "the load's line: $(grep ' 16 : ' lines.txt)"

# the log: a sample each 500 of 2370 cycles
stream -c fermi-gtx480 -o '-gpgpu_runtime_stat 500' -o '-visualizer_enabled 1' -o '-visualizer_outputfile log.gz'
gzip -dc log.gz >log || complain "log.gz isn't gzip"
[ "$(grep '^globalcyclecount: ' log | tr '\n' ' ')" = "globalcyclecount: 500 globalcyclecount: 1000 globalcyclecount: 1500 globalcyclecount: 2000 " ] ||
	complain "samples: $(grep '^globalcyclecount' log)"
for line in 'CFLog14: ' 'ShdrCTACount: ' 'dramncmd: 5 ' 'dramglobal_acc_w: 5 15 ' 'WarpDivergenceBreakdown: ' 'WarpIssueSlotBreakdown: ' \
	'WarpIssueDynamicIdBreakdown: ' 'shaderwarpinsncount:  ' 'globaltotinsncount: 0' 'STmemlatdist: '; do
	[ "$(grep -c "^$line" log)" = 4 ] || complain "$(grep -c "^$line" log) lines '$line'"
done
# the cores' instructions are all instructions; threads were at the first instruction once, each counted for each lane of its
# warp, and no more than all of them in all samples
awk '/^shaderinsncount: / { n = 0; for (i = 2; i <= NF; i++) n += $i }
	/^globalinsncount: / && $2 != n { print "instructions of the cores " n ", of all " $2; bad = 1 }
	/^CFLog/ { for (i = 2; i < NF; i += 2) if ($i == 8) first += $(i + 1) }
	END { if (first != 60 * 256 * 32) { print "threads at the first instruction: " first; bad = 1 } exit bad }' log || bad=1

# JSON: all, and each launch
"$WARPSTEP" -m performance -c fermi-gtx480 -q --batch -ex "load $kernels/stream.ptx" -ex 'buffer p b8[1048576] = zero' \
	-ex 'run k<<<60, 256>>>(p)' -ex 'run k<<<8, 64>>>(p)' -ex 'stats --json all.json' >out 2>&1 || complain "$(cat out)"
[ "$(grep -c '"gpgpu_n_tot_w_icount"' all.json)" = 3 ] || complain "launches in all.json: $(grep '"gpgpu_n_tot_w_icount"' all.json)"
[ "$(sed -n 's/.*"gpgpu_n_tot_w_icount": \([0-9]*\).*/\1/p' all.json | tr '\n' ' ')" = "$((5760 + 192)) 5760 192 " ] || complain "warp instructions in all.json"

# launches: shared memory (8 bytes of the kernel's own, then from a multiple of 16 on the 16 of the launch), bytes of a structure, integers as the source's types have them
cat >arguments.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry _Z4take4Pairstijx(.param .align 4 .b8 p0[8], .param .u16 p1, .param .u16 p2, .param .u32 p3, .param .u32 p4, .param .u64 p5)
{
	.shared .align 4 .b8 own[8];
	.reg .u32 %r<2>;
	ld.shared.u32 %r1, [own];
	ret;
}
.visible .entry plain(.param .u16 p0) { ret; }
END
"$WARPSTEP" -m functional -q --batch arguments.ptx -ex 'run _Z4take4Pairstijx<<<1, 32, 16>>>({s32 258, f32 1}, -3, 65533, -4, 4294967292, -5)' \
	-ex 'run plain<<<1, 32>>>(65533)' -ex 'stats --json arguments.json' >out 2>&1 || complain "arguments: $(cat out)"
tr -d ' \n' <arguments.json >arguments
for part in '"shared":32,"stream"' '"name":"p0","size_bytes":8,"contents":"020100000000803f"' '"name":"p1","type":"s16","value":-3}' \
	'"name":"p2","type":"u16","value":65533}' '"name":"p3","type":"s32","value":-4}' '"name":"p4","type":"u32","value":4294967292}' \
	'"name":"p5","type":"s64","value":-5}' '"name":"p0","type":"u16","value":65533}'; do
	grep -qF "$part" arguments || complain "arguments: no $part in $(cut -c1-2000 arguments)"
done
exit $bad
