# args: -m performance -c gt200-quadrofx5800
# Machine code of compute capability 1.3 as cuobjdump printed it: the sum of 64 words in shared memory. It is converted to PTXPlus, and both are shown.
load reduce.sass
list reduce.sass:14
disassemble /s _Z6reducePjPKj
buffer out u32[1]
buffer in u32[64] = iota
# the addition of two halves: the first time $r4 is 32
break reduce.sass:16
run _Z6reducePjPKj<<<1, 64, 512>>>(out, in)
print $r4
print s[0x20]
info registers $p0 $r1 $r5 $ofs1 $ofs2
delete
continue
# 0 + 1 + ... + 63
print out[0]
stats gpu_sim_cycle
