# args: -q -m performance -c tiny --check sync barriers.ptx
# status: 3
# barriers at which a deadlock comes: a wrong count, a warp that has left, two crossed, one that waits for a flag set behind it
buffer o s32[128] = zero
run count<<<1, 128>>>(o, 96)
kill
run left<<<1, 96>>>(o, 40)
kill
run crossed<<<1, 64>>>(o, 0)
kill
run flag<<<1, 64>>>(o, 0)
kill
assert $_findings == 5
# the same mended
run count<<<1, 128>>>(o, 64)
run left<<<1, 96>>>(o, 96)
run crossed<<<1, 64>>>(o, 1)
buffer p s32[1] = zero
run flag<<<1, 64>>>(p, 1)
assert $_findings == 5
