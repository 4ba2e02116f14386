# prompt
# args: -m performance
# Samples that begin anew, when the interval is set, count from then on: the machine of 15 cores does at most 960 instructions of threads a cycle.
load ../../../examples/01-saxpy/saxpy.ptx
buffer x f32[4096] = iota
buffer y f32[4096] = fill 1
buffer z f32[4096] = zero
run saxpy<<<16, 256>>>(4095, 2.0, x, y, z)
set samples 200
run saxpy<<<16, 256>>>(4095, 2.0, x, y, z)
run saxpy<<<16, 256>>>(4095, 2.0, x, y, z)
info samples
print $stat.gpu_tot_sim_insn
