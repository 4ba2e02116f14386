# args: -m performance -c tiny -o '-gpgpu_dram_standard DDR4 -gpgpu_dram_speed DDR4_2400R -gpgpu_dram_channels 2' ../../../examples/01-saxpy/saxpy.ptx
# a kernel on a memory of a DRAM standard: banks in groups, requests with their places, commands, refresh, back in time
buffer x f32[2048] = iota
buffer y f32[2048] = fill 1
buffer z f32[2048] = zero
set history on
launch saxpy<<<16, 128>>>(2047, 2.0, x, y, z)
run-to-cycle 900
info dram
print dram.channel[0].reads + dram.channel[1].reads
print dram.channel[0].part[0].group
print dram.channel[0].part[0].subarray
trace DRAM on
run-to-cycle 940
trace off
set $at = dram.cycles
stepi 20
goto-cycle 940
assert dram.cycles == $at
continue
print z[2046]
stats dram_standard_*
stats n_act
# DDR4_2400R: a refresh every 9360 cycles
info dram
