# args: -m performance -c tiny -o '-gpgpu_dram_standard SALP-MASA -gpgpu_dram_subarrays 4' ../../../examples/01-saxpy/saxpy.ptx
# subarrays: rows of one bank that are open together, one of them selected
buffer x f32[2048] = iota
buffer gap1 u8[57088] = zero
buffer y f32[2048] = fill 1
buffer gap2 u8[57088] = zero
buffer z f32[2048] = zero
run saxpy<<<16, 128>>>(2047, 2.0, x, y, z)
print z[2046]
print dram.channel[0].part[1].subarray
print dram.channel[0].part[0].open + dram.channel[0].part[1].open + dram.channel[0].part[2].open
assert dram.channel[0].part[0].open == 1
info dram
stats dram_standard_selects
assert dram.channel[0].hits + dram.channel[0].misses + dram.channel[0].conflicts > 0
