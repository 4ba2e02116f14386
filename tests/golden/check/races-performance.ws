# args: -q -m performance -c tiny --check race races.ptx
# status: 3
# the mistake of each, then the kernel mended, of which nothing is said
buffer o s32[64] = zero
run reduce<<<1, 64>>>(o, 0)
run tree<<<1, 32>>>(o, 0)
run last_block<<<4, 64>>>(o, 0)
run publish<<<2, 1>>>(o, 0)
run histogram<<<2, 64>>>(o, 0)
run buffers<<<1, 64>>>(o, 0)
run same<<<1, 64>>>(o, 0)
set $found = $_findings
run reduce<<<1, 64>>>(o, 1)
run tree<<<1, 32>>>(o, 1)
run last_block<<<4, 64>>>(o, 1)
run publish<<<2, 1>>>(o, 1)
run histogram<<<2, 64>>>(o, 1)
run buffers<<<1, 64>>>(o, 1)
run same<<<1, 64>>>(o, 1)
assert $_findings == $found
