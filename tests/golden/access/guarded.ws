# prompt
# args: -m functional
# At a source line whose access comes behind a condition, `info access` shows the access of the lanes that come to it. A way that no lane takes is passed.
load guarded.ptx
set source cuda
buffer in f32[128] = iota
buffer out f32[128] = zero
break guarded.cu:8
break guarded.cu:12
run guarded<<<3, 32>>>(in, out, 40)
# lane 0 of block 0 doesn't load, and stores
info access
info access next
# looking has changed nothing
print %f7
info lanes %p1
continue
# block 0: all lanes
info access
continue
# block 1: lane 0 loads in[31]
info access
info access last
continue
# block 1: lanes with i from 32 to 39
info access
run-to-access
info access
continue
continue
# block 2: no lane
info access
info access next
delete
continue
print out[38..41]
# a warp of which no lane comes to the line's access
break guarded.cu:8 thread (32,0,0)
run guarded<<<1, 64>>>(in, out, 40)
info access
info access next
