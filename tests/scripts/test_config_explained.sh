# `info config`: every option with its help, and what values of several numbers mean, of the shipped machines. Expected: the values of the files,
# worked out by hand (sets * ways * line; bits of the mapping counted from the right).
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
bad=0
complain() { echo "$*"; bad=1; }
which() { # CONFIG OPTION TEXT
	"$WARPSTEP" -c "$1" -q --batch -ex "info config $2" >out 2>&1 || complain "$1 $2: $(cat out)"
	[ "$(sed -n 's/^  which is: //p' out)" = "$3" ] || complain "$1 $2: $(cat out)"
}
which fermi-gtx480 gpgpu_cache:dl1 '16384 bytes: 32 sets of 4 ways, 128-byte lines; LRU, local memory write-back, global memory write-evict, lines allocated on misses, not on writes; 32 MSHRs of 8 requests, miss queue of 8; port of 128 bytes'
which fermi-gtx480 gpgpu_tex_cache:l1 '12288 bytes: 4 sets of 24 ways, 128-byte lines; LRU, read only, lines allocated on misses; FIFOs of 128 fragments, 4 requests, 2 results; reorder buffer of 128'
which v42-gtx480 gpgpu_cache:dl2 '65536 bytes: 64 sets of 8 ways, 128-byte lines of four sectors; LRU, write-back, lines allocated on misses, on writes too, but fetched only when they are read; 256 MSHRs of 4 requests, miss queue of 4; port of 32 bytes'
which gt200-quadrofx5800 gpgpu_cache:dl1 ''
which fermi-gtx480 gpgpu_clock_domains 'cores 700.0 MHz, network 700.0 MHz, L2 700.0 MHz, DRAM commands 924.0 MHz'
which fermi-gtx480 gpgpu_pipeline_widths 'ID_OC_SP 2, ID_OC_SFU 1, ID_OC_MEM 1, OC_EX_SP 2, OC_EX_SFU 1, OC_EX_MEM 1, EX_WB 2'
which v42-gtx480 gpgpu_pipeline_widths 'ID_OC_SP 2, ID_OC_DP 0, ID_OC_INT 0, ID_OC_SFU 1, ID_OC_MEM 1, OC_EX_SP 2, OC_EX_DP 0, OC_EX_INT 0, OC_EX_SFU 1, OC_EX_MEM 1, EX_WB 2'
nine() { "$WARPSTEP" -o '-gpgpu_pipeline_widths 2,0,1,1,2,0,1,1,2' "$@" -q --batch -ex 'info config gpgpu_pipeline_widths' >out 2>&1; }
for config in fermi-gtx480 v42-gtx480; do # files of 2017, which have a DP unit
	nine -c $config && grep -q '^  which is: ID_OC_SP 2, ID_OC_DP 0, ID_OC_SFU 1, ID_OC_MEM 1, OC_EX_SP 2, OC_EX_DP 0, OC_EX_SFU 1, OC_EX_MEM 1, EX_WB 2$' out ||
		complain "nine widths of $config: $(cat out)"
done
refused() { # WIDTHS TEXT: one error, which names each field that is wrong
	"$WARPSTEP" -c fermi-gtx480 -q --batch -o "-gpgpu_pipeline_widths $1" -ex 'print 1' >out 2>&1 && complain "$1 is taken"
	[ "$(grep -c error: out)" = 1 ] && grep -qxF "error: -gpgpu_pipeline_widths: bad value '$1': $2" out || complain "$1: $(cat out)"
}
refused 4,0,1,4,0,1,6,0,0 'OC_EX_SP is 0, expected 1 to 16; OC_EX_MEM is 0, expected 1 to 16; EX_WB is 0, expected 1 to 16'
refused 4,1,1,4,1,1,6,0,0 'ID_OC_DP is 1, expected 0: its unit is not modelled; OC_EX_MEM is 0, expected 1 to 16; EX_WB is 0, expected 1 to 16'
refused 2,1,1,2,1,1,17 'EX_WB is 17, expected 1 to 16'
which fermi-gtx480 ptx_opcode_latency_fp 'add 4, max and min 13, mul 4, mad 5, div 39'
which tiny gpgpu_shader_core_pipeline '128 threads on a core: 4 warps of 32'
which fermi-gtx480 gpgpu_dram_partition_queues 'network to L2 8, L2 to DRAM 8, DRAM to L2 8, L2 to network 8'
which gt200-quadrofx5800 gpgpu_dram_timing_opt '8 banks; in command cycles: column command to the next 2, activate to activate of another bank 8, to a column command 12, to precharge at least 25, to activate of the bank 35, precharge 10, read latency 10, write latency 7, written data to a read 6, to precharge 11'
which fermi-gtx480 gpgpu_dram_timing_opt '16 banks in 4 groups (3.2.2 makes 2 of them); in command cycles: column command to the next 2, activate to activate of another bank 6, to a column command 12, to precharge at least 28, to activate of the bank 40, precharge 12, read latency 12, write latency 4, written data to a read 5, to precharge 12; in a group column command to the next 3, read to precharge 2'
# 8 channels take bits 8 to 10; RRRR.RRRRRRRR.RRBBBCCC.CCCSSSSS without them ends with 5 burst bits
which gt200-quadrofx5800 gpgpu_mem_addr_mapping 'row bits 17 to 30; bank bits 14 to 16; column bits 0 to 7, 11 to 13; channel bits 8 to 10'
which fermi-gtx480 gpgpu_mem_addr_mapping 'row bits 16 to 27; bank bits 8, 13 to 15; column bits 0 to 7, 9 to 12; channel: what is above bit 8, modulo 6 (the others are bits of the quotient)'
which fermi-gtx480 gpgpu_n_clusters ''

"$WARPSTEP" -c tiny -q --batch -ex 'info config' >out 2>&1 || complain "info config: $(head -1 out)"
# each row of options.def
[ "$(grep -c '^-' out)" = "$(grep -cE '^(OPTION|OUTPUT)\(' "$ROOT/src/gpu/config/options.def")" ] || complain "$(grep -c '^-' out) options"
for option in num_sp_units num_sfu_units operand_collector_num_{units,in_ports,out_ports}_{sp,sfu,mem}; do
	[ "$(grep -c "^-gpgpu_$option " out)" = 1 ] || complain "-gpgpu_$option"
done
# each scheduler's row has its words there
while read -r word parameters; do
	grep -q "^-gpgpu_scheduler .* # warp scheduling: .*\<$word$parameters\>" out || complain "-gpgpu_scheduler: no $word$parameters"
done < <(sed -n 's/^SCHEDULER([A-Z_]*, "\([^"]*\)", "\([^"]*\)".*/\1 \2/p' "$ROOT/src/timing/core/schedulers.def")
grep -v ' # .' out | grep '^-' && complain "options without help"
grep -qE '^-gpgpu_n_mem +1 +8 .*tiny/gpgpusim.config:[0-9]+ # memory partitions' out || complain "$(grep '^-gpgpu_n_mem ' out)"
grep -qE '^-gpgpu_num_int_units +- +0 +not in 3.2.2 # ' out || complain "$(grep 'num_int' out)"
"$WARPSTEP" -c v42-gtx480 -q --batch -ex 'info config' >out 2>&1
grep -qE '^-gmem_skip_L1D +- +0 +not in 4.2 # ' out || complain "$(grep 'gmem_skip' out)"
exit $bad
