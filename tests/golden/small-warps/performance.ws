# args: -m performance -c tiny -o '-gpgpu_shader_core_pipeline 64:8'
# prompt
load lanes.ptx
buffer out u32[200] = zero
break 100
run split<<<1, 20>>>(out)
info warps
delete
step 1
rs 1
continue
assert out[11] == 111 && out[12] == 36 && out[19] == 57
# 3 warps: two split, so W4 has more than one
stats W*
stats gpgpu_n_tot_w_icount
run lanes<<<1, 20>>>(out)
assert out[35] == 7 && out[36] == 1007 && out[39] == 8 && out[98] == 0xa
run meet<<<1, 32>>>(out, 16)
assert out[0] == 4 && out[15] == 11
break 77
run race<<<1, 32>>>(out)
info access
