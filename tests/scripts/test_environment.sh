# The environment's variables have GPGPU-Sim's meaning; the expected lines follow its formats (timing of values by hand: thread 2 of
# the second block of 4 has global index 6 of 7 elements; its first
# instruction comes after 4 * 19 of the first block and those of lanes 0 and 1).
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
unset PTX_SIM_MODE_FUNC PTX_SIM_DEBUG PTX_SIM_DEBUG_THREAD_UID PTX_SIM_KERNELFILE PTX_SIM_USE_PTX_FILE WARPSTEP_ARGS
cp "$ROOT/tests/golden/contract/vecadd.ptx" vecadd.ptx
sed 's/vecadd/other/g' vecadd.ptx >other.ptx
bad() { echo "$1"; cat out err; exit 1; }
cat >go.ws <<'X'
buffer A f32[7] = fill 1.5
buffer B f32[7] = fill 2
buffer C f32[7] = zero
run vecadd<<<2, 4>>>(A, B, C, 7)
X

# level 5: one line for each instruction of the thread
PTX_SIM_DEBUG=5 PTX_SIM_DEBUG_THREAD_UID=7 "$WARPSTEP" -m functional --batch -x go.ws vecadd.ptx >out 2>err || bad "level 5"
grep '^[0-9]* \[' out >lines
cat >want <<'X'
78 [thd=7][i=1] : ctaid=(1,0,0) tid=(2,0,0) icount=1 [pc=0] (vecadd.ptx:17 - ld.param.u64 %rd1, [vecadd_param_0];)  [0x80000000]
90 [thd=7][i=4] : ctaid=(1,0,0) tid=(2,0,0) icount=4 [pc=24] (vecadd.ptx:20 - ld.param.u32 %r2, [vecadd_param_3];)  [0x7]
106 [thd=7][i=8] : ctaid=(1,0,0) tid=(2,0,0) icount=8 [pc=56] (vecadd.ptx:24 - mad.lo.s32 %r1, %r3, %r4, %r5;)  [0x6]
114 [thd=7][i=10] : ctaid=(1,0,0) tid=(2,0,0) icount=10 [pc=72] (vecadd.ptx:26 - @%p1 bra $L__BB0_2;)  [0x0]
133 [thd=7][i=16] : ctaid=(1,0,0) tid=(2,0,0) icount=16 [pc=120] (vecadd.ptx:33 - add.f32 %f3, %f2, %f1;)  [0x40600000]
142 [thd=7][i=19] : ctaid=(1,0,0) tid=(2,0,0) icount=19 [pc=144] (vecadd.ptx:38 - ret;)  [0x0]
X
[ "$(wc -l <lines)" = 19 ] || bad "level 5 prints other than 19 instructions"
while IFS= read -r line; do grep -qxF -- "$line" lines || bad "level 5 lacks: $line"; done <want
grep -q 'Output Registers' out && bad "level 5 prints registers"
grep -q '^GPGPU-Sim PTX: allocating 28 bytes on GPU starting at address 0x80000000$' out || bad "level 3 is not in level 5"
[ "$(grep -c '<CTA alloc>' out)" = 2 ] || bad "level 1 is not in level 5"

# level 6: registers; a thread whose branch is taken prints what it does
PTX_SIM_DEBUG=6 PTX_SIM_DEBUG_THREAD_UID=7 "$WARPSTEP" -m functional --batch -x go.ws vecadd.ptx >out 2>err || bad "level 6"
cat >want <<'X'
Output Registers:
       %f3   .f32 3.500000000000000 [0x40600000]
Input Registers:
       %f2   .f32 1.500000000000000 [0x3fc00000]
       %f1   .f32 2.000000000000000 [0x40000000]
X
grep -A5 'add.f32 %f3' out | tail -5 | cmp -s - want || bad "level 6"
PTX_SIM_DEBUG=10 PTX_SIM_DEBUG_THREAD_UID=7 "$WARPSTEP" -m functional --batch -x go.ws vecadd.ptx >out 2>err || bad "level 10"
[ "$(grep -c '^Register File Contents:' out)" = 18 ] || bad "level 10: the registers of 18 instructions, none after ret"
PTX_SIM_DEBUG=5 "$WARPSTEP" -m functional --batch -x go.ws vecadd.ptx >out 2>err
[ "$(grep -c '^[0-9]* \[thd' out)" = $((7 * 19 + 11)) ] || bad "level 5, all threads: 7 take 19 instructions, the last 11"
# -gpgpu_ptx_inst_debug_to_file: what GPGPU-Sim 3.2.2 wrote of its thread 3 (predicates aside, which it writes as zero flags; a store's
# address behind its value)
cat >inst.ptx <<'X'
.version 2.3
.target sm_20
.address_size 64
.entry k ( .param .u64 p )
{
	.reg .u32 %r<6>;
	.reg .u64 %rd<4>;
	.reg .pred %p<2>;
	.reg .f32 %f<3>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	mov.f32 %f1, 0f3F800000;
	setp.gt.u32 %p1, %r1, 1;
	@%p1 add.u32 %r2, %r1, 7;
	@!%p1 add.u32 %r2, %r1, 9;
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r2;
	exit;
}
X
cat >want <<'X'
[thd=3] : (inst.ptx:10 - ld.param.u64 %rd1, [p];)
Output Registers:
      %rd1   .u64 2147483648 [0x80000000]
[thd=3] : (inst.ptx:11 - mov.u32 %r1, %tid.x;)
Output Registers:
       %r1   .u32 2 [0x00000002]
[thd=3] : (inst.ptx:12 - mov.f32 %f1, 0f3F800000;)
Output Registers:
       %f1   .f32 1.000000000000000 [0x3f800000]
[thd=3] : (inst.ptx:13 - setp.gt.u32 %p1, %r1, 1;)
Input Registers:
       %r1   .u32 2 [0x00000002]
[thd=3] : (inst.ptx:14 - @%p1 add.u32 %r2, %r1, 7;)
Output Registers:
       %r2   .u32 9 [0x00000009]
Input Registers:
       %r1   .u32 2 [0x00000002]
[thd=3] : (inst.ptx:15 - @!%p1 add.u32 %r2, %r1, 9;)
[thd=3] : (inst.ptx:16 - mul.wide.u32 %rd2, %r1, 4;)
Output Registers:
      %rd2   .u64 8 [0x8]
Input Registers:
       %r1   .u32 2 [0x00000002]
[thd=3] : (inst.ptx:17 - add.u64 %rd3, %rd1, %rd2;)
Output Registers:
      %rd3   .u64 2147483656 [0x80000008]
Input Registers:
      %rd1   .u64 2147483648 [0x80000000]
      %rd2   .u64 8 [0x8]
[thd=3] : (inst.ptx:18 - st.global.u32 [%rd3], %r2;)
Input Registers:
      %rd3   .u64 2147483656 [0x80000008]
       %r2   .u32 9 [0x00000009]
[thd=3] : (inst.ptx:19 - exit;)
X
for mode in functional performance; do
	"$WARPSTEP" -m $mode -q --batch -o '-gpgpu_ptx_inst_debug_to_file 1' -o '-gpgpu_ptx_inst_debug_file inst.txt' -o '-gpgpu_ptx_inst_debug_thread_uid 3' \
		-ex 'load inst.ptx' -ex 'buffer p b32[1024] = iota' -ex 'run k<<<1, 32>>>(p)' >out 2>err || bad "a file of instructions: $(cat err)"
	sed '/^Register File Contents:/,/^\[thd/{ /^\[thd/!d }; /\.pred/d' inst.txt | awk '/:$/ { heading = $0; next } heading && /^ / { print heading } { heading = ""; print }' | cmp - want ||
		bad "$mode: the file of instructions"
	[ "$(grep -c '^Register File Contents:' inst.txt)" = 9 ] || bad "$mode: registers of 9 instructions, none after exit"
done
"$WARPSTEP" -q --batch -o '-gpgpu_ptx_inst_debug_to_file 1' -o '-gpgpu_ptx_inst_debug_thread_uid 0' -ex 'load inst.ptx' -ex 'buffer p b32[1024] = iota' \
	-ex 'run k<<<1, 32>>>(p)' >out 2>err
[ "$(grep -c '^\[thd' inst_debug.txt)" = 320 ] || bad "all threads in inst_debug.txt"
"$WARPSTEP" -q --batch -o '-gpgpu_ptx_inst_debug_to_file 1' -o '-gpgpu_ptx_inst_debug_file /nowhere/x' -ex 'p 1' >out 2>err
grep -q "^error: can't write '/nowhere/x': " err || bad "a file that can't be written"

PTX_SIM_DEBUG=2 "$WARPSTEP" --batch vecadd.ptx >out 2>err
grep -qF 'immediate post dominator      @  PC=0x090 (vecadd.ptx:38) ret;' out || bad "level 2"
PTX_SIM_DEBUG=50 "$WARPSTEP" --batch vecadd.ptx >out 2>err && grep -q digraph out || bad "level 50"
PTX_SIM_DEBUG=100 "$WARPSTEP" --batch vecadd.ptx >out 2>err && grep -q 'ld.param.u32 %r2' out || bad "level 100"

# printing changes nothing of what is simulated, and stops where it would
cat >stop.ws <<'X'
b 33
c
p $cycle
c
p C[0..6]
p $cycle
X
sed 's/^run/launch/' go.ws | cat - stop.ws >both.ws
"$WARPSTEP" -m functional --batch -x both.ws vecadd.ptx >plain 2>err || bad "without PTX_SIM_DEBUG"
PTX_SIM_DEBUG=6 "$WARPSTEP" -m functional --batch -x both.ws vecadd.ptx >out 2>err || bad "with PTX_SIM_DEBUG"
grep -E '^(Breakpoint|\$|\[focus)' out >shown
grep -E '^(Breakpoint|\$|\[focus)' plain | cmp -s - shown || bad "PTX_SIM_DEBUG changes what happens"

# the file to load
PTX_SIM_KERNELFILE=other.ptx "$WARPSTEP" --batch -ex 'info functions' >out 2>err && grep -q other.ptx out || bad "PTX_SIM_KERNELFILE"
PTX_SIM_KERNELFILE=other.ptx "$WARPSTEP" --batch -ex 'info functions' vecadd.ptx >out 2>err
grep -q vecadd.ptx out && ! grep -q other.ptx out || bad "PTX_SIM_KERNELFILE wins over the command line"
PTX_SIM_USE_PTX_FILE=1 PTX_SIM_KERNELFILE=other.ptx "$WARPSTEP" --batch -ex 'info functions' vecadd.ptx >out 2>err
grep -q other.ptx out && ! grep -q vecadd.ptx out || bad "PTX_SIM_USE_PTX_FILE doesn't replace the file"
grep -qF "note: PTX_SIM_USE_PTX_FILE is set, 'other.ptx' is loaded instead of 'vecadd.ptx'" err || bad "no note"

# options for the simulator; the command line wins
WARPSTEP_ARGS="--batch -m functional -o '-gpgpu_n_clusters 3' -q" "$WARPSTEP" -ex 'info config -gpgpu_n_clusters' >out 2>err </dev/null || bad WARPSTEP_ARGS
grep -q 'value: 3,' out || bad "WARPSTEP_ARGS has no effect"
WARPSTEP_ARGS="-m functional -o '-gpgpu_n_clusters 3'" "$WARPSTEP" --batch -o '-gpgpu_n_clusters 4' -ex 'info config -gpgpu_n_clusters' >out 2>err
grep -q 'value: 4,' out || bad "WARPSTEP_ARGS wins over the command line"
WARPSTEP_ARGS="vecadd.ptx" "$WARPSTEP" --batch >out 2>err
[ $? = 2 ] && grep -q '^error: WARPSTEP_ARGS' err || bad "a file in WARPSTEP_ARGS"
for open in "-o '-gpgpu_n_clusters 3" '-m "functional'; do
	WARPSTEP_ARGS=$open "$WARPSTEP" --batch -ex 'info config' >out 2>err
	[ $? = 2 ] && [ ! -s out ] && grep -q '^error: WARPSTEP_ARGS: a quote is not closed' err || bad "a quote in WARPSTEP_ARGS: $(cat err)"
done
WARPSTEP_ARGS="-ex 'echo it\"s\n'  -ex \"echo it's\\\\n\"" "$WARPSTEP" --batch >out 2>err && [ "$(cat out)" = 'it"s
it'"'"'s' ] || bad "quotes in quotes in WARPSTEP_ARGS: $(cat out err)"
"$WARPSTEP" --batch '' >out 2>err
[ $? = 2 ] && [ "$(wc -l <err)" = 1 ] || bad "an empty file name is bad usage"
# the mode: 1 functional, 0 performance; the command line wins (only performance mode counts cycles of memory)
cat >mode.ws <<'X'
launch vecadd<<<1, 4>>>(0, 0, 0, 0)
c
X
cycles() { "$WARPSTEP" --batch "$@" -x mode.ws -ex 'printf "%d\n", $cycle' vecadd.ptx 2>err | tail -1; }
[ "$(PTX_SIM_MODE_FUNC=1 cycles)" = 11 ] || bad "PTX_SIM_MODE_FUNC=1"
[ "$(cycles)" -gt 11 ] || bad "the mode without options"
[ "$(PTX_SIM_MODE_FUNC=0 cycles)" -gt 11 ] || bad "PTX_SIM_MODE_FUNC=0"
[ "$(PTX_SIM_MODE_FUNC=0 cycles -m functional)" = 11 ] || bad "the command line's mode"
