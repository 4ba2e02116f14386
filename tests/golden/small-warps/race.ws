# args: -m functional -o '-gpgpu_shader_core_pipeline 256:4'
# prompt
load lanes.ptx
buffer out u32[200] = zero
check race on
run race<<<1, 8>>>(out)
continue
info findings
