# args: -m functional -o '-gpgpu_shader_core_pipeline 64:8'
# prompt
# warps of 8 threads: 20 threads are warps of 8, 8 and 4
load lanes.ptx
buffer out u32[200] = zero
run lanes<<<1, 20>>>(out)
# thread 7: no lane above, so its own value; lane 9 isn't there for any
print out[35..39]
print out[40..44]
# the ballot of the last warp has 4 lanes, 0b1010; its last lane
print out[95..99]
assert out[0] == 0 && out[1] == 1 && out[2] == 1000 && out[3] == 0xaa && out[4] == 8 && out[98] == 0xa
# what the debugger shows of them
break 100 if $uid == 39
run split<<<1, 20>>>(out)
info warps
info lanes
print warpSize, $laneid, %warpid, threadIdx
thread thread (12,0,0)
info simt-stack
print %r1
cuda lane 2
cuda warp 2
cuda lane 4
delete
set history on
run split<<<1, 20>>>(out)
who-wrote out[13]
print out[11..12], out[19]
# barriers count in 8s
run meet<<<1, 32>>>(out, 16)
print out[0..7]
run meet<<<1, 32>>>(out, 12)
kill
# within a warp nothing races over a distance of 4; with warps of 4 it does (race.ws)
check race on
run race<<<1, 32>>>(out)
info findings
occupancy race 20
launch race<<<3, 20>>>(out)
info occupancy
continue
