# args: -m functional -o '-gpgpu_stream_buffers 1'
# status: 1
load deal.ptx
buffer out u32[96] = fill 0
run deal<<<1, 8>>>(7, out, 96, 0, 0, 1, out)
