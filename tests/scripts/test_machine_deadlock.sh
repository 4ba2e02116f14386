# Deadlocks of the machine itself: that they are found and say who holds what; and that slow memory is none.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
bad=0
complain() { echo "$*"; bad=1; }
run() { # CONFIG FILE BLOCKS OPTIONS...
	local config=$1 file=$2 blocks=$3 o=()
	shift 3
	for option; do o+=(-o "$option"); done
	"$WARPSTEP" -m performance -c "$config" -q --batch "${o[@]}" -ex "load $file" -ex 'buffer p b32[65536] = iota' -ex "run k<<<$blocks, 64>>>(p)" \
		-ex 'stats gpu_sim_cycle' >out 2>&1
}
kernel() {
	printf '.version 7.0\n.target sm_50\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n\t.reg .b32 %%r<24>; .reg .b64 %%rd<6>;\n'
	printf '\tld.param.u64 %%rd1, [p];\n\tmov.u32 %%r1, %%tid.x;\n\tmul.wide.u32 %%rd2, %%r1, 8;\n\tadd.u64 %%rd3, %%rd1, %%rd2;\n'
	printf '\t%s\n' "$@" ret\;
	echo '}'
}

# GPGPU-Sim 3.2.2 writes a load's registers in one cycle, or begins again; two of one bank it never writes. With 8 banks %r8 and %r16 are in one,
# with 16 they aren't. It sees that nothing has moved at cycle 40000, since something had at 20000.
kernel 'ld.global.v2.u32 {%r8, %r16}, [%rd3];' 'add.u32 %r9, %r8, %r16;' 'st.global.u32 [%rd3+8192], %r9;' >banks.ptx
run gt200-quadrofx5800 banks.ptx 1 '-gpgpu_writeback_in_parts 0'
[ $? = 4 ] || complain "banks: exit status"
while IFS= read -r line; do
	grep -qxF -- "$line" out || complain "no line '$line' in: $(head -8 out)"
done <<'END'
Deadlock: no instruction was completed for 20000 cycles
    warp 0 of block (0,0,0): banks.ptx:12, 2 registers not written
    LD/ST writeback: banks.ptx:11, two of whose registers are in one bank: GPGPU-Sim 3.2.2 never writes them (-gpgpu_writeback_in_parts auto does)
gpu_sim_cycle = 40000
END
grep -q '^  core 3: last writeback in cycle [0-9]*, of the LD/ST unit in cycle [0-9]*$' out || complain "no core: $(head -3 out)"
run gt200-quadrofx5800 banks.ptx 1 '-gpgpu_num_reg_banks 16' || complain "16 banks: $(cat out)"
grep -q '^note' out && complain "16 banks: $(cat out)"
run gt200-quadrofx5800 banks.ptx 1 '-gpgpu_writeback_in_parts 1' || complain "in parts: $(cat out)"
parts=$(tail -1 out)
# so are they by default, with one note
run gt200-quadrofx5800 banks.ptx 2 || complain "by default: $(cat out)"
[ "$(grep -c '^note: banks.ptx:11 loads two registers of one bank' out)" = 1 ] || complain "by default: $(cat out)"
run gt200-quadrofx5800 banks.ptx 1
[ "$(tail -1 out)" = "$parts" ] || complain "by default: $(tail -1 out), in parts $parts"
# what 3.2.2 finishes takes as long as there, whatever the option
kernel 'ld.global.v2.u32 {%r8, %r15}, [%rd3];' 'add.u32 %r9, %r8, %r15;' 'st.global.u32 [%rd3+8192], %r9;' >apart.ptx
run gt200-quadrofx5800 apart.ptx 20 '-gpgpu_writeback_in_parts 0' && cp out apart
run gt200-quadrofx5800 apart.ptx 20 && cmp -s out apart || complain "apart: $(cat out apart)"
run gt200-quadrofx5800 apart.ptx 20 '-gpgpu_writeback_in_parts 2' && complain "a value that is none"
grep -qF "error: -gpgpu_writeback_in_parts: bad value '2', expected 0, 1 or auto" out || complain "a value that is none: $(cat out)"
sed 's/%r16/%r12/g' banks.ptx >four.ptx
run tiny four.ptx 1 || complain "the teaching machine of 4 banks: $(cat out)"
run fermi-gtx480 banks.ptx 1 || complain "GTX 480: $(cat out)"
run gt200-quadrofx5800 banks.ptx 1 '-gpgpu_writeback_in_parts 0' '-gpgpu_deadlock_detect 0' '-gpgpu_max_cycle 60000'
grep -q '^gpu_sim_cycle = 60000$' out || complain "not detected: $(head -3 out)"

# many of them: the replies fill response FIFOs, network and partitions up to the DRAM; at most 8 of a kind are named
kernel 'st.global.u32 [%rd3+8192], %r1;' 'ld.global.v2.u32 {%r8, %r16}, [%rd3];' 'mul.wide.u32 %rd4, %r1, 256;' 'add.u64 %rd4, %rd1, %rd4;' \
	'ld.global.u32 %r3, [%rd4];' 'ld.global.u32 %r4, [%rd4+128];' 'ld.global.u32 %r5, [%rd4+64];' 'add.u32 %r9, %r8, %r16;' \
	'st.global.u32 [%rd3+8192], %r9;' >full.ptx
run gt200-quadrofx5800 full.ptx 60 '-gpgpu_writeback_in_parts 0'
for line in '    LD/ST unit: .*response FIFO 2 of 2$' '  and [0-9]* more cores$' '  cluster 1: response FIFO 8 of 8, the oldest for core [345]$' '  network: [0-9]* packets under way$' \
	'  sub-partition [0-7]: .*L2 to network 8 of 8.*; the network has no room for its oldest reply$'; do
	grep -q -- "^$line" out || complain "no line like '$line' in: $(grep -v '^    warp' out | head -30)"
done
[ "$(grep -c '^  core ' out)" = 8 ] || complain "$(grep -c '^  core ' out) cores"

# warps that have exited and whose stores take their time are no deadlock, as little as loads that take 15000 cycles
kernel 'ld.global.u32 %r4, [%rd3];' 'add.u32 %r4, %r4, 1;' 'st.global.u32 [%rd3+8192], %r4;' >slow.ptx
run tiny slow.ptx 1 '-dram_latency 15000' '-gpgpu_cache:dl2 none' || complain "slow: $(head -4 out)"
grep -q '^gpu_sim_cycle = 6[0-9][0-9][0-9][0-9]$' out || complain "slow: $(tail -1 out)"
exit $bad
