# status: 1
# A picture of 1000 pixels.
load tone_map.ptx
buffer in f32[1000] = iota
buffer out f32[1000] = zero
run tone_map<<<4, 128>>>({f32 4.0, s32 1000}, in, out)
print out[508..515]
# Nothing was written from 512 on. What does the last thread work on?
launch tone_map<<<4, 128>>>({f32 4.0, s32 1000}, in, out)
focus block (3,0,0) thread (127,0,0)
print %ctaid.x * %ntid.x + %tid.x
print %nctaid.x * %ntid.x
# 512 threads for 1000 pixels: the number of blocks was still computed for blocks of 256. And such a launch is refused now:
continue
launch tone_map<<<4, 256>>>({f32 4.0, s32 1000}, in, out)
