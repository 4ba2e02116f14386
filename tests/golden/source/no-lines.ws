# prompt
# args: no-lines.ptx
buffer out s32[1] = zero
launch k<<<1, 1>>>(out)
sl
sl
sl
launch k<<<1, 1>>>(out)
advance plain
sl
sl
set source ptx
launch k<<<1, 1>>>(out)
advance 25
sl
